//! Through a tile of the network: from the features of positions to the sums of its neurons, and
//! from these to what they add to the outputs.
//!
//! The inner loops go over arrays of one length, which the compiler keeps in registers. Sums over
//! neurons are made of halves, because floating point forbids the compiler to change their order.

use multiversion::multiversion;

use super::{
    neurons::Neurons,
    perspectives::Perspectives,
    record::Sample,
    rows::{Row, total},
    tiles::Tile,
};

/// What a tile's neurons pass on, for each perspective.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn neurons(tile: Tile, perspectives: &Perspectives, neurons: &mut [Neurons]) {
    for (place, features) in perspectives.each() {
        neurons[place] = Neurons::of(&sum(&tile, features));
    }
}

/// The sums of one perspective.
#[inline(always)]
pub(super) fn sum(tile: &Tile, features: &[u16]) -> Row {
    let mut sum = *tile.bias;
    for &feature in features {
        sum.add(&tile.features[usize::from(feature)]);
    }
    sum
}

/// What a tile adds to each position's output.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn outputs(
    tile: Tile,
    positions: &[(Sample, f32)],
    neurons: &[Neurons],
    shares: &mut [f32],
) {
    let (outputs, _) = tile.outputs.as_chunks();
    let (of_sides, _) = neurons.as_chunks();
    for (((sample, _), of_sides), share) in positions.iter().zip(of_sides).zip(shares) {
        *share = weigh(of_sides, &outputs[sample.bucket]);
    }
}

/// The sum of both perspectives' activations, the squares of what neurons pass on (SCReLU), weighted.
#[inline(always)]
fn weigh(of_sides: &[Neurons; 2], weights: &[Row; 2]) -> f32 {
    let mut weighted = Row::ZERO;
    for (neurons, weights) in of_sides.iter().zip(weights) {
        let values = neurons.values();
        let pairs = values.0.iter().zip(&weights.0);
        for (sum, (value, weight)) in weighted.0.iter_mut().zip(pairs) {
            *sum += value * value * weight;
        }
    }
    total(weighted)
}
