//! Through a tile of the network: from the features of positions to the sums of its neurons, and
//! from these to what they add to the outputs.
//!
//! The inner loops go over arrays of one length, which the compiler keeps in registers. Sums over
//! neurons are made of halves, because floating point forbids the compiler to change their order.

use multiversion::multiversion;

use super::{
    perspectives::Perspectives,
    record::Sample,
    tiles::{Row, Tile, WIDTH},
};

/// The sums of a tile's neurons before the activation, for each perspective.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn sums(tile: Tile, perspectives: &Perspectives, sums: &mut [Row]) {
    for (features, sums) in perspectives.features().zip(sums) {
        *sums = sum(&tile, features);
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
    perspectives: &Perspectives,
    sums: &[Row],
    shares: &mut [f32],
) {
    let (outputs, _) = tile.outputs.as_chunks();
    let positions = positions.iter().zip(perspectives.places());
    for (((sample, _), [own, other]), share) in positions.zip(shares) {
        *share = weigh([&sums[own], &sums[other]], &outputs[sample.bucket]);
    }
}

/// The sum of both perspectives' activations, weighted.
#[inline(always)]
fn weigh(sums: [&Row; 2], weights: &[Row; 2]) -> f32 {
    let mut weighted = Row::ZERO;
    for (sums, weights) in sums.iter().zip(weights) {
        let pairs = sums.0.iter().zip(&weights.0);
        for (sum, (&value, weight)) in weighted.0.iter_mut().zip(pairs) {
            *sum += screlu(value) * weight;
        }
    }
    total(weighted)
}

/// The squared clipped ReLU (SCReLU): 0 below 0, 1 above 1, the square between.
#[inline(always)]
fn screlu(value: f32) -> f32 {
    let clipped = value.clamp(0.0, 1.0);
    clipped * clipped
}

/// The sum of a row's numbers.
#[inline(always)]
pub(super) fn total(row: Row) -> f32 {
    let mut parts = row.0;
    let mut half = WIDTH / 2;
    while half > 0 {
        let (low, high) = parts.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            *low += *high;
        }
        half /= 2;
    }
    parts[0]
}
