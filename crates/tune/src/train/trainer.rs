//! A batch at a time: gradients, then one step of AdamW, tile by tile. Whatever the number of
//! threads, a run is the same to the last bit.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, prelude::*};
use sextant_eval::nnue::Architecture;

use super::{
    adam::{Step, adam_w},
    batch::{Batch, OfTile, gradient},
    model::Model,
    record::{Record, RecordFault, Sample},
    refit,
    rows::Row,
    target::{Objective, Target, best_constant},
    tiles::Layout,
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

/// Positions that go through the network at once where nothing is learned.
const BLOCK: usize = 16_384;

/// Some rows of the weights, of both moments, and of the network that they make.
type Parts<'a> = (&'a mut [Row], &'a mut [Row], &'a mut [Row], &'a mut [Row]);

/// The weights and all that is needed to improve them.
#[derive(Debug)]
pub(super) struct Trainer {
    pub(super) model: Model,
    pub(super) state: State,
    batch: Batch,
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
            batch: Batch::default(),
            pool: ThreadPoolBuilder::new().num_threads(threads).build()?,
            model,
            state,
        })
    }

    /// Learns from a batch; returns the sum of its losses before the step. If a record is no
    /// position nothing is learned.
    pub(super) fn learn(&mut self, batch: &[Record], step: Step) -> Result<f64, RecordFault> {
        let Trainer {
            model,
            state,
            batch: positions,
            pool,
        } = self;
        pool.install(|| {
            positions.read(batch, &model.architecture)?;
            positions.forward(model);
            let (loss, tail) = positions.turn(model);
            let mover = Mover {
                layout: model.layout,
                step: step.of_positions(batch.len()),
            };
            mover.move_tiles(state, &mut model.weights, positions);
            mover.move_tail(state, &mut model.weights, &tail);
            Ok(loss)
        })
    }

    /// Fits the outputs of each output bucket to the labels of these records by one factor; returns
    /// the factors.
    pub(super) fn refit(&mut self, records: &[Record]) -> Result<Vec<f32>, RecordFault> {
        let buckets = self.model.layout.shape.outputs;
        let factors = refit::factors(&self.model.objective, &self.outputs(records)?, buckets);
        self.scale_outputs(&factors);
        Ok(factors)
    }

    /// Multiplies the outputs of each output bucket by its factor. Nothing may have been learned yet.
    pub(super) fn scale_outputs(&mut self, factors: &[f32]) {
        let Model {
            layout, weights, ..
        } = &mut self.model;
        let mut scaled = layout.untiled(weights);
        layout.shape.scale_outputs(&mut scaled, factors);
        self.state = State::new(layout.parameters(&scaled));
        *weights = layout.network(&self.state.weights);
    }

    /// The network's weights, one row of all neurons after the other.
    pub(super) fn weights(&self) -> Vec<f32> {
        self.model.layout.untiled(&self.model.weights)
    }

    /// Positions, each with the network's output in units of the objective's scale, or the fault of
    /// a record that is no position.
    pub(super) fn outputs(&self, records: &[Record]) -> Result<Vec<(Sample, f32)>, RecordFault> {
        let mut outputs = Vec::with_capacity(records.len());
        self.each_output(records, |position| outputs.push(position.clone()))?;
        Ok(outputs)
    }

    /// The mean loss over records, 0 for none.
    pub(super) fn mean_loss(&self, records: &[Record]) -> Result<f64, RecordFault> {
        let mut losses = 0.0;
        self.each_output(records, |(sample, output)| {
            losses += self.model.objective.of(sample, *output);
        })?;
        Ok(losses / records.len().max(1) as f64)
    }

    /// Shows `seen` each position with its output.
    fn each_output(
        &self,
        records: &[Record],
        mut seen: impl FnMut(&(Sample, f32)),
    ) -> Result<(), RecordFault> {
        let mut block = Batch::default();
        records.chunks(BLOCK).try_for_each(|records| {
            self.pool.install(|| {
                block.read(records, &self.model.architecture)?;
                block.forward(&self.model);
                Ok(())
            })?;
            block.positions().for_each(&mut seen);
            Ok(())
        })
    }

    /// The mean loss over records of the best constant expectation.
    pub(super) fn constant_loss(&self, records: &[Record]) -> Result<f64, RecordFault> {
        let targets = records.iter().map(|record| {
            let sample = Sample::read(record, &self.model.architecture)?;
            Ok(self.model.objective.target(&sample))
        });
        let targets = targets.collect::<Result<Vec<Target>, _>>()?;
        Ok(best_constant(&targets))
    }
}

/// Moves parameters by a step, and makes the network of them anew.
struct Mover {
    layout: Layout,
    step: Step,
}

impl Mover {
    /// Tile by tile, each as soon as its gradients are there.
    fn move_tiles(&self, state: &mut State, network: &mut [Row], batch: &Batch) {
        let (layout, size) = (&self.layout, self.layout.tile_rows());
        let rows = (
            state.weights.par_chunks_exact_mut(size),
            state.means.par_chunks_exact_mut(size),
            state.squares.par_chunks_exact_mut(size),
            network.par_chunks_exact_mut(size),
        );
        let tiles = rows.into_par_iter().zip(batch.tiles());
        tiles.for_each(
            |((weights, means, squares, network), of_tile): (Parts<'_>, OfTile<'_>)| {
                let mut gradient = gradient(layout, layout.tile_of(network), of_tile);
                layout.share(&mut gradient);
                for (rows, bound) in layout.bounds() {
                    let state = [&mut *weights, &mut *means, &mut *squares];
                    let state = state.map(|all| &mut all[rows.clone()]);
                    adam_w(&self.step, bound, state, &gradient[rows]);
                }
                layout.compose(weights, network);
            },
        );
    }

    /// The rows behind the last tile.
    fn move_tail(&self, state: &mut State, network: &mut [Row], gradient: &[Row]) {
        let tail = self.layout.tail();
        let moved = [&mut state.weights, &mut state.means, &mut state.squares];
        let moved = moved.map(|rows| &mut rows[tail.clone()]);
        adam_w(&self.step, self.layout.tail_bound(), moved, gradient);
        network[tail.clone()].copy_from_slice(&state.weights[tail]);
    }
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
    fn the_number_of_threads_changes_nothing() {
        let (mut one, mut three) = (trainer(1), trainer(3));
        for (number, batch) in (0..).zip(fixture::positions(5000, 3).chunks(2500)) {
            let step = Step::new(number, 0.001, 0.01);
            let losses = [&mut one, &mut three].map(|trainer| trainer.learn(batch, step).unwrap());
            assert_eq!(losses[0].to_bits(), losses[1].to_bits());
        }
        assert_eq!(one.state, three.state);
    }
}
