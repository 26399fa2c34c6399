//! The second layer by the 128-bit vectors of 64-bit ARM, which all of its processors have. The
//! compiler makes vectors of the other loops by itself.

use std::arch::aarch64::{
    int8x16_t, int32x4_t, vaddq_s32, vdupq_n_s32, vget_low_s8, vmull_high_s8, vmull_s8,
    vpadalq_s16, vpaddq_s32, vreinterpretq_s8_s32,
};

use super::Sums;
use crate::nnue::{numbers::Products, stack::Layers};

/// The sums of the second layer.
pub(super) fn second_layer(products: &[Products], sums: Sums, layers: &Layers) -> Sums {
    #[allow(unsafe_code)]
    // SAFETY: every 64-bit ARM processor has these vectors.
    unsafe {
        by_vectors(products, sums, layers)
    }
}

#[target_feature(enable = "neon")]
fn by_vectors(products: &[Products], begin: Sums, layers: &Layers) -> Sums {
    // For each four neurons two sums of two inputs each, in two vectors.
    let mut sums = [[vdupq_n_s32(0); 2]; 4];
    let groups: &[i32] = bytemuck::cast_slice(products);
    for (&group, line) in groups.iter().zip(&layers.lines) {
        // No product has its highest bit set.
        let inputs = vreinterpretq_s8_s32(vdupq_n_s32(group));
        let weights: &[int8x16_t; 4] = bytemuck::cast_ref(line);
        for ([low, high], &weights) in sums.iter_mut().zip(weights) {
            let of_low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
            *low = vpadalq_s16(*low, of_low);
            *high = vpadalq_s16(*high, vmull_high_s8(inputs, weights));
        }
    }
    let begin: [int32x4_t; 4] = bytemuck::cast(begin);
    let added = sums.map(|[low, high]| vpaddq_s32(low, high));
    let of_four = |number: usize| vaddq_s32(begin[number], added[number]);
    bytemuck::cast(std::array::from_fn::<_, 4, _>(of_four))
}
