//! Positions that go through the network together, tile by tile, forward and backward: the
//! network's outputs, their losses, and the losses' gradients.

use super::{
    backward::{backward, gather},
    forward::forward,
    model::Model,
    occurrences::Occurrences,
    record::{Record, RecordFault, Sample},
    tiles::Row,
};

/// Positions of a chunk: their sums of a tile and the tile's weights fit into the L2 cache.
pub(super) const CHUNK: usize = 1024;

#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// Each with the network's output in units of the objective's scale, seen from the side to move.
    positions: Vec<(Sample, f32)>,
    /// For each tile the sums of both perspectives of all positions before the activation.
    sums: Vec<[Row; 2]>,
    occurrences: Occurrences,
}

impl Chunk {
    /// The outputs of other positions, at most [`CHUNK`].
    pub(super) fn forward(
        &mut self,
        model: &Model,
        records: &[Record],
    ) -> Result<&[(Sample, f32)], RecordFault> {
        let layout = &model.layout;
        let biases = model.weights[layout.output_biases()].0;
        self.positions.clear();
        for record in records {
            let sample = Sample::read(record, &model.architecture)?;
            let bias = biases[sample.bucket];
            self.positions.push((sample, bias));
        }
        self.sums
            .resize(records.len() * layout.tiles(), [Row::ZERO; 2]);
        for (number, sums) in self.sums.chunks_mut(records.len().max(1)).enumerate() {
            let tile = layout.tile(&model.weights, number);
            forward(tile, &mut self.positions, sums);
        }
        Ok(&self.positions)
    }

    /// Adds the gradients of the positions that last went forward.
    fn backward(&mut self, model: &Model, gradient: &mut Gradient) {
        let layout = &model.layout;
        let output_biases = &mut gradient.rows[layout.output_biases()].0;
        for (sample, output) in &mut self.positions {
            let (loss, at_output) = model.objective.loss_and_gradient(sample, *output);
            gradient.loss += f64::from(loss);
            output_biases[sample.bucket] += at_output;
            *output = at_output;
        }
        self.occurrences
            .find(&self.positions, layout.shape.features);
        for (number, sums) in self
            .sums
            .chunks_mut(self.positions.len().max(1))
            .enumerate()
        {
            let tile = layout.tile(&model.weights, number);
            let mut gradient = layout.tile_mut(&mut gradient.rows, number);
            backward(tile, &mut gradient, &self.positions, sums);
            gather(gradient.features, &self.occurrences, sums.as_flattened());
        }
    }
}

/// The sums that one thread makes over its share of a batch.
#[derive(Clone, Debug)]
pub(super) struct Gradient {
    /// The gradients, in the form of the parameters.
    pub(super) rows: Vec<Row>,
    pub(super) loss: f64,
}

/// What a thread keeps from batch to batch.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    chunk: Chunk,
    pub(super) gradient: Gradient,
}

impl Worker {
    pub(super) fn new(model: &Model) -> Worker {
        Worker {
            chunk: Chunk::default(),
            gradient: Gradient {
                rows: model.layout.zeros(),
                loss: 0.0,
            },
        }
    }

    /// Finds losses and gradients of these positions alone.
    pub(super) fn find(&mut self, model: &Model, records: &[Record]) -> Result<(), RecordFault> {
        let Worker { chunk, gradient } = self;
        gradient.rows.fill(Row::ZERO);
        gradient.loss = 0.0;
        records.chunks(CHUNK).try_for_each(|records| {
            chunk.forward(model, records)?;
            chunk.backward(model, gradient);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::Architecture;

    use super::*;
    use crate::train::{fixture, target::Objective, tiles::Layout, weights::Shape};

    #[test]
    fn gradients_match_finite_differences() {
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
        let layout = Layout::of(&architecture);
        let gradient = |weights: &[f32]| {
            let model = Model {
                architecture: architecture.clone(),
                layout,
                objective: Objective {
                    score_share: 0.7,
                    scale: 400.0,
                },
                weights: layout.tiled(weights),
            };
            let mut worker = Worker::new(&model);
            worker.find(&model, &records).unwrap();
            worker.gradient
        };
        let found = layout.untiled(&gradient(&weights).rows);

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
