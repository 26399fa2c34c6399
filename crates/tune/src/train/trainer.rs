//! A batch at a time: data-parallel gradients, then one step of AdamW: Adam with decoupled weight
//! decay (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2017).
//!
//! The threads take fixed shares of a batch and their gradients are summed in a fixed order: with
//! the same number of threads a run is the same to the last bit.

use multiversion::multiversion;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, prelude::*};
use sextant_eval::nnue::Architecture;

use super::{
    gradient::{self, Gradient, Hidden},
    record::{Record, RecordFault, Sample},
    target::{Objective, best_constant},
    weights::{CLIP, Shape},
};

/// How much of the gradients of all king buckets each bucket follows besides its own.
///
/// As if a bucket's weights were a sum of its own and of common ones that learn at this share of
/// the rate: what a piece is worth with the king on one square says something about the other
/// squares.
const SHARED: f32 = 0.5;

/// Decay of the moments and what keeps a division finite, as in the paper on Adam.
const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// What a step changes: the weights and Adam's two moments of their gradients.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    pub(super) weights: Vec<f32>,
    pub(super) means: Vec<f32>,
    pub(super) squares: Vec<f32>,
}

impl State {
    /// Weights without any gradients yet.
    pub(super) fn new(weights: Vec<f32>) -> State {
        State {
            means: vec![0.0; weights.len()],
            squares: vec![0.0; weights.len()],
            weights,
        }
    }
}

/// The weights and all that is needed to improve them.
#[derive(Debug)]
pub(super) struct Trainer {
    pub(super) architecture: Architecture,
    pub(super) shape: Shape,
    pub(super) objective: Objective,
    pub(super) state: State,
    /// One for each thread.
    gradients: Vec<Gradient>,
    pool: ThreadPool,
}

impl Trainer {
    /// A trainer with `threads` threads, at least one.
    pub(super) fn new(
        architecture: Architecture,
        objective: Objective,
        state: State,
        threads: usize,
    ) -> Result<Trainer, ThreadPoolBuildError> {
        let shape = Shape::of(&architecture);
        Ok(Trainer {
            gradients: vec![Gradient::new(&shape); threads],
            pool: ThreadPoolBuilder::new().num_threads(threads).build()?,
            architecture,
            shape,
            objective,
            state,
        })
    }

    /// Learns from a batch; returns the sum of its losses before the step. If a record is no
    /// position nothing is learned.
    pub(super) fn learn(&mut self, batch: &[Record], step: Step) -> Result<f64, RecordFault> {
        self.find_gradients(batch)?;
        self.share_gradients();
        self.apply(step, 1.0 / batch.len().max(1) as f32);
        Ok(self.gradients.iter().map(|gradient| gradient.loss).sum())
    }

    fn find_gradients(&mut self, batch: &[Record]) -> Result<(), RecordFault> {
        let Trainer {
            architecture,
            shape,
            objective,
            state,
            gradients,
            pool,
        } = self;
        gradients.iter_mut().for_each(Gradient::clear);
        let share = batch.len().div_ceil(gradients.len()).max(1);
        let work = |(gradient, records): (&mut Gradient, &[Record])| {
            records.iter().try_for_each(|record| {
                let sample = Sample::read(record, architecture)?;
                gradient.add(shape, &state.weights, objective, &sample);
                Ok(())
            })
        };
        let shares = gradients.par_iter_mut().zip(batch.par_chunks(share));
        pool.install(|| shares.try_for_each(work))
    }

    /// Lets every king bucket learn from the others; nothing if there is only one.
    fn share_gradients(&mut self) {
        let (all, size) = (self.shape.feature_weights(), self.shape.king_bucket());
        if all.len() == size {
            return;
        }
        let mut shared = vec![0.0; size];
        for one in &self.gradients {
            for bucket in one.values[all.clone()].chunks(size) {
                gradient::add(&mut shared, bucket);
            }
        }
        for value in &mut shared {
            *value *= SHARED;
        }
        // The threads' gradients are going to be summed: one of them is enough.
        for bucket in self.gradients[0].values[all].chunks_mut(size) {
            gradient::add(bucket, &shared);
        }
    }

    /// Sums the threads' gradients and moves the weights; each thread has a part of the parameters.
    fn apply(&mut self, step: Step, per_position: f32) {
        let part = self.shape.len().div_ceil(self.gradients.len());
        // The output biases become 32-bit integers and need no bound.
        let unbounded = self.shape.output_biases().start;
        let gradients = self.gradients.as_slice();
        let state = &mut self.state;
        let means = state.means.par_chunks_mut(part);
        let moments = means.zip(state.squares.par_chunks_mut(part));
        let parts = state.weights.par_chunks_mut(part).enumerate().zip(moments);
        let work = |((index, weights), (means, squares)): ((usize, &mut [f32]), _)| {
            let start = index * part;
            let mut sum = vec![0.0; weights.len()];
            for gradient in gradients {
                let values = &gradient.values[start..][..weights.len()];
                for (sum, &value) in sum.iter_mut().zip(values) {
                    *sum += value * per_position;
                }
            }
            adam_w(&step, weights, means, squares, &sum);
            let bounded = unbounded.saturating_sub(start).min(weights.len());
            for weight in &mut weights[..bounded] {
                *weight = weight.clamp(-CLIP, CLIP);
            }
        };
        self.pool.install(|| parts.for_each(work));
    }

    /// Positions, each with the network's output in units of the objective's scale, or the fault of
    /// a record that is no position.
    pub(super) fn outputs<'a>(
        &'a self,
        records: &'a [Record],
    ) -> impl Iterator<Item = Result<(Sample, f32), RecordFault>> + 'a {
        let mut hidden = Hidden::new(&self.shape);
        records.iter().map(move |record| {
            let sample = Sample::read(record, &self.architecture)?;
            let output = hidden.forward(&self.shape, &self.state.weights, &sample);
            Ok((sample, output))
        })
    }

    /// The mean loss over records, 0 for none.
    pub(super) fn mean_loss(&self, records: &[Record]) -> Result<f64, RecordFault> {
        let sum = self.outputs(records).try_fold(0.0, |sum, one| {
            let (sample, output) = one?;
            Ok(sum + self.objective.of(&sample, output))
        })?;
        Ok(sum / records.len().max(1) as f64)
    }

    /// The mean loss over records of the best constant expectation.
    pub(super) fn constant_loss(&self, records: &[Record]) -> Result<f64, RecordFault> {
        let targets = records.iter().map(|record| {
            let sample = Sample::read(record, &self.architecture)?;
            Ok(self.objective.target(&sample))
        });
        let targets = targets.collect::<Result<Vec<f32>, _>>()?;
        Ok(best_constant(&targets))
    }
}

/// The numbers that all parameters of a step share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    rate: f32,
    decay: f32,
    mean_correction: f32,
    square_correction: f32,
}

impl Step {
    /// Step number `number`, counted from 0. `decay` is the share of a weight that is lost in a
    /// step of rate 1.
    pub(super) fn new(number: u64, rate: f32, decay: f32) -> Step {
        let power = i32::try_from(number + 1).unwrap_or(i32::MAX);
        Step {
            rate,
            decay: 1.0 - rate * decay,
            mean_correction: 1.0 / (1.0 - BETA_1.powi(power)),
            square_correction: 1.0 / (1.0 - BETA_2.powi(power)),
        }
    }
}

/// Moves parameters against their gradient by a step of AdamW; the gradient is also averaged into
/// `means`, its square into `squares`.
#[multiversion(targets("x86_64+avx2"))]
fn adam_w(
    step: &Step,
    parameters: &mut [f32],
    means: &mut [f32],
    squares: &mut [f32],
    gradient: &[f32],
) {
    let moments = means.iter_mut().zip(squares);
    for ((parameter, &gradient), (mean, square)) in parameters.iter_mut().zip(gradient).zip(moments)
    {
        *mean = BETA_1 * *mean + (1.0 - BETA_1) * gradient;
        *square = BETA_2 * *square + (1.0 - BETA_2) * gradient * gradient;
        let size = (*square * step.square_correction).sqrt() + EPSILON;
        *parameter = *parameter * step.decay - step.rate * *mean * step.mean_correction / size;
    }
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::FEATURES;

    use super::*;
    use crate::train::fixture;

    fn trainer(threads: usize) -> Trainer {
        fixture::trainer(Architecture::new(32, [0; 32], 2).unwrap(), threads)
    }

    #[test]
    fn the_first_step_has_the_size_of_the_rate_and_weights_decay() {
        for (rate, decay, before, gradient, after) in [
            (0.01, 0.0, 0.5, 3.0, 0.49),
            (0.01, 0.0, 0.5, -0.001, 0.51),
            (0.01, 0.0, 0.0, 0.0, 0.0),
            (0.1, 0.5, 1.0, 0.0, 0.95),
        ] {
            let (mut parameters, mut means, mut squares) = ([before], [0.0], [0.0]);
            let step = Step::new(0, rate, decay);
            adam_w(
                &step,
                &mut parameters,
                &mut means,
                &mut squares,
                &[gradient],
            );
            assert!((parameters[0] - after).abs() < 1e-5, "{before} {gradient}");
        }
    }

    #[test]
    fn a_planted_truth_is_found_and_holds_elsewhere() {
        let mut trainer = trainer(2);
        let others = fixture::positions(2_000, 2);
        let before = trainer.mean_loss(&others).unwrap();
        fixture::teach(&mut trainer, 60_000);
        let after = trainer.mean_loss(&others).unwrap();
        assert!(after < 0.1 * before, "{before} -> {after}");
        let weights = &trainer.state.weights[..trainer.shape.output_biases().start];
        assert!(weights.iter().all(|weight| weight.abs() <= CLIP));
    }

    #[test]
    fn king_buckets_learn_from_each_other() {
        // Kings of one bucket only, so that all that the other learns comes from there.
        let buckets = std::array::from_fn(|square| u8::from(square >= 16));
        let architecture = Architecture::new(32, buckets, 1).unwrap();
        let low = |record: &&Record| {
            let sample = Sample::read(record, &architecture).unwrap();
            let mut features = sample.own().iter().chain(sample.other());
            features.all(|&feature| usize::from(feature) < FEATURES)
        };
        let records = fixture::positions(4_000, 1);
        let records: Vec<Record> = records.iter().filter(low).copied().collect();
        for threads in [1, 2] {
            let mut trainer = fixture::trainer(architecture.clone(), threads);
            let before = trainer.state.weights.clone();
            trainer.learn(&records, Step::new(0, 0.001, 0.0)).unwrap();
            let size = trainer.shape.king_bucket();
            let pairs = before[..2 * size].iter().zip(&trainer.state.weights);
            let moved: Vec<f32> = pairs.map(|(before, after)| after - before).collect();
            // The first step of Adam knows only directions.
            assert!(moved.iter().filter(|&&by| by != 0.0).count() > size);
            let (own, other) = moved.split_at(size);
            assert!(own.iter().zip(other).all(|(a, b)| a * b >= 0.0));
        }
    }

    #[test]
    fn the_number_of_threads_changes_the_last_bits_only() {
        let (mut one, mut three, mut again) = (trainer(1), trainer(3), trainer(3));
        for (number, batch) in (0..).zip(fixture::positions(1000, 3).chunks(100)) {
            let step = Step::new(number, 0.001, 0.01);
            let losses = [&mut one, &mut three, &mut again]
                .map(|trainer| trainer.learn(batch, step).unwrap());
            assert!((losses[0] - losses[1]).abs() < 1e-4);
        }
        assert_eq!(three.state, again.state);
        let pairs = one.state.weights.iter().zip(&three.state.weights);
        let largest = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(largest < 1e-3, "{largest}");
    }
}
