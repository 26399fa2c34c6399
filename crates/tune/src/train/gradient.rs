//! One position forwards and backwards: what the network says, how wrong that is, and in which
//! direction every parameter would make it worse.

use super::{kernel, record::Sample, target::Objective, weights::Shape};

/// The sums of both halves before the activation.
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
    pub(super) fn forwards(&mut self, shape: &Shape, weights: &[f32], sample: &Sample) -> f32 {
        let sum_up = |sums: &mut [f32], features: &[u16]| {
            sums.copy_from_slice(&weights[shape.hidden_bias()]);
            for &feature in features {
                kernel::add(sums, &weights[shape.feature(feature)]);
            }
        };
        sum_up(&mut self.own, sample.own());
        sum_up(&mut self.other, sample.other());
        let (own, other) = weights[shape.output(sample.bucket)].split_at(shape.hidden);
        let bias = weights[shape.output_biases().start + sample.bucket];
        kernel::output(&self.own, own) + kernel::output(&self.other, other) + bias
    }

    /// Adds the slopes of the last position that went forwards, `slope` being that of the loss at
    /// its output.
    fn backwards(
        &mut self,
        shape: &Shape,
        weights: &[f32],
        sample: &Sample,
        slope: f32,
        slopes: &mut [f32],
    ) {
        let (own, other) = weights[shape.output(sample.bucket)].split_at(shape.hidden);
        let (own_slopes, other_slopes) =
            slopes[shape.output(sample.bucket)].split_at_mut(shape.hidden);
        kernel::output_backwards(slope, &mut self.own, own, own_slopes);
        kernel::output_backwards(slope, &mut self.other, other, other_slopes);
        slopes[shape.output_biases().start + sample.bucket] += slope;
        kernel::add(&mut slopes[shape.hidden_bias()], &self.own);
        kernel::add(&mut slopes[shape.hidden_bias()], &self.other);
        for &feature in sample.own() {
            kernel::add(&mut slopes[shape.feature(feature)], &self.own);
        }
        for &feature in sample.other() {
            kernel::add(&mut slopes[shape.feature(feature)], &self.other);
        }
    }
}

/// What one thread makes of its share of a batch.
#[derive(Clone, Debug)]
pub(super) struct Gradient {
    /// Sum of the slopes over the share's positions.
    pub(super) slopes: Vec<f32>,
    /// Sum of the losses.
    pub(super) loss: f64,
    hidden: Hidden,
}

impl Gradient {
    pub(super) fn new(shape: &Shape) -> Gradient {
        Gradient {
            slopes: vec![0.0; shape.len()],
            loss: 0.0,
            hidden: Hidden::new(shape),
        }
    }

    /// Begins a batch.
    pub(super) fn clear(&mut self) {
        self.slopes.fill(0.0);
        self.loss = 0.0;
    }

    /// Adds a position.
    pub(super) fn add(
        &mut self,
        shape: &Shape,
        weights: &[f32],
        objective: &Objective,
        sample: &Sample,
    ) {
        let output = self.hidden.forwards(shape, weights, sample);
        let target = objective.target(sample.score, sample.result);
        let (loss, slope) = objective.loss_and_slope(output, target);
        self.loss += f64::from(loss);
        self.hidden
            .backwards(shape, weights, sample, slope, &mut self.slopes);
    }
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::Architecture;

    use super::*;
    use crate::train::fixture;

    const OBJECTIVE: Objective = Objective {
        score_share: 0.7,
        scale: 400.0,
        power: 2.0,
    };

    /// The slopes of a sum of losses, and the sum itself.
    fn gradient(shape: &Shape, weights: &[f32], samples: &[Sample]) -> Gradient {
        let mut gradient = Gradient::new(shape);
        for sample in samples {
            gradient.add(shape, weights, &OBJECTIVE, sample);
        }
        gradient
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let architecture = Architecture::new(32, [0; 32], 4).unwrap();
        let shape = Shape::of(&architecture);
        // Larger than first weights are, so that some neurons are clipped above and the output
        // leaves the straight middle of the curve.
        let weights: Vec<f32> = shape.random(5).iter().map(|weight| 3.0 * weight).collect();
        let records = fixture::positions(40, 7);
        let samples: Vec<Sample> = records
            .iter()
            .map(|record| Sample::read(record, &architecture).unwrap())
            .collect();
        let slopes = gradient(&shape, &weights, &samples).slopes;

        let used = usize::from(samples[3].own()[1]);
        let parts = [
            shape.feature(samples[0].own()[0]),
            shape.feature(used as u16),
            shape.feature(samples[9].other()[0]),
            shape.hidden_bias(),
            shape.output(samples[0].bucket),
            shape.output_biases(),
        ];
        let (mut steepest, mut compared, mut wrong) = (0.0_f64, 0, Vec::new());
        for index in parts.into_iter().flatten() {
            let step = 2e-3;
            let loss = |by: f32| {
                let mut moved = weights.clone();
                moved[index] += by;
                gradient(&shape, &moved, &samples).loss
            };
            let measured = (loss(step) - loss(-step)) / (2.0 * f64::from(step));
            let slope = f64::from(slopes[index]);
            steepest = steepest.max(slope.abs());
            compared += 1;
            if (slope - measured).abs() > 2e-3 + 0.02 * slope.abs() {
                wrong.push((index, slope, measured));
            }
        }
        // A step may take a neuron over the corner of its activation at 1.
        assert!(wrong.len() * 50 <= compared, "of {compared}: {wrong:?}");
        assert!(
            steepest > 0.1,
            "a test of flat slopes shows nothing: {steepest}"
        );
    }
}
