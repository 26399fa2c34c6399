//! The loops by 256-bit vectors.
//!
//! The compiler makes them of the portable ones, but for what reads all neurons: it does not find
//! the instructions that multiply numbers and add neighbors, and is told them here; and for the rows
//! of relations, whose sums stay in registers while relations are found.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_cvtepi16_epi32, _mm256_extracti128_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_mulhrs_epi16,
    _mm256_mullo_epi16, _mm256_packus_epi16, _mm256_permute4x64_epi64, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_slli_epi16,
};

use super::{RelationRow, Sums, relations};
use crate::nnue::{
    numbers::{ACTIVATION_ONE, Block, LAYER_1, LAYER_2, PRODUCT_SHIFT, Products},
    relations::Sides,
    stack::{self, Activations, Layers},
};

vectorized!("avx2");

/// [`update`](super::update) for processors that have AVX2.
#[target_feature(enable = "avx2")]
pub(super) fn update<const A: usize, const S: usize>(
    from: &[Block],
    to: &mut [Block],
    add: [&[Block]; A],
    sub: [&[Block]; S],
) {
    super::portable::update(from, to, add, sub);
}

/// [`weigh_others`](super::weigh_others) for processors that have AVX2.
#[target_feature(enable = "avx2")]
pub(super) fn weigh_others(structure: Sums, rows: &[RelationRow], sides: &Sides) -> Sums {
    let [mut low, mut high]: [__m256i; 2] = bytemuck::cast(structure);
    relations::find_others(sides, |number| {
        let [of_low, of_high]: [__m128i; 2] = bytemuck::cast(rows[number].0);
        low = _mm256_add_epi32(low, _mm256_cvtepi16_epi32(of_low));
        high = _mm256_add_epi32(high, _mm256_cvtepi16_epi32(of_high));
    });
    bytemuck::cast([low, high])
}

/// [`output`](super::output) for processors that have AVX2.
#[target_feature(enable = "avx2")]
pub(super) fn output(own: &[Block], other: &[Block], weights: &[Block]) -> i32 {
    let (own_weights, other_weights) = weights.split_at(own.len());
    let sum = _mm256_add_epi32(side(own, own_weights), side(other, other_weights));
    // Eight sums to four, two, one.
    let four = _mm_add_epi32(
        _mm256_castsi256_si128(sum),
        _mm256_extracti128_si256::<1>(sum),
    );
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one)
}

#[target_feature(enable = "avx2")]
#[inline]
fn side(neurons: &[Block], weights: &[Block]) -> __m256i {
    let (zero, one) = (
        _mm256_setzero_si256(),
        _mm256_set1_epi16(ACTIVATION_ONE as i16),
    );
    // Two sums, so that an addition need not wait for the one before.
    let mut sums = [zero; 2];
    for (neurons, weights) in neurons.iter().zip(weights) {
        let [neurons, weights]: [&[__m256i; 2]; 2] = [neurons, weights].map(bytemuck::cast_ref);
        for ((sum, &neurons), &weights) in sums.iter_mut().zip(neurons).zip(weights) {
            let activation = _mm256_min_epi16(_mm256_max_epi16(neurons, zero), one);
            let weighted = _mm256_mullo_epi16(activation, weights);
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(weighted, activation));
        }
    }
    let [a, b] = sums;
    _mm256_add_epi32(a, b)
}

/// [`stack`](super::stack) for processors that have AVX2.
#[target_feature(enable = "avx2")]
pub(super) fn stack(
    sides: [&[Block]; 2],
    products: &mut [Products],
    sums: Sums,
    layers: &Layers,
) -> i32 {
    multiply(sides, products);
    let activations = stack::activations(second_layer(products, sums, layers));
    layers.stack.rest.output(third_layer(&activations, layers))
}

/// [`multiply`](super::portable::multiply) with an instruction that multiplies, rounds and shifts.
#[target_feature(enable = "avx2")]
#[inline]
fn multiply(sides: [&[Block]; 2], products: &mut [Products]) {
    let (zero, one) = (
        _mm256_setzero_si256(),
        _mm256_set1_epi16(ACTIVATION_ONE as i16),
    );
    let multiply = |a: __m256i, b: __m256i| {
        // It shifts by 15. Where `b` is below zero, so is what comes of it, which packing makes zero.
        let a = _mm256_min_epi16(_mm256_max_epi16(a, zero), one);
        let a = _mm256_slli_epi16::<{ 15 - PRODUCT_SHIFT as i32 }>(a);
        _mm256_mulhrs_epi16(a, _mm256_min_epi16(b, one))
    };
    let rows: &mut [__m256i] = bytemuck::cast_slice_mut(products);
    let half = rows.len() / 2;
    for (side, rows) in sides.into_iter().zip(rows.chunks_mut(half.max(1))) {
        let (first, second) = side.split_at(half);
        for (row, (first, second)) in rows.iter_mut().zip(first.iter().zip(second)) {
            let [a, b]: [&[__m256i; 2]; 2] = [first, second].map(bytemuck::cast_ref);
            let packed = _mm256_packus_epi16(multiply(a[0], b[0]), multiply(a[1], b[1]));
            // Packing takes the halves of both in turn.
            *row = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn second_layer(products: &[Products], sums: Sums, layers: &Layers) -> Sums {
    let ones = _mm256_set1_epi16(1);
    let mut sums: [__m256i; 2] = bytemuck::cast(sums);
    let groups: &[i32] = bytemuck::cast_slice(products);
    for (&inputs, line) in groups.iter().zip(&layers.lines) {
        let inputs = _mm256_set1_epi32(inputs);
        let weights: &[__m256i; 2] = bytemuck::cast_ref(line);
        for (sum, &weights) in sums.iter_mut().zip(weights) {
            // Two products of at most 127 times 128 fit into 16 bits.
            let pairs = _mm256_maddubs_epi16(inputs, weights);
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
        }
    }
    bytemuck::cast(sums)
}

#[target_feature(enable = "avx2")]
#[inline]
fn third_layer(activations: &Activations, layers: &Layers) -> [i32; LAYER_2] {
    let mut sums: [__m256i; 4] = bytemuck::cast(layers.stack.rest.biases_2);
    let inputs: [i32; LAYER_1] = bytemuck::cast(*activations);
    for (inputs, pair) in inputs.into_iter().zip(&*layers.pairs) {
        let inputs = _mm256_set1_epi32(inputs);
        let weights: &[__m256i; 4] = bytemuck::cast_ref(pair);
        for (sum, &weights) in sums.iter_mut().zip(weights) {
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(inputs, weights));
        }
    }
    bytemuck::cast(sums)
}
