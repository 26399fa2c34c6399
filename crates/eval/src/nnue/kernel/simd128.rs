//! The output layer and the second layer by the 128-bit vectors of WebAssembly, with instructions
//! that the compiler does not find: they multiply numbers and add neighbors. It makes vectors of the
//! other loops by itself.

use std::arch::wasm32::{
    i16x8_extmul_high_i8x16, i16x8_extmul_low_i8x16, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat,
    i32x4_add, i32x4_dot_i16x8, i32x4_extadd_pairwise_i16x8, i32x4_extract_lane, i32x4_shuffle,
    i32x4_splat, v128,
};

use super::Sums;
use crate::nnue::{
    numbers::{ACTIVATION_ONE, Block, Products},
    stack::Layers,
};

/// [`output`](super::output).
pub(super) fn output(own: &[Block], other: &[Block], weights: &[Block]) -> i32 {
    let (zero, one) = (i16x8_splat(0), i16x8_splat(ACTIVATION_ONE as i16));
    let mut sums = [i32x4_splat(0); 4];
    for (neurons, weights) in own.iter().chain(other).zip(weights) {
        let [neurons, weights]: [&[v128; 4]; 2] = [neurons, weights].map(bytemuck::cast_ref);
        for ((sum, &neurons), &weights) in sums.iter_mut().zip(neurons).zip(weights) {
            let activation = i16x8_min(i16x8_max(neurons, zero), one);
            let weighted = i16x8_mul(activation, weights);
            *sum = i32x4_add(*sum, i32x4_dot_i16x8(weighted, activation));
        }
    }
    let [a, b, c, d] = sums;
    let sum = i32x4_add(i32x4_add(a, b), i32x4_add(c, d));
    let lanes = [
        i32x4_extract_lane::<0>(sum),
        i32x4_extract_lane::<1>(sum),
        i32x4_extract_lane::<2>(sum),
        i32x4_extract_lane::<3>(sum),
    ];
    lanes.into_iter().fold(0, i32::wrapping_add)
}

/// The sums of the second layer.
pub(super) fn second_layer(products: &[Products], begin: Sums, layers: &Layers) -> Sums {
    // For each four neurons two sums of two inputs each, in two vectors.
    let mut sums = [[i32x4_splat(0); 2]; 4];
    let groups: &[i32] = bytemuck::cast_slice(products);
    for (&group, line) in groups.iter().zip(&layers.lines) {
        // No product has its highest bit set.
        let inputs = i32x4_splat(group);
        let weights: &[v128; 4] = bytemuck::cast_ref(line);
        for ([low, high], &weights) in sums.iter_mut().zip(weights) {
            let of_low = i16x8_extmul_low_i8x16(inputs, weights);
            let of_high = i16x8_extmul_high_i8x16(inputs, weights);
            *low = i32x4_add(*low, i32x4_extadd_pairwise_i16x8(of_low));
            *high = i32x4_add(*high, i32x4_extadd_pairwise_i16x8(of_high));
        }
    }
    let mut all: [v128; 4] = bytemuck::cast(begin);
    for (sum, [low, high]) in all.iter_mut().zip(sums) {
        let even = i32x4_shuffle::<0, 2, 4, 6>(low, high);
        let odd = i32x4_shuffle::<1, 3, 5, 7>(low, high);
        *sum = i32x4_add(*sum, i32x4_add(even, odd));
    }
    bytemuck::cast(all)
}
