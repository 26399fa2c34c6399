//! The loops by 512-bit vectors: those of `avx2` at twice the width.
//!
//! What runs for each node is told the instructions. For many of Intel's processors the compiler
//! itself prefers 256-bit vectors, because the first that had wider ones slowed down for them.

use std::arch::x86_64::{
    __m256i, __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_cvtepi16_epi8,
    _mm512_cvtepi16_epi32, _mm512_dpbusd_epi32, _mm512_madd_epi16, _mm512_maddubs_epi16,
    _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32,
    _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_srli_epi16,
    _mm512_sub_epi16,
};

use super::{RelationRow, Sums, relations};
use crate::nnue::{
    numbers::{ACTIVATION_ONE, Block, LAYER_1, LAYER_2, PRODUCT_HALF, PRODUCT_SHIFT, Products},
    relations::Sides,
    stack::{self, Activations, Layers},
};

vectorized!("avx512bw");

/// [`update`](super::update) for processors that have AVX-512.
#[target_feature(enable = "avx512bw")]
pub(super) fn update<const A: usize, const S: usize>(
    from: &[Block],
    to: &mut [Block],
    add: [&[Block]; A],
    sub: [&[Block]; S],
) {
    let size = to.len();
    let from = &vectors(from)[..size];
    let add = add.map(|row| &vectors(row)[..size]);
    let sub = sub.map(|row| &vectors(row)[..size]);
    for (i, to) in bytemuck::cast_slice_mut(to).iter_mut().enumerate() {
        let mut sum = from[i];
        for row in add {
            sum = _mm512_add_epi16(sum, row[i]);
        }
        for row in sub {
            sum = _mm512_sub_epi16(sum, row[i]);
        }
        *to = sum;
    }
}

#[inline]
fn vectors(blocks: &[Block]) -> &[__m512i] {
    bytemuck::cast_slice(blocks)
}

/// [`weigh_others`](super::weigh_others) for processors that have AVX-512.
#[target_feature(enable = "avx512bw")]
pub(super) fn weigh_others(structure: Sums, rows: &[RelationRow], sides: &Sides) -> Sums {
    let mut sums = bytemuck::cast(structure);
    relations::find_others(sides, |number| {
        let row: __m256i = bytemuck::cast(rows[number].0);
        sums = _mm512_add_epi32(sums, _mm512_cvtepi16_epi32(row));
    });
    bytemuck::cast(sums)
}

/// [`output`](super::output) for processors that have AVX-512.
#[target_feature(enable = "avx512bw")]
pub(super) fn output(own: &[Block], other: &[Block], weights: &[Block]) -> i32 {
    let (own_weights, other_weights) = weights.split_at(own.len());
    // Two sums, so that one need not wait for the other.
    let sums = _mm512_add_epi32(side(own, own_weights), side(other, other_weights));
    _mm512_reduce_add_epi32(sums)
}

#[target_feature(enable = "avx512bw")]
#[inline]
fn side(neurons: &[Block], weights: &[Block]) -> __m512i {
    let (zero, one) = (
        _mm512_setzero_si512(),
        _mm512_set1_epi16(ACTIVATION_ONE as i16),
    );
    let mut sum = zero;
    for (neurons, weights) in neurons.iter().zip(weights) {
        let [neurons, weights]: [&__m512i; 2] = [neurons, weights].map(bytemuck::cast_ref);
        let activation = _mm512_min_epi16(_mm512_max_epi16(*neurons, zero), one);
        let weighted = _mm512_mullo_epi16(activation, *weights);
        sum = _mm512_add_epi32(sum, _mm512_madd_epi16(weighted, activation));
    }
    sum
}

/// A [`stack`](super::stack) for processors that have the features, where `$add` adds up products
/// of bytes. The second layer has eight of each sum, so that an addition need not wait for the one
/// before.
macro_rules! stack {
    ($name:ident, $feature:literal, $add:expr) => {
        #[target_feature(enable = $feature)]
        pub(super) fn $name(
            sides: [&[Block]; 2],
            products: &mut [Products],
            sums: Sums,
            layers: &Layers,
        ) -> i32 {
            multiply(sides, products);
            let zero = _mm512_setzero_si512();
            let mut sums = [[zero; 4], [zero, zero, zero, bytemuck::cast(sums)]];
            let (groups, _) = bytemuck::cast_slice::<_, i32>(products).as_chunks::<8>();
            let (lines, _) = layers.lines.as_chunks::<8>();
            for (groups, lines) in groups.iter().zip(lines) {
                let sums = sums.as_flattened_mut().iter_mut();
                for ((sum, &inputs), line) in sums.zip(groups).zip(lines) {
                    let weights: &__m512i = bytemuck::cast_ref(line);
                    *sum = $add(*sum, _mm512_set1_epi32(inputs), *weights);
                }
            }
            let [a, b] = sums.map(|four| total(four));
            let sum = _mm512_add_epi32(a, b);
            let activations = stack::activations(bytemuck::cast(sum));
            layers.stack.rest.output(third_layer(&activations, layers))
        }
    };
}

stack!(stack, "avx512bw", add_products);
stack!(stack_vnni, "avx512bw,avx512vnni", _mm512_dpbusd_epi32);

/// [`multiply`](super::portable::multiply).
#[target_feature(enable = "avx512bw")]
#[inline]
fn multiply(sides: [&[Block]; 2], products: &mut [Products]) {
    let (zero, one, half_one) = (
        _mm512_setzero_si512(),
        _mm512_set1_epi16(ACTIVATION_ONE as i16),
        _mm512_set1_epi16(PRODUCT_HALF as i16),
    );
    let clipped = |numbers| _mm512_min_epi16(_mm512_max_epi16(numbers, zero), one);
    let rows: &mut [__m256i] = bytemuck::cast_slice_mut(products);
    let half = rows.len() / 2;
    for (side, rows) in sides.into_iter().zip(rows.chunks_mut(half.max(1))) {
        let (first, second) = vectors(side).split_at(half);
        for (row, (&a, &b)) in rows.iter_mut().zip(first.iter().zip(second)) {
            // Fits into 16 bits.
            let product = _mm512_add_epi16(_mm512_mullo_epi16(clipped(a), clipped(b)), half_one);
            *row = _mm512_cvtepi16_epi8(_mm512_srli_epi16::<PRODUCT_SHIFT>(product));
        }
    }
}

/// What VNNI does at once: adds up the products of four bytes and four weights.
#[target_feature(enable = "avx512bw")]
#[inline]
fn add_products(sum: __m512i, inputs: __m512i, weights: __m512i) -> __m512i {
    // Two products of at most 127 times 128 fit into 16 bits.
    let pairs = _mm512_maddubs_epi16(inputs, weights);
    _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
}

#[target_feature(enable = "avx512bw")]
#[inline]
fn third_layer(activations: &Activations, layers: &Layers) -> [i32; LAYER_2] {
    // Four of each sum: with VNNI the compiler makes one instruction of multiplication and addition,
    // and that waits for the one before five times as long as an addition does.
    let zero = [_mm512_setzero_si512(); 2];
    let mut sums = [zero, zero, zero, bytemuck::cast(layers.stack.rest.biases_2)];
    let inputs: [[i32; 4]; LAYER_1 / 4] = bytemuck::cast(*activations);
    let (pairs, _) = layers.pairs.as_chunks::<4>();
    for (inputs, pairs) in inputs.into_iter().zip(pairs) {
        for ((halves, input), pair) in sums.iter_mut().zip(inputs).zip(pairs) {
            let input = _mm512_set1_epi32(input);
            let weights: &[__m512i; 2] = bytemuck::cast_ref(pair);
            for (sum, &weights) in halves.iter_mut().zip(weights) {
                *sum = _mm512_add_epi32(*sum, _mm512_madd_epi16(input, weights));
            }
        }
    }
    let halves = [0, 1].map(|half| total(sums.map(|sums| sums[half])));
    bytemuck::cast(halves)
}

#[target_feature(enable = "avx512bw")]
#[inline]
fn total([a, b, c, d]: [__m512i; 4]) -> __m512i {
    _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d))
}
