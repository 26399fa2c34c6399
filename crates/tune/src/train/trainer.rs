//! A batch at a time: slopes on several threads, then one step of the optimiser.
//!
//! The threads take fixed shares of a batch and their slopes are summed in a fixed order: with the
//! same number of threads a run is the same to the last bit.

use sextant_eval::nnue::Architecture;

use super::{
    error::RecordFault,
    gradient::{Gradient, Hidden},
    kernel,
    optimiser::Step,
    record::{Record, Sample},
    target::{Objective, sigmoid},
    weights::{CLIP, Shape},
};

/// How much of the slopes of all king buckets each bucket follows besides its own.
///
/// As if a bucket's weights were a sum of its own and of common ones that learn at this share of the
/// rate: what a man is worth with the king on one square says something about the other squares.
const SHARED: f32 = 0.5;

/// What a step changes: the weights and the optimiser's memory of their slopes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) weights: Vec<f32>,
    pub(super) means: Vec<f32>,
    pub(super) squares: Vec<f32>,
}

impl State {
    /// Weights about which nothing is known yet.
    pub(super) fn new(weights: Vec<f32>) -> State {
        State {
            means: vec![0.0; weights.len()],
            squares: vec![0.0; weights.len()],
            weights,
        }
    }
}

/// The weights, and all that is needed to make them better.
#[derive(Debug)]
pub(super) struct Trainer {
    pub(super) architecture: Architecture,
    pub(super) shape: Shape,
    pub(super) objective: Objective,
    pub(super) state: State,
    threads: Vec<Gradient>,
}

impl Trainer {
    /// A trainer that uses `threads` threads, at least one.
    pub(super) fn new(
        architecture: Architecture,
        objective: Objective,
        state: State,
        threads: usize,
    ) -> Trainer {
        let shape = Shape::of(&architecture);
        Trainer {
            threads: vec![Gradient::new(&shape); threads.max(1)],
            architecture,
            shape,
            objective,
            state,
        }
    }

    /// Learns from a batch; returns the sum of its losses before the step.
    ///
    /// # Errors
    /// When a record is no position; nothing is learnt then.
    pub(super) fn learn(
        &mut self,
        batch: &[Record],
        step: u64,
        rate: f32,
        decay: f32,
    ) -> Result<f64, RecordFault> {
        self.find_slopes(batch)?;
        self.share_slopes();
        self.apply(
            Step::new(step, rate, decay),
            1.0 / batch.len().max(1) as f32,
        );
        Ok(self.threads.iter().map(|thread| thread.loss).sum())
    }

    fn find_slopes(&mut self, batch: &[Record]) -> Result<(), RecordFault> {
        let share = batch.len().div_ceil(self.threads.len()).max(1);
        let Trainer {
            architecture,
            shape,
            objective,
            state,
            threads,
        } = self;
        let mut shares = batch.chunks(share);
        let work = |gradient: &mut Gradient, records: &[Record]| {
            gradient.clear();
            for record in records {
                let sample = Sample::read(record, architecture)?;
                gradient.add(shape, &state.weights, objective, &sample);
            }
            Ok(())
        };
        if let [only] = threads.as_mut_slice() {
            return work(only, batch);
        }
        let work = &work;
        std::thread::scope(|scope| {
            let running: Vec<_> = threads
                .iter_mut()
                .map(|gradient| (gradient, shares.next().unwrap_or_default()))
                .map(|(gradient, records)| scope.spawn(move || work(gradient, records)))
                .collect();
            let mut result = Ok(());
            for thread in running {
                let done = thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                result = result.and(done);
            }
            result
        })
    }

    /// Lets every king bucket learn from the others; nothing if there is only one.
    fn share_slopes(&mut self) {
        let (all, size) = (self.shape.feature_weights(), self.shape.king_bucket());
        if all.len() == size {
            return;
        }
        let mut shared = vec![0.0; size];
        let slopes = self
            .threads
            .iter()
            .map(|thread| &thread.slopes[all.clone()]);
        for bucket in slopes.flat_map(|slopes| slopes.chunks(size)) {
            kernel::add(&mut shared, bucket);
        }
        for slope in &mut shared {
            *slope *= SHARED;
        }
        // The threads' slopes are going to be summed: one of them is enough.
        for bucket in self.threads[0].slopes[all].chunks_mut(size) {
            kernel::add(bucket, &shared);
        }
    }

    /// Sums the threads' slopes and moves the weights; each thread has a part of the parameters.
    fn apply(&mut self, step: Step, per_position: f32) {
        let part = self.shape.len().div_ceil(self.threads.len());
        let unbounded = self.shape.output_biases().start;
        let threads = self.threads.as_slice();
        let State {
            weights,
            means,
            squares,
        } = &mut self.state;
        let memory = means.chunks_mut(part).zip(squares.chunks_mut(part));
        let parts = weights.chunks_mut(part).zip(memory).enumerate();
        let work =
            move |index: usize, weights: &mut [f32], means: &mut [f32], squares: &mut [f32]| {
                let start = index * part;
                let mut slopes = vec![0.0; weights.len()];
                for thread in threads {
                    let from = &thread.slopes[start..start + weights.len()];
                    for (slope, &one) in slopes.iter_mut().zip(from) {
                        *slope += one * per_position;
                    }
                }
                // The output biases become 32-bit integers and need no bound.
                let bounded = unbounded.saturating_sub(start).min(weights.len());
                step.apply(
                    CLIP,
                    &mut weights[..bounded],
                    &mut means[..bounded],
                    &mut squares[..bounded],
                    &slopes[..bounded],
                );
                step.apply(
                    f32::INFINITY,
                    &mut weights[bounded..],
                    &mut means[bounded..],
                    &mut squares[bounded..],
                    &slopes[bounded..],
                );
            };
        std::thread::scope(|scope| {
            for (index, (weights, (means, squares))) in parts {
                if threads.len() == 1 {
                    work(index, weights, means, squares);
                } else {
                    scope.spawn(move || work(index, weights, means, squares));
                }
            }
        });
    }

    /// Positions, each with the network's output in units of the objective's scale.
    ///
    /// # Errors
    /// When a record is no position.
    pub(super) fn outputs(&self, records: &[Record]) -> Result<Vec<(Sample, f32)>, RecordFault> {
        let mut hidden = Hidden::new(&self.shape);
        let output = |record| {
            let sample = Sample::read(record, &self.architecture)?;
            let output = hidden.forwards(&self.shape, &self.state.weights, &sample);
            Ok((sample, output))
        };
        records.iter().map(output).collect()
    }

    /// The mean loss over records, 0 for none.
    ///
    /// # Errors
    /// When a record is no position.
    pub(super) fn mean_loss(&self, records: &[Record]) -> Result<f64, RecordFault> {
        let mut hidden = Hidden::new(&self.shape);
        let mut sum = 0.0;
        for record in records {
            let sample = Sample::read(record, &self.architecture)?;
            let output = hidden.forwards(&self.shape, &self.state.weights, &sample);
            let target = self.objective.target(sample.score, sample.result);
            sum += f64::from(self.objective.loss(sigmoid(output), target));
        }
        Ok(sum / records.len().max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::FEATURES;

    use super::*;
    use crate::train::fixture;

    const OBJECTIVE: Objective = Objective {
        score_share: 1.0,
        scale: 400.0,
        power: 2.0,
    };

    fn trainer(threads: usize) -> Trainer {
        let architecture = Architecture::new(32, [0; 32], 2).unwrap();
        let state = State::new(Shape::of(&architecture).random(1));
        Trainer::new(architecture, OBJECTIVE, state, threads)
    }

    #[test]
    fn a_planted_truth_is_found_and_holds_elsewhere() {
        let mut trainer = trainer(2);
        let records = fixture::positions(60_000, 1);
        let others = fixture::positions(2_000, 2);
        let before = trainer.mean_loss(&others).unwrap();
        for (step, batch) in records.chunks(300).enumerate() {
            trainer.learn(batch, step as u64, 0.005, 0.01).unwrap();
        }
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
            let features = sample.own().iter().chain(sample.other());
            features
                .copied()
                .all(|feature| usize::from(feature) < FEATURES)
        };
        let records = fixture::positions(4_000, 1);
        let records: Vec<Record> = records.iter().filter(low).copied().collect();
        let shape = Shape::of(&architecture);
        let first = State::new(shape.random(1));
        for threads in [1, 2] {
            let mut trainer = Trainer::new(architecture.clone(), OBJECTIVE, first.clone(), threads);
            trainer.learn(&records, 0, 0.001, 0.0).unwrap();
            let size = shape.king_bucket();
            let moved: Vec<f32> = first.weights[..2 * size]
                .iter()
                .zip(&trainer.state.weights)
                .map(|(before, after)| after - before)
                .collect();
            // The first step of Adam knows only directions.
            assert!(moved.iter().filter(|&&by| by != 0.0).count() > size);
            let (own, other) = moved.split_at(size);
            assert!(own.iter().zip(other).all(|(a, b)| a * b >= 0.0));
        }
    }

    #[test]
    fn the_number_of_threads_changes_the_last_bits_only() {
        let (mut one, mut three) = (trainer(1), trainer(3));
        let mut again = trainer(3);
        for (step, batch) in fixture::positions(1000, 3).chunks(100).enumerate() {
            let losses = [&mut one, &mut three, &mut again]
                .map(|trainer| trainer.learn(batch, step as u64, 0.001, 0.01).unwrap());
            assert!((losses[0] - losses[1]).abs() < 1e-4);
        }
        assert_eq!(three.state, again.state);
        let pairs = one.state.weights.iter().zip(&three.state.weights);
        let largest = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(largest < 1e-3, "{largest}");
    }

    #[test]
    fn a_bad_record_is_an_error_and_nothing_is_learnt() {
        for threads in [1, 2] {
            let mut trainer = trainer(threads);
            let before = trainer.state.clone();
            let mut batch = fixture::positions(10, 1);
            batch[7][26] = 9;
            assert_eq!(
                trainer.learn(&batch, 0, 0.1, 0.0),
                Err(RecordFault::Result(9))
            );
            assert_eq!(trainer.state, before);
        }
    }
}
