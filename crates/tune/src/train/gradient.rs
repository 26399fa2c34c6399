//! One position forward and backward: the network's output, its loss, and the loss's gradient.
//!
//! The inner loops have the shape that the compiler turns into vector instructions: flat ones over
//! slices of equal length (nested ones over blocks became gathers, seven times slower), and sums in
//! [`LANES`] parts, because floating point forbids changing the order of summation. No `mul_add`:
//! without the FMA feature it is a library call, and the loops wait for memory anyway.

use multiversion::multiversion;

use super::{record::Sample, target::Objective, weights::Shape};

/// The sums of both perspectives before the activation.
#[derive(Clone, Debug)]
pub(super) struct Hidden {
    own: Vec<f32>,
    other: Vec<f32>,
}

impl Hidden {
    pub(super) fn new(shape: &Shape) -> Hidden {
        Hidden {
            own: vec![0.0; shape.hidden],
            other: vec![0.0; shape.hidden],
        }
    }

    /// The network's output in units of the objective's scale, seen from the side to move.
    pub(super) fn forward(&mut self, shape: &Shape, weights: &[f32], sample: &Sample) -> f32 {
        let sum_up = |sums: &mut [f32], features: &[u16]| {
            sums.copy_from_slice(&weights[shape.hidden_bias()]);
            for &feature in features {
                add(sums, &weights[shape.feature(feature)]);
            }
        };
        sum_up(&mut self.own, sample.own());
        sum_up(&mut self.other, sample.other());
        let (own, other) = weights[shape.output(sample.bucket)].split_at(shape.hidden);
        let bias = weights[shape.output_biases().start + sample.bucket];
        output(&self.own, own) + output(&self.other, other) + bias
    }
}

/// The sums that one thread makes over its share of a batch.
#[derive(Clone, Debug)]
pub(super) struct Gradient {
    /// The gradients, in the shape of the weights.
    pub(super) values: Vec<f32>,
    pub(super) loss: f64,
    hidden: Hidden,
}

impl Gradient {
    pub(super) fn new(shape: &Shape) -> Gradient {
        Gradient {
            values: vec![0.0; shape.len()],
            loss: 0.0,
            hidden: Hidden::new(shape),
        }
    }

    pub(super) fn clear(&mut self) {
        self.values.fill(0.0);
        self.loss = 0.0;
    }

    pub(super) fn add(
        &mut self,
        shape: &Shape,
        weights: &[f32],
        objective: &Objective,
        sample: &Sample,
    ) {
        let output = self.hidden.forward(shape, weights, sample);
        let (loss, gradient) = objective.loss_and_gradient(sample, output);
        self.loss += f64::from(loss);
        self.backward(shape, weights, sample, gradient);
    }

    /// Adds the gradients of the position that last went forward; `gradient` is that of its output.
    fn backward(&mut self, shape: &Shape, weights: &[f32], sample: &Sample, gradient: f32) {
        let Hidden { own, other } = &mut self.hidden;
        let values = &mut self.values;
        let (own_weights, other_weights) =
            weights[shape.output(sample.bucket)].split_at(shape.hidden);
        let (own_values, other_values) =
            values[shape.output(sample.bucket)].split_at_mut(shape.hidden);
        output_backward(gradient, own, own_weights, own_values);
        output_backward(gradient, other, other_weights, other_values);
        values[shape.output_biases().start + sample.bucket] += gradient;
        add(&mut values[shape.hidden_bias()], own);
        add(&mut values[shape.hidden_bias()], other);
        for &feature in sample.own() {
            add(&mut values[shape.feature(feature)], own);
        }
        for &feature in sample.other() {
            add(&mut values[shape.feature(feature)], other);
        }
    }
}

/// Parts of a sum.
const LANES: usize = 32;

/// `sum += row`, for every element.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn add(sum: &mut [f32], row: &[f32]) {
    for (sum, &row) in sum.iter_mut().zip(row) {
        *sum += row;
    }
}

/// The squared clipped ReLU (SCReLU): 0 below 0, 1 above 1, the square between.
#[inline(always)]
fn screlu(value: f32) -> f32 {
    let clipped = value.clamp(0.0, 1.0);
    clipped * clipped
}

/// The output layer: the weighted sum of the activations of `hidden`, whose length is a multiple of
/// [`LANES`].
#[multiversion(targets("x86_64+avx2"))]
fn output(hidden: &[f32], weights: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let (hidden, _) = hidden.as_chunks::<LANES>();
    let (weights, _) = weights.as_chunks::<LANES>();
    for (hidden, weights) in hidden.iter().zip(weights) {
        for lane in 0..LANES {
            lanes[lane] += screlu(hidden[lane]) * weights[lane];
        }
    }
    lanes.iter().sum()
}

/// Propagates `gradient`, that of the loss at the output, back through the output layer.
///
/// `hidden` comes in as the sums before the activation and goes out as the gradient at those sums;
/// the gradient at the output weights is added to `weight_gradient`.
#[multiversion(targets("x86_64+avx2"))]
fn output_backward(
    gradient: f32,
    hidden: &mut [f32],
    weights: &[f32],
    weight_gradient: &mut [f32],
) {
    let pairs = weights.iter().zip(weight_gradient);
    for (hidden, (&weight, weight_gradient)) in hidden.iter_mut().zip(pairs) {
        let clipped = hidden.clamp(0.0, 1.0);
        *weight_gradient += gradient * clipped * clipped;
        // Flat where the clipping bites.
        let inner = if *hidden == clipped { clipped } else { 0.0 };
        *hidden = 2.0 * gradient * weight * inner;
    }
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::Architecture;

    use super::*;
    use crate::train::fixture;

    #[test]
    fn gradients_match_finite_differences() {
        let objective = Objective {
            score_share: 0.7,
            scale: 400.0,
        };
        let architecture = Architecture::new(32, [0; 32], 4).unwrap();
        let shape = Shape::of(&architecture);
        // Larger than first weights are, so that some neurons are clipped above and the output
        // leaves the straight middle of the curve.
        let weights: Vec<f32> = shape.random(5).iter().map(|weight| 3.0 * weight).collect();
        let records = fixture::positions(40, 7);
        let samples = records
            .iter()
            .map(|record| Sample::read(record, &architecture));
        let samples: Vec<Sample> = samples.map(Result::unwrap).collect();
        let gradient = |weights: &[f32]| {
            let mut gradient = Gradient::new(&shape);
            for sample in &samples {
                gradient.add(&shape, weights, &objective, sample);
            }
            gradient
        };
        let found = gradient(&weights).values;

        let parts = [
            shape.feature(samples[0].own()[0]),
            shape.feature(samples[3].own()[1]),
            shape.feature(samples[9].other()[0]),
            shape.hidden_bias(),
            shape.output(samples[0].bucket),
            shape.output_biases(),
        ];
        let indices: Vec<usize> = parts.into_iter().flatten().collect();
        let (mut steepest, mut wrong) = (0.0_f64, Vec::new());
        for &index in &indices {
            let step = 2e-3;
            let loss = |by: f32| {
                let mut moved = weights.clone();
                moved[index] += by;
                gradient(&moved).loss
            };
            let measured = (loss(step) - loss(-step)) / (2.0 * f64::from(step));
            let found = f64::from(found[index]);
            steepest = steepest.max(found.abs());
            if (found - measured).abs() > 2e-3 + 0.02 * found.abs() {
                wrong.push((index, found, measured));
            }
        }
        // A step may take a neuron over the corner of its activation at 1.
        assert!(wrong.len() * 50 <= indices.len(), "{wrong:?}");
        assert!(steepest > 0.1, "flat gradients show nothing: {steepest}");
    }
}
