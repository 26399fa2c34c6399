//! The layers behind the second, where there are three: for each output bucket [`HEAD_ROWS`] rows
//! with the biases of the second layer, the weights of the third (a row for each neuron of the
//! second, then one for the square of each), its biases, the output weights, and the output bias.
//!
//! They are so small that a position goes through all of them at once, there and back.

use multiversion::multiversion;
use sextant_eval::nnue::{LAYER_1, LAYER_2};

use super::{
    record::Sample,
    tiles::{Row, WIDTH},
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

/// Draws first weights between bounds that keep the size of what goes through; biases stay zero.
pub(super) fn randomize(head: &mut [f32], between: &mut dyn FnMut(f32) -> f32) {
    let bound = (3.0 / WIDTH as f32).sqrt();
    for part in [WEIGHTS_2..BIASES_2, WEIGHTS_3..BIAS_3] {
        for weight in &mut head[part.start * WIDTH..part.end * WIDTH] {
            *weight = between(bound);
        }
    }
}

/// The sums of the second layer before anything is read: its biases.
pub(super) fn begin(head: &Head) -> Second {
    std::array::from_fn(|neuron| head[BIASES_1].0[neuron])
}

/// What the third layer reads, its sums, and what it says.
struct Activations {
    second: [f32; WIDTH],
    sums: [f32; WIDTH],
    third: [f32; WIDTH],
}

#[inline(always)]
fn through(head: &Head, sums: &Second) -> Activations {
    let mut second = [0.0; WIDTH];
    for (neuron, &sum) in sums.iter().enumerate() {
        let within = sum.clamp(-1.0, 1.0);
        second[neuron] = within.max(0.0);
        second[LAYER_1 + neuron] = within * within;
    }
    let mut sums = head[BIASES_2].0;
    for (activation, weights) in second.iter().zip(&head[WEIGHTS_2..BIASES_2]) {
        for (sum, weight) in sums.iter_mut().zip(&weights.0) {
            *sum += activation * weight;
        }
    }
    Activations {
        second,
        sums,
        third: sums.map(|sum| sum.clamp(0.0, 1.0)),
    }
}

/// Sets each position's output by the sums of its second layer.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn forward(heads: &[Head], positions: &mut [(Sample, f32)], sums: &[Second]) {
    for ((sample, output), sums) in positions.iter_mut().zip(sums) {
        let head = &heads[sample.bucket];
        let third = through(head, sums).third;
        let weighted = third.iter().zip(&head[WEIGHTS_3].0).map(|(a, w)| a * w);
        *output = head[BIAS_3].0[0] + weighted.sum::<f32>();
    }
}

/// Propagates each position's gradient at its output back: the gradients of the weights are added to
/// `gradients`, and the sums of the second layer become the gradients at them.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn backward(
    heads: &[Head],
    gradients: &mut [Head],
    positions: &[(Sample, f32)],
    sums: &mut [Second],
) {
    for ((sample, at_output), sums) in positions.iter().zip(sums) {
        let (head, gradient) = (&heads[sample.bucket], &mut gradients[sample.bucket]);
        let reached = through(head, sums);
        gradient[BIAS_3].0[0] += at_output;
        let mut at_third = [0.0; WIDTH];
        for (neuron, at) in at_third.iter_mut().enumerate() {
            gradient[WEIGHTS_3].0[neuron] += at_output * reached.third[neuron];
            // Flat where the clipping bites.
            if reached.sums[neuron] == reached.third[neuron] {
                *at = at_output * head[WEIGHTS_3].0[neuron];
            }
            gradient[BIASES_2].0[neuron] += *at;
        }
        let mut at_second = [0.0; WIDTH];
        for (input, at_second) in at_second.iter_mut().enumerate() {
            let weights = &head[WEIGHTS_2 + input].0;
            *at_second = weights.iter().zip(&at_third).map(|(w, g)| w * g).sum();
            for (gradient, at) in gradient[WEIGHTS_2 + input].0.iter_mut().zip(&at_third) {
                *gradient += reached.second[input] * at;
            }
        }
        for (neuron, sum) in sums.iter_mut().enumerate() {
            let [plain, squared] = [neuron, LAYER_1 + neuron].map(|input| at_second[input]);
            *sum = match sum.abs() < 1.0 {
                true => 2.0 * *sum * squared + if *sum > 0.0 { plain } else { 0.0 },
                false => 0.0,
            };
            gradient[BIASES_1].0[neuron] += *sum;
        }
    }
}
