//! The weights of relations between pieces, which the second layer reads beside the products: a row
//! of [`LAYER_1`] for each relation, behind the rows of [`super::head`].
//!
//! A position has a twentieth of them at most, so that each is added on its own.

use multiversion::multiversion;
use sextant_eval::nnue::{LAYER_1, RELATIONS};

use super::{
    head::Second,
    record::Sample,
    rows::{Row, WIDTH},
};

/// Rows of parameters that hold them all.
pub(super) const RELATION_ROWS: usize = RELATIONS * LAYER_1 / WIDTH;

// Nothing is left over.
const _: () = assert!(RELATION_ROWS * WIDTH == RELATIONS * LAYER_1);

/// Adds to each position's sums what its relations weigh.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn forward(rows: &[Row], positions: &[(Sample, f32)], sums: &mut [Second]) {
    let (weights, _) = Row::numbers(rows).as_flattened().as_chunks::<LAYER_1>();
    for ((sample, _), sums) in positions.iter().zip(sums) {
        for &relation in sample.relations() {
            for (sum, weight) in sums.iter_mut().zip(&weights[usize::from(relation)]) {
                *sum += weight;
            }
        }
    }
}

/// Adds each position's gradient at its sums to those of the weights of its relations.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn backward(positions: &[(Sample, f32)], at_sums: &[Second], gradients: &mut [Row]) {
    let gradients = Row::numbers_mut(gradients).as_flattened_mut();
    let (gradients, _) = gradients.as_chunks_mut::<LAYER_1>();
    for ((sample, _), at_sums) in positions.iter().zip(at_sums) {
        for &relation in sample.relations() {
            let gradient = &mut gradients[usize::from(relation)];
            for (gradient, at_sum) in gradient.iter_mut().zip(at_sums) {
                *gradient += at_sum;
            }
        }
    }
}
