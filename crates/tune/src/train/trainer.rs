//! A batch at a time: data-parallel gradients, then one step of AdamW.
//!
//! The threads take fixed shares of a batch and their gradients are summed in a fixed order: with
//! the same number of threads a run is the same to the last bit.

use std::ops::Range;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, prelude::*};
use sextant_eval::nnue::Architecture;

use super::{
    adam::{Step, adam_w},
    chunk::{CHUNK, Chunk, Worker},
    model::Model,
    record::{Record, RecordFault, Sample},
    target::{Objective, Target, best_constant},
    tiles::{Layout, Row},
};

/// What a step changes: the parameters and Adam's two moments of their gradients.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    pub(super) weights: Vec<Row>,
    pub(super) means: Vec<Row>,
    pub(super) squares: Vec<Row>,
}

impl State {
    /// Weights without any gradients yet.
    pub(super) fn new(weights: Vec<Row>) -> State {
        State {
            means: vec![Row::ZERO; weights.len()],
            squares: vec![Row::ZERO; weights.len()],
            weights,
        }
    }
}

/// Some rows of the weights, of both moments, and of the network that they make.
type Parts<'a> = (&'a mut [Row], &'a mut [Row], &'a mut [Row], &'a mut [Row]);

/// The weights and all that is needed to improve them.
#[derive(Debug)]
pub(super) struct Trainer {
    pub(super) model: Model,
    pub(super) state: State,
    /// One for each thread.
    workers: Vec<Worker>,
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
        let layout = Layout::of(&architecture);
        let model = Model {
            architecture,
            layout,
            objective,
            weights: layout.network(&state.weights),
        };
        Ok(Trainer {
            workers: vec![Worker::new(&model); threads],
            pool: ThreadPoolBuilder::new().num_threads(threads).build()?,
            model,
            state,
        })
    }

    /// Learns from a batch; returns the sum of its losses before the step. If a record is no
    /// position nothing is learned.
    pub(super) fn learn(&mut self, batch: &[Record], step: Step) -> Result<f64, RecordFault> {
        self.find_gradients(batch)?;
        self.apply(step, 1.0 / batch.len().max(1) as f32);
        Ok(self.workers.iter().map(|worker| worker.gradient.loss).sum())
    }

    fn find_gradients(&mut self, batch: &[Record]) -> Result<(), RecordFault> {
        let share = batch.len().div_ceil(self.workers.len());
        let shares = (0..self.workers.len()).map(|number| {
            let start = (number * share).min(batch.len());
            &batch[start..(start + share).min(batch.len())]
        });
        let shares: Vec<&[Record]> = shares.collect();
        let model = &self.model;
        let work = self.workers.par_iter_mut().zip(shares);
        self.pool
            .install(|| work.try_for_each(|(worker, records)| worker.find(model, records)))
    }

    /// Sums the threads' gradients and moves the weights, tile by tile.
    fn apply(&mut self, step: Step, per_position: f32) {
        let Trainer {
            model,
            state,
            workers,
            pool,
        } = self;
        let (layout, size) = (model.layout, model.layout.tile_rows());
        let tiles = (
            state.weights.par_chunks_mut(size),
            state.means.par_chunks_mut(size),
            state.squares.par_chunks_mut(size),
            model.weights.par_chunks_mut(size),
        );
        let tiles = tiles.into_par_iter().enumerate();
        let step_tile = |(number, (weights, means, squares, network)): (_, Parts<'_>)| {
            let start = number * size;
            let mut gradient = sum(workers, start..start + weights.len(), per_position);
            let is_tile = number < layout.tiles();
            if is_tile {
                layout.share(&mut gradient);
            }
            adam_w(&step, weights, means, squares, &gradient);
            if is_tile {
                layout.clip(weights);
                layout.compose(weights, network);
            } else {
                layout.clip_tail(weights);
                network.copy_from_slice(weights);
            }
        };
        pool.install(|| tiles.for_each(step_tile));
    }

    /// The network's weights, one row of all neurons after the other.
    pub(super) fn weights(&self) -> Vec<f32> {
        self.model.layout.untiled(&self.model.weights)
    }

    /// Positions, each with the network's output in units of the objective's scale, or the fault of
    /// a record that is no position.
    pub(super) fn outputs(&self, records: &[Record]) -> Result<Vec<(Sample, f32)>, RecordFault> {
        Ok(self.of_chunks(records, <[_]>::to_vec)?.concat())
    }

    /// The mean loss over records, 0 for none.
    pub(super) fn mean_loss(&self, records: &[Record]) -> Result<f64, RecordFault> {
        let losses = self.of_chunks(records, |positions| {
            let losses = positions
                .iter()
                .map(|(sample, output)| self.model.objective.of(sample, *output));
            losses.sum::<f64>()
        })?;
        Ok(losses.into_iter().sum::<f64>() / records.len().max(1) as f64)
    }

    /// What `found` makes of the outputs of each chunk of positions.
    fn of_chunks<T: Send>(
        &self,
        records: &[Record],
        found: impl Fn(&[(Sample, f32)]) -> T + Sync,
    ) -> Result<Vec<T>, RecordFault> {
        let of_chunk =
            |chunk: &mut Chunk, records: &[Record]| Ok(found(chunk.forward(&self.model, records)?));
        let chunks = records.par_chunks(CHUNK).map_init(Chunk::default, of_chunk);
        self.pool.install(|| chunks.collect())
    }

    /// The mean loss over records of the best constant expectation.
    pub(super) fn constant_loss(&self, records: &[Record]) -> Result<f64, RecordFault> {
        let targets = records.iter().map(|record| {
            let sample = Sample::read(record, &self.model.architecture)?;
            Ok((self.model.objective.target(&sample), sample.bound))
        });
        let targets = targets.collect::<Result<Vec<Target>, _>>()?;
        Ok(best_constant(&targets))
    }
}

/// The sum of the threads' gradients of some rows, for the mean loss.
fn sum(workers: &[Worker], rows: Range<usize>, per_position: f32) -> Vec<Row> {
    let mut sum = vec![Row::ZERO; rows.len()];
    for worker in workers {
        for (sum, row) in sum.iter_mut().zip(&worker.gradient.rows[rows.clone()]) {
            for (sum, value) in sum.0.iter_mut().zip(row.0) {
                *sum += value * per_position;
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::FEATURES;

    use super::*;
    use crate::train::{fixture, weights::CLIP};

    fn trainer(threads: usize) -> Trainer {
        fixture::trainer(Architecture::new(32, [0; 32], 2).unwrap(), threads)
    }

    #[test]
    fn a_planted_truth_is_found_and_holds_elsewhere() {
        let mut trainer = trainer(2);
        let others = fixture::positions(2_000, 2);
        let before = trainer.mean_loss(&others).unwrap();
        fixture::teach(&mut trainer, 60_000);
        let after = trainer.mean_loss(&others).unwrap();
        assert!(after < 0.1 * before, "{before} -> {after}");
        let bounded = trainer.model.layout.shape.tail().start;
        assert!(
            trainer.weights()[..bounded]
                .iter()
                .all(|weight| weight.abs() <= CLIP)
        );
    }

    #[test]
    fn king_buckets_learn_from_each_other_what_they_share() {
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
            // Shared weights, those of the bucket, and those of the other one.
            let mut moved = before.iter().zip(&trainer.state.weights);
            let mut moved = || {
                moved
                    .by_ref()
                    .take(FEATURES)
                    .filter(|(a, b)| a != b)
                    .count()
            };
            let [shared, own, other] = [moved(), moved(), moved()];
            assert!(shared == own && shared > FEATURES / 2, "{shared} {own}");
            assert_eq!(other, 0);
            let network = trainer.model.layout.network(&trainer.state.weights);
            assert_eq!(network, trainer.model.weights);
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
        let (one, three) = (one.weights(), three.weights());
        let pairs = one.iter().zip(&three);
        let largest = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(largest < 1e-3, "{largest}");
    }
}
