//! The layers behind the second, where there are three: for each output bucket [`HEAD_ROWS`] rows
//! with the biases of the second layer, the weights of the third (a row for each neuron of the
//! second, then one for the square of each), its biases, the output weights, and the output bias.
//!
//! They are so small that positions go through all of them at once, there and back.

use std::ops::Range;

use multiversion::multiversion;
use sextant_eval::nnue::{LAYER_1, LAYER_2};

use super::{
    buckets::Run,
    matrix::{add_product, add_product_of_columns, transposed},
    record::Sample,
    rows::{Row, WIDTH, total},
};

/// Sums of the second layer, or gradients at them.
pub(super) type Second = [f32; LAYER_1];

/// The rows of an output bucket.
pub(super) type Head = [Row; HEAD_ROWS];

/// Rows of an output bucket.
pub(super) const HEAD_ROWS: usize = BIAS_3 + 1;
const BIASES_1: usize = 0;
const WEIGHTS_2: usize = 1;
const BIASES_2: usize = WEIGHTS_2 + 2 * LAYER_1;
const WEIGHTS_3: usize = BIASES_2 + 1;
const BIAS_3: usize = WEIGHTS_3 + 1;

// A row of the third layer's size, and one for each thing that it reads.
const _: () = assert!(LAYER_2 == WIDTH && 2 * LAYER_1 == WIDTH);

/// The parts of an output bucket, in the order of their rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts<'a> {
    pub(super) biases_1: &'a [f32],
    /// For each thing that is read, the weights of all neurons.
    pub(super) weights_2: &'a [f32],
    pub(super) biases_2: &'a [f32],
    pub(super) weights_3: &'a [f32],
    pub(super) bias_3: f32,
}

impl Parts<'_> {
    /// From the numbers of all rows, one behind the other.
    pub(super) fn of(head: &[f32]) -> Parts<'_> {
        let rows = |first: usize, end: usize| &head[first * WIDTH..end * WIDTH];
        Parts {
            biases_1: &rows(BIASES_1, WEIGHTS_2)[..LAYER_1],
            weights_2: rows(WEIGHTS_2, BIASES_2),
            biases_2: rows(BIASES_2, WEIGHTS_3),
            weights_3: rows(WEIGHTS_3, BIAS_3),
            bias_3: rows(BIAS_3, HEAD_ROWS)[0],
        }
    }
}

/// The output weights and bias among the numbers of all rows, one behind the other.
pub(super) fn output() -> Range<usize> {
    WEIGHTS_3 * WIDTH..HEAD_ROWS * WIDTH
}

/// Draws first weights between bounds that keep the size of what goes through; biases stay zero.
pub(super) fn randomize(head: &mut [f32], between: &mut dyn FnMut(f32) -> f32) {
    let bound = (3.0 / WIDTH as f32).sqrt();
    for part in [WEIGHTS_2..BIASES_2, WEIGHTS_3..BIAS_3] {
        for weight in &mut head[part.start * WIDTH..part.end * WIDTH] {
            *weight = between(bound);
        }
    }
}

/// The weights of the third layer, a row for each thing that it reads.
fn weights_2(head: &Head) -> &[[f32; WIDTH]; WIDTH] {
    let (weights, _) = Row::numbers(&head[WEIGHTS_2..BIASES_2]).as_chunks();
    &weights[0]
}

fn weights_2_mut(head: &mut Head) -> &mut [[f32; WIDTH]; WIDTH] {
    let (weights, _) = Row::numbers_mut(&mut head[WEIGHTS_2..BIASES_2]).as_chunks_mut();
    &mut weights[0]
}

/// The sums of the second layer before anything is read: its biases.
pub(super) fn begin(head: &Head) -> Second {
    std::array::from_fn(|neuron| head[BIASES_1].0[neuron])
}

/// What the third layer reads of each position, and its sums.
struct Reached {
    second: Vec<Row>,
    sums: Vec<Row>,
}

impl Reached {
    fn of(head: &Head, sums: &[Second]) -> Reached {
        let mut second = vec![Row::ZERO; sums.len()];
        activate(sums, &mut second);
        let mut third = vec![head[BIASES_2]; sums.len()];
        let third_numbers = Row::numbers_mut(&mut third);
        add_product(third_numbers, Row::numbers(&second), weights_2(head));
        Reached {
            second,
            sums: third,
        }
    }
}

/// The clipped ReLU of each neuron of the second layer, then the squares.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn activate(sums: &[Second], activations: &mut [Row]) {
    for (sums, activations) in sums.iter().zip(activations) {
        let (plain, squared) = activations.0.split_at_mut(LAYER_1);
        for ((sum, plain), squared) in sums.iter().zip(plain).zip(squared) {
            let within = sum.clamp(-1.0, 1.0);
            *plain = within.max(0.0);
            *squared = within * within;
        }
    }
}

/// Sets each position's output by the sums of its second layer.
pub(super) fn forward(
    heads: &[Head],
    runs: &[Run],
    positions: &mut [(Sample, f32)],
    sums: &[Second],
) {
    for run in runs {
        let (head, part) = (&heads[run.bucket], run.positions.clone());
        let third = Reached::of(head, &sums[part.clone()]).sums;
        weigh(head, &third, &mut positions[part]);
    }
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn weigh(head: &Head, third: &[Row], positions: &mut [(Sample, f32)]) {
    let weights = &head[WEIGHTS_3];
    for (sums, (_, output)) in third.iter().zip(positions) {
        let mut weighted = Row::ZERO;
        for ((weighted, sum), weight) in weighted.0.iter_mut().zip(&sums.0).zip(&weights.0) {
            *weighted = sum.clamp(0.0, 1.0) * weight;
        }
        *output = head[BIAS_3].0[0] + total(weighted);
    }
}

/// Propagates each position's gradient at its output back: the gradients of the weights are added to
/// `gradients`, and the sums of the second layer become the gradients at them.
pub(super) fn backward(
    heads: &[Head],
    gradients: &mut [Head],
    runs: &[Run],
    positions: &[(Sample, f32)],
    sums: &mut [Second],
) {
    for run in runs {
        let (head, gradient) = (&heads[run.bucket], &mut gradients[run.bucket]);
        let part = run.positions.clone();
        let sums = &mut sums[part.clone()];
        let Reached {
            second,
            sums: mut third,
        } = Reached::of(head, sums);
        through_third(head, gradient, &positions[part], &mut third);
        let third = Row::numbers(&third);
        add_product_of_columns(weights_2_mut(gradient), Row::numbers(&second), third);
        let mut at_activations = second;
        at_activations.fill(Row::ZERO);
        let weights = transposed(weights_2(head));
        add_product(Row::numbers_mut(&mut at_activations), third, &weights);
        through_activations(&at_activations, sums, &mut gradient[BIASES_1]);
    }
}

/// Back through the third layer, whose sums become the gradients at them.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn through_third(head: &Head, gradient: &mut Head, positions: &[(Sample, f32)], third: &mut [Row]) {
    let weights = &head[WEIGHTS_3];
    let [mut at_biases, mut at_weights, mut at_bias] = [Row::ZERO, Row::ZERO, Row::ZERO];
    for ((_, at_output), sums) in positions.iter().zip(third) {
        at_bias.0[0] += at_output;
        for neuron in 0..WIDTH {
            let sum = sums.0[neuron];
            let activation = sum.clamp(0.0, 1.0);
            at_weights.0[neuron] += at_output * activation;
            // Flat where the clipping bites.
            let inner = if sum == activation { *at_output } else { 0.0 };
            sums.0[neuron] = inner * weights.0[neuron];
        }
        at_biases.add(sums);
    }
    gradient[BIASES_2].add(&at_biases);
    gradient[WEIGHTS_3].add(&at_weights);
    gradient[BIAS_3].add(&at_bias);
}

/// Back through the activations of the second layer, whose sums become the gradients at them.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn through_activations(at_activations: &[Row], sums: &mut [Second], biases: &mut Row) {
    let mut at_biases = Row::ZERO;
    for (at, sums) in at_activations.iter().zip(sums) {
        let (plain, squared) = at.0.split_at(LAYER_1);
        for (neuron, sum) in sums.iter_mut().enumerate() {
            let at_plain = if *sum > 0.0 { plain[neuron] } else { 0.0 };
            let gradient = at_plain + 2.0 * *sum * squared[neuron];
            *sum = if sum.abs() < 1.0 { gradient } else { 0.0 };
            at_biases.0[neuron] += *sum;
        }
    }
    biases.add(&at_biases);
}
