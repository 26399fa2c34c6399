//! Back through a tile of the network: from the gradients at the outputs to those of its weights.
//!
//! Gradients of the first layer are gathered by feature: the rows of all places where a feature
//! occurs are added up in registers, and the gradient is loaded and stored once.

use multiversion::multiversion;

use super::{
    occurrences::Occurrences,
    perspectives::Perspectives,
    record::Sample,
    tiles::{Row, Tile, TileMut},
};

/// Propagates each position's gradient at its output back through the output layer.
///
/// `sums` come in as those before the activation and go out as the gradients at those sums; the
/// gradients of output weights and biases of the tile are added to `gradient`.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn backward(
    tile: Tile,
    gradient: &mut TileMut,
    positions: &[(Sample, f32)],
    perspectives: &Perspectives,
    sums: &mut [Row],
) {
    let mut bias = *gradient.bias;
    let (outputs, _) = tile.outputs.as_chunks::<2>();
    let (output_gradients, _) = gradient.outputs.as_chunks_mut::<2>();
    for ((sample, at_output), places) in positions.iter().zip(perspectives.places()) {
        let weights = &outputs[sample.bucket];
        let gradients = &mut output_gradients[sample.bucket];
        for ((place, weights), gradient) in places.into_iter().zip(weights).zip(gradients) {
            let sums = &mut sums[place];
            through_activation(*at_output, sums, weights, gradient);
            bias.add(sums);
        }
    }
    *gradient.bias = bias;
}

#[inline(always)]
fn through_activation(at_output: f32, sums: &mut Row, weights: &Row, weight_gradient: &mut Row) {
    for ((sum, &weight), weight_gradient) in sums
        .0
        .iter_mut()
        .zip(&weights.0)
        .zip(&mut weight_gradient.0)
    {
        let clipped = sum.clamp(0.0, 1.0);
        *weight_gradient += at_output * clipped * clipped;
        // Flat where the clipping bites.
        let inner = if *sum == clipped { clipped } else { 0.0 };
        *sum = 2.0 * at_output * weight * inner;
    }
}

/// Adds to the gradient of each feature the rows of the places where it occurs.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn gather(features: &mut [Row], occurrences: &Occurrences, rows: &[Row]) {
    for (gradient, places) in features.iter_mut().zip(occurrences.by_feature()) {
        // So that what nobody has stays out of the caches.
        if places.is_empty() {
            continue;
        }
        let mut sum = *gradient;
        for &place in places {
            sum.add(&rows[usize::from(place)]);
        }
        *gradient = sum;
    }
}
