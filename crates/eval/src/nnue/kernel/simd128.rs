//! The output layer by the 128-bit vectors of WebAssembly, with the one instruction that the compiler
//! does not find: it multiplies 16-bit numbers and adds neighbors. It makes vectors of the other
//! loops by itself.

use std::arch::wasm32::{
    i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane,
    i32x4_splat, v128,
};

use crate::nnue::numbers::{ACTIVATION_ONE, Block};

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
