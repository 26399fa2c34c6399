//! The output layer for any processor.

use crate::nnue::{
    block::{Block, LANES},
    bounds::ACTIVATION_ONE,
};

/// The sum of activation times weight over both sides' neurons, where an activation is the square
/// of a neuron's sum clipped to 0..=[`ACTIVATION_ONE`]. `weights` has the own side's, then the
/// other's.
#[inline]
pub(super) fn output(own: &[Block], other: &[Block], weights: &[Block]) -> i32 {
    let mut sums = [0_i32; LANES];
    for (neurons, weights) in own.iter().chain(other).zip(weights) {
        for ((sum, neuron), weight) in sums.iter_mut().zip(neurons.0).zip(weights.0) {
            let activation = neuron.clamp(0, ACTIVATION_ONE as i16);
            // Fits into 16 bits by the bound of the output weights.
            let weighted = activation.wrapping_mul(weight);
            *sum = sum.wrapping_add(i32::from(weighted) * i32::from(activation));
        }
    }
    sums.into_iter().fold(0, i32::wrapping_add)
}
