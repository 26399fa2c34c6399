//! Through a tile of the network: from the features of positions to the sums of its neurons, and
//! from these to what they add to the outputs.
//!
//! The inner loops go over arrays of one length, which the compiler keeps in registers. Sums over
//! neurons are made of halves, because floating point forbids the compiler to change their order.

use multiversion::multiversion;

use super::{
    record::Sample,
    tiles::{Row, Tile, WIDTH},
};

/// Adds to each position's output the share of a tile, and keeps the sums of both perspectives
/// before the activation.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn forward(tile: Tile, positions: &mut [(Sample, f32)], sums: &mut [[Row; 2]]) {
    let (outputs, _) = tile.outputs.as_chunks();
    for ((sample, output), sums) in positions.iter_mut().zip(sums) {
        *sums = sums_of(&tile, sample);
        *output += weigh(sums, &outputs[sample.bucket]);
    }
}

/// The sums of both perspectives, the side to move's first.
#[inline(always)]
pub(super) fn sums_of(tile: &Tile, sample: &Sample) -> [Row; 2] {
    let (mut own, mut other) = (*tile.bias, *tile.bias);
    for (&own_feature, &other_feature) in sample.own().iter().zip(sample.other()) {
        own.add(&tile.features[usize::from(own_feature)]);
        other.add(&tile.features[usize::from(other_feature)]);
    }
    [own, other]
}

/// The sum of both perspectives' activations, weighted.
#[inline(always)]
fn weigh(sums: &[Row; 2], weights: &[Row; 2]) -> f32 {
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

#[inline(always)]
fn total(row: Row) -> f32 {
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
