//! Back through a tile of the network: from the gradients at the outputs to those of its weights.
//!
//! Gradients of the first layer are gathered by feature: the rows of all places where a feature
//! occurs are added up in registers, and the gradient is loaded and stored once.

use multiversion::multiversion;

use super::{
    neurons::{Neurons, through_clipping},
    occurrences::Occurrences,
    record::Sample,
    rows::Row,
    tiles::{Tile, TileMut},
};

/// Propagates each position's gradient at its output back through the output layer to the sums of
/// the neurons; the gradients of output weights and biases of the tile are added to `gradient`.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn backward<'a, 'b>(
    (tile, neurons): (Tile<'a>, &[Neurons]),
    positions: &[(Sample, f32)],
    at_sums: &mut [Row],
    gradient: &mut TileMut<'b>,
) {
    let mut bias = *gradient.bias;
    let (outputs, _) = tile.outputs.as_chunks::<2>();
    let (output_gradients, _) = gradient.outputs.as_chunks_mut::<2>();
    let (neurons, _) = neurons.as_chunks::<2>();
    let (at_sums, _) = at_sums.as_chunks_mut::<2>();
    let of_sides = neurons.iter().zip(at_sums);
    for ((sample, at_output), (neurons, at_sums)) in positions.iter().zip(of_sides) {
        let weights = &outputs[sample.bucket];
        let gradients = &mut output_gradients[sample.bucket];
        for side in 0..2 {
            let (values, gradient) = (neurons[side].values(), &mut gradients[side]);
            at_sums[side] = through_activation(*at_output, &values, &weights[side], gradient);
            bias.add(&at_sums[side]);
        }
    }
    *gradient.bias = bias;
}

#[inline(always)]
fn through_activation(
    at_output: f32,
    values: &Row,
    weights: &Row,
    weight_gradient: &mut Row,
) -> Row {
    let mut at_sums = Row::ZERO;
    let weights = weights.0.iter().zip(&mut weight_gradient.0);
    let values = values.0.iter().zip(weights);
    for (at_sum, (&value, (weight, weight_gradient))) in at_sums.0.iter_mut().zip(values) {
        *weight_gradient += at_output * value * value;
        *at_sum = through_clipping(value, 2.0 * at_output * weight * value);
    }
    at_sums
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
