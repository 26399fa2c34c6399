//! Through a tile of a network with three layers, there and back: its neurons are multiplied in
//! pairs, and the second layer reads the products.
//!
//! A row of a neuron of the second layer has the weights of the products of the side to move, then
//! those of the other side. That suits the way back, and forward they are turned, so that both ways
//! add up rows.
//!
//! The engine leaves out groups of neighboring products that are all zero, so a network is written
//! with its pairs in the order of how often they are not.

use multiversion::multiversion;
use sextant_eval::nnue::LAYER_1;

use super::{
    forward::sums_of,
    head::Second,
    record::Sample,
    tiles::{Layout, Row, Tile, TileMut, WIDTH},
    weights::Shape,
};

/// Products of each side in a tile.
const PAIRS: usize = WIDTH / 2;

/// For each output bucket the second layer's weights by what they read.
fn turned(outputs: &[Row]) -> Vec<[Second; WIDTH]> {
    let buckets = outputs.chunks_exact(LAYER_1);
    let turn = |rows: &[Row]| {
        std::array::from_fn(|input| std::array::from_fn(|neuron| rows[neuron].0[input]))
    };
    buckets.map(turn).collect()
}

/// The products of both sides' clipped neurons.
#[inline(always)]
fn products(sums: &[Row; 2]) -> [f32; WIDTH] {
    let mut products = [0.0; WIDTH];
    for (products, sums) in products.chunks_exact_mut(PAIRS).zip(sums) {
        let (first, second) = sums.0.split_at(PAIRS);
        for (product, (a, b)) in products.iter_mut().zip(first.iter().zip(second)) {
            *product = a.clamp(0.0, 1.0) * b.clamp(0.0, 1.0);
        }
    }
    products
}

/// Adds to each position's second layer the share of a tile, and keeps the sums of both perspectives
/// before the activation.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn forward(
    tile: Tile,
    positions: &[(Sample, f32)],
    sums: &mut [[Row; 2]],
    second: &mut [Second],
) {
    let readers = turned(tile.outputs);
    for (((sample, _), sums), second) in positions.iter().zip(sums).zip(second) {
        *sums = sums_of(&tile, sample);
        let mut total = *second;
        for (product, weights) in products(sums).iter().zip(&readers[sample.bucket]) {
            for (total, weight) in total.iter_mut().zip(weights) {
                *total += product * weight;
            }
        }
        *second = total;
    }
}

/// Propagates each position's gradients at its second layer back to the sums of the neurons, which
/// they replace; the gradients of the tile's weights and biases are added to `gradient`.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn backward(
    tile: Tile,
    gradient: &mut TileMut,
    positions: &[(Sample, f32)],
    sums: &mut [[Row; 2]],
    at_second: &[Second],
) {
    let mut bias = *gradient.bias;
    for (((sample, _), sums), at_second) in positions.iter().zip(sums).zip(at_second) {
        let rows = LAYER_1 * sample.bucket..LAYER_1 * (sample.bucket + 1);
        let products = products(sums);
        let mut at_products = [0.0; WIDTH];
        let readers = tile.outputs[rows.clone()].iter();
        let gradients = gradient.outputs[rows].iter_mut();
        for ((weights, gradient), at) in readers.zip(gradients).zip(at_second) {
            for lane in 0..WIDTH {
                at_products[lane] += at * weights.0[lane];
                gradient.0[lane] += at * products[lane];
            }
        }
        for (sums, at_products) in sums.iter_mut().zip(at_products.chunks_exact(PAIRS)) {
            through_products(sums, at_products);
            bias.add(sums);
        }
    }
    *gradient.bias = bias;
}

#[inline(always)]
fn through_products(sums: &mut Row, at_products: &[f32]) {
    let (first, second) = sums.0.split_at_mut(PAIRS);
    for ((a, b), at) in first.iter_mut().zip(second).zip(at_products) {
        let [in_a, in_b] = [*a, *b].map(|sum| sum.clamp(0.0, 1.0));
        // Flat where the clipping bites.
        let [at_a, at_b] = [(*a, in_a, in_b), (*b, in_b, in_a)].map(|(sum, clipped, partner)| {
            if sum == clipped { at * partner } else { 0.0 }
        });
        (*a, *b) = (at_a, at_b);
    }
}

/// The pairs of a network with these rows, those first whose products are most often above zero.
pub(super) fn by_activity(
    layout: &Layout,
    rows: &[Row],
    positions: &[(Sample, f32)],
) -> Vec<usize> {
    let mut active = vec![0_u32; layout.shape.hidden / 2];
    for (number, active) in active.chunks_mut(PAIRS).enumerate() {
        let tile = layout.tile(rows, number);
        for (sample, _) in positions {
            let products = products(&sums_of(&tile, sample));
            for side in products.chunks_exact(PAIRS) {
                for (active, &product) in active.iter_mut().zip(side) {
                    *active += u32::from(product > 0.0);
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..active.len()).collect();
    order.sort_by_key(|&pair| std::cmp::Reverse(active[pair]));
    order
}

/// Puts the pairs of a network's weights into another order, which changes no output.
pub(super) fn reorder(shape: &Shape, weights: &mut [f32], order: &[usize]) {
    for half in weights[..shape.tail().start].chunks_exact_mut(order.len()) {
        let old = half.to_vec();
        for (new, &pair) in half.iter_mut().zip(order) {
            *new = old[pair];
        }
    }
}
