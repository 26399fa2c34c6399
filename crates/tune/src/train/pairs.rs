//! Through a tile of a network with three layers, there and back: its neurons are multiplied in
//! pairs, and the second layer reads the products.
//!
//! A row of a neuron of the second layer has the weights of the products of the side to move, then
//! those of the other side.
//!
//! The engine leaves out groups of neighboring products that are all zero, so a network is written
//! with its pairs in the order of how often they are not.

use multiversion::multiversion;
use ndarray::{ArrayView2, ArrayViewMut2};
use sextant_eval::nnue::LAYER_1;

use super::{
    forward::sum,
    head::Second,
    matrix::{add_product, rows, rows_mut, runs, set_product},
    perspectives::Perspectives,
    record::Sample,
    tiles::{Layout, Row, Tile, TileMut, WIDTH},
    weights::Shape,
};

/// Products of each side in a tile.
const PAIRS: usize = WIDTH / 2;

/// What a tile adds to each position's second layer. Positions of one output bucket stand together.
pub(super) fn forward(
    tile: Tile,
    positions: &[(Sample, f32)],
    perspectives: &Perspectives,
    sums: &[Row],
    shares: &mut [Second],
) {
    let mut products = vec![Row::ZERO; positions.len()];
    multiply(perspectives, sums, &mut products);
    for (bucket, part) in runs(positions) {
        let shares = ArrayViewMut2::from(&mut shares[part.clone()]);
        let weights = of_bucket(tile.outputs, bucket);
        set_product(shares, rows(&products[part]), weights.t());
    }
}

/// Propagates each position's gradients at its second layer back to the sums of the neurons, which
/// they replace; the gradients of the tile's weights and biases are added to `gradient`.
pub(super) fn backward(
    tile: Tile,
    gradient: &mut TileMut<'_>,
    (positions, at_second): (&[(Sample, f32)], &[Second]),
    perspectives: &Perspectives,
    sums: &mut [Row],
) {
    let mut products = vec![Row::ZERO; positions.len()];
    multiply(perspectives, sums, &mut products);
    for (bucket, part) in runs(positions) {
        let products = &mut products[part.clone()];
        let at_second = ArrayView2::from(&at_second[part]);
        let gradient = &mut gradient.outputs[LAYER_1 * bucket..LAYER_1 * (bucket + 1)];
        add_product(rows_mut(gradient), at_second.t(), rows(products));
        set_product(
            rows_mut(products),
            at_second,
            of_bucket(tile.outputs, bucket),
        );
    }
    through_products(perspectives, &products, sums, gradient.bias);
}

/// The rows of an output bucket.
fn of_bucket(outputs: &[Row], bucket: usize) -> ArrayView2<'_, f32> {
    rows(&outputs[LAYER_1 * bucket..LAYER_1 * (bucket + 1)])
}

/// The products of both sides' clipped neurons, position by position: those of the side to move,
/// then those of the other side.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn multiply(perspectives: &Perspectives, sums: &[Row], products: &mut [Row]) {
    for ([own, other], products) in perspectives.places().zip(products) {
        *products = multiplied([&sums[own], &sums[other]]);
    }
}

#[inline(always)]
fn multiplied(sums: [&Row; 2]) -> Row {
    let mut products = Row::ZERO;
    for (products, sums) in products.0.chunks_exact_mut(PAIRS).zip(sums) {
        let (first, second) = sums.0.split_at(PAIRS);
        for (product, (a, b)) in products.iter_mut().zip(first.iter().zip(second)) {
            *product = a.clamp(0.0, 1.0) * b.clamp(0.0, 1.0);
        }
    }
    products
}

/// From the gradients at the products to those at the sums, which they replace, and at the bias.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn through_products(
    perspectives: &Perspectives,
    at_products: &[Row],
    sums: &mut [Row],
    bias: &mut Row,
) {
    let mut total = *bias;
    for (places, at_products) in perspectives.places().zip(at_products) {
        let of_sides = at_products.0.chunks_exact(PAIRS);
        for (place, at_products) in places.into_iter().zip(of_sides) {
            let (first, second) = sums[place].0.split_at_mut(PAIRS);
            for ((a, b), at) in first.iter_mut().zip(second).zip(at_products) {
                let [in_a, in_b] = [*a, *b].map(|sum| sum.clamp(0.0, 1.0));
                // Flat where the clipping bites.
                *b = if *b == in_b { at * in_a } else { 0.0 };
                *a = if *a == in_a { at * in_b } else { 0.0 };
            }
            total.add(&sums[place]);
        }
    }
    *bias = total;
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
            let sums = [sample.own(), sample.other()].map(|features| sum(&tile, features));
            let products = multiplied([&sums[0], &sums[1]]);
            for side in products.0.chunks_exact(PAIRS) {
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
