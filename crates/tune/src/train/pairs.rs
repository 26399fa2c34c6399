//! Through a tile of a network with three layers, there and back: its neurons are multiplied in
//! pairs, and the second layer reads the products.
//!
//! A row of a neuron of the second layer has the weights of the products of the side to move, then
//! those of the other side.

use multiversion::multiversion;
use sextant_eval::nnue::LAYER_1;

use super::{
    buckets::Run,
    head::Second,
    matrix::{add_product, add_product_of_columns, transposed},
    neurons::{Neurons, through_clipping},
    rows::{Row, WIDTH},
    tiles::{Tile, TileMut},
};

/// Products of each side in a tile.
const PAIRS: usize = WIDTH / 2;

/// What a tile adds to each position's second layer. Positions of one output bucket stand together.
pub(super) fn forward(tile: Tile, runs: &[Run], neurons: &[Neurons], shares: &mut [Second]) {
    let (of_sides, _) = neurons.as_chunks();
    let mut products = Vec::new();
    for Run { bucket, positions } in runs {
        multiply(&of_sides[positions.clone()], &mut products);
        let weights = transposed(of_bucket(tile.outputs, *bucket));
        let shares = &mut shares[positions.clone()];
        shares.fill([0.0; LAYER_1]);
        add_product(shares, Row::numbers(&products), &weights);
    }
}

/// Propagates each position's gradients at its second layer back to the sums of the neurons; the
/// gradients of the tile's weights and biases are added to `gradient`.
pub(super) fn backward(
    (tile, neurons): (Tile<'_>, &[Neurons]),
    (runs, at_second): (&[Run], &[Second]),
    at_sums: &mut [Row],
    gradient: &mut TileMut<'_>,
) {
    let (of_sides, _) = neurons.as_chunks();
    let (at_sums, _) = at_sums.as_chunks_mut();
    let mut products = Vec::new();
    for Run { bucket, positions } in runs {
        let of_sides = &of_sides[positions.clone()];
        multiply(of_sides, &mut products);
        let at_second = &at_second[positions.clone()];
        let gradients = Row::numbers_mut(gradient.outputs);
        let of_weights = &mut gradients.as_chunks_mut::<LAYER_1>().0[*bucket];
        add_product_of_columns(of_weights, at_second, Row::numbers(&products));
        products.fill(Row::ZERO);
        let weights = of_bucket(tile.outputs, *bucket);
        add_product(Row::numbers_mut(&mut products), at_second, weights);
        let at_sums = &mut at_sums[positions.clone()];
        through_products(&products, of_sides, at_sums, gradient.bias);
    }
}

/// The rows of an output bucket.
fn of_bucket(outputs: &[Row], bucket: usize) -> &[[f32; WIDTH]; LAYER_1] {
    &Row::numbers(outputs).as_chunks().0[bucket]
}

/// The products of both sides' neurons, position by position: those of the side to move, then those
/// of the other side.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn multiply(of_sides: &[[Neurons; 2]], products: &mut Vec<Row>) {
    products.clear();
    for [own, other] in of_sides {
        let mut row = Row::ZERO;
        let (of_own, of_other) = row.0.split_at_mut(PAIRS);
        multiply_pairs(own, of_own);
        multiply_pairs(other, of_other);
        products.push(row);
    }
}

#[inline(always)]
fn multiply_pairs(neurons: &Neurons, products: &mut [f32]) {
    for (pair, product) in products.iter_mut().enumerate() {
        *product = neurons.value(pair) * neurons.value(PAIRS + pair);
    }
}

/// From the gradients at the products to those at the sums and at the bias.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn through_products(
    at_products: &[Row],
    of_sides: &[[Neurons; 2]],
    at_sums: &mut [[Row; 2]],
    bias: &mut Row,
) {
    let mut total = *bias;
    for ((at_products, of_sides), at_sums) in at_products.iter().zip(of_sides).zip(at_sums) {
        let at_products = at_products.0.chunks_exact(PAIRS);
        for ((neurons, at_sums), at_products) in of_sides.iter().zip(at_sums).zip(at_products) {
            let (at_first, at_second) = at_sums.0.split_at_mut(PAIRS);
            for pair in 0..PAIRS {
                let (a, b) = (neurons.value(pair), neurons.value(PAIRS + pair));
                at_first[pair] = through_clipping(a, at_products[pair] * b);
                at_second[pair] = through_clipping(b, at_products[pair] * a);
            }
            total.add(at_sums);
        }
    }
    *bias = total;
}
