//! Positions that go through the network together, tile by tile, forward and backward: the
//! network's outputs, their losses, and the losses' gradients.

use sextant_eval::nnue::Layers;

use super::{
    backward::{backward, gather},
    forward::forward,
    head::{self, Head, Second},
    model::Model,
    occurrences::Occurrences,
    pairs,
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
    /// The sums of the second layer, then the gradients at them; none if there is but one layer.
    second: Vec<Second>,
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
        let tail = &model.weights[layout.tail()];
        self.positions.clear();
        self.second.clear();
        for record in records {
            let sample = Sample::read(record, &model.architecture)?;
            let bias = match layout.shape.layers {
                Layers::One => tail[0].0[sample.bucket],
                Layers::Three => {
                    self.second.push(head::begin(&heads(tail)[sample.bucket]));
                    0.0
                }
            };
            self.positions.push((sample, bias));
        }
        self.sums
            .resize(records.len() * layout.tiles(), [Row::ZERO; 2]);
        for (number, sums) in self.sums.chunks_mut(records.len().max(1)).enumerate() {
            let tile = layout.tile(&model.weights, number);
            match layout.shape.layers {
                Layers::One => forward(tile, &mut self.positions, sums),
                Layers::Three => pairs::forward(tile, &self.positions, sums, &mut self.second),
            }
        }
        if layout.shape.layers == Layers::Three {
            head::forward(heads(tail), &mut self.positions, &self.second);
        }
        Ok(&self.positions)
    }

    /// Adds the gradients of the positions that last went forward.
    fn backward(&mut self, model: &Model, gradient: &mut Gradient) {
        let layout = &model.layout;
        for (sample, output) in &mut self.positions {
            let (loss, at_output) = model.objective.loss_and_gradient(sample, *output);
            gradient.loss += f64::from(loss);
            *output = at_output;
        }
        let tail = &mut gradient.rows[layout.tail()];
        match layout.shape.layers {
            Layers::One => {
                for (sample, at_output) in &self.positions {
                    tail[0].0[sample.bucket] += at_output;
                }
            }
            Layers::Three => {
                let (gradients, _) = tail.as_chunks_mut();
                let heads = heads(&model.weights[layout.tail()]);
                head::backward(heads, gradients, &self.positions, &mut self.second);
            }
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
            match layout.shape.layers {
                Layers::One => backward(tile, &mut gradient, &self.positions, sums),
                Layers::Three => {
                    let at_second = &self.second;
                    pairs::backward(tile, &mut gradient, &self.positions, sums, at_second);
                }
            }
            gather(gradient.features, &self.occurrences, sums.as_flattened());
        }
    }
}

/// The rows behind the last tile, by output bucket.
fn heads(tail: &[Row]) -> &[Head] {
    tail.as_chunks().0
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
    use sextant_eval::nnue::{Architecture, FEATURES};

    use super::*;
    use crate::train::{
        fixture,
        target::Objective,
        tiles::{Layout, WIDTH},
    };

    /// A network of random weights, larger than first weights are, so that some neurons are clipped
    /// above and the output leaves the straight middle of the curve.
    fn model(king_buckets: [u8; 32], layers: Layers) -> (Vec<Row>, Model) {
        let architecture = Architecture::new(64, king_buckets, 4).unwrap();
        let architecture = architecture.with_layers(layers).unwrap();
        let layout = Layout::of(&architecture);
        let weights = layout.shape.random(5);
        let weights: Vec<f32> = weights.iter().map(|weight| 3.0 * weight).collect();
        let parameters = layout.parameters(&weights);
        let model = Model {
            architecture,
            layout,
            objective: Objective {
                score_share: 0.7,
                scale: 400.0,
            },
            weights: layout.network(&parameters),
        };
        (parameters, model)
    }

    /// Rows of all kinds that some of the positions use.
    fn rows(layout: &Layout, positions: &[(Sample, f32)]) -> Vec<usize> {
        let sample = |number: usize| &positions[number].0;
        let (shared, bias) = (layout.shared(), layout.shared() + layout.shape.features);
        let features = [sample(0).own()[0], sample(3).own()[1], sample(9).other()[0]];
        let features = features.map(usize::from);
        let common = features.map(|feature| feature % FEATURES);
        let output = bias + 1 + layout.shape.readers() * sample(0).bucket;
        let tail = layout.tail();
        let head = tail.start + tail.len() / 4 * sample(0).bucket;
        let mut rows = vec![bias, output, output + 1];
        match layout.shape.layers {
            Layers::One => rows.push(tail.start),
            Layers::Three => rows.extend(head..head + tail.len() / 4),
        }
        rows.extend(features.map(|feature| shared + feature));
        rows.extend(common.into_iter().filter(|&row| row < shared));
        rows
    }

    #[test]
    fn gradients_match_finite_differences() {
        let by_ranks = std::array::from_fn(|square| u8::from(square >= 16));
        for (king_buckets, layers) in [
            ([0; 32], Layers::One),
            (by_ranks, Layers::One),
            (by_ranks, Layers::Three),
        ] {
            let (parameters, mut model) = model(king_buckets, layers);
            let records = fixture::positions(40, 7);
            let layout = model.layout;
            let mut worker = Worker::new(&model);
            worker.find(&model, &records).unwrap();
            let mut found = worker.gradient.rows.clone();
            found[..layout.tail().start]
                .chunks_mut(layout.tile_rows())
                .for_each(|tile| layout.share(tile));
            let rows = rows(&layout, &worker.chunk.positions);

            let mut loss = |row: usize, neuron: usize, by: f32| {
                let mut moved = parameters.clone();
                moved[row].0[neuron] += by;
                model.weights = layout.network(&moved);
                worker.find(&model, &records).unwrap();
                worker.gradient.loss
            };
            let (mut steepest, mut wrong) = (0.0_f64, Vec::new());
            for (row, neuron) in rows
                .iter()
                .flat_map(|&row| (0..WIDTH).map(move |n| (row, n)))
            {
                let step = 2e-3;
                let difference = loss(row, neuron, step) - loss(row, neuron, -step);
                let measured = difference / (2.0 * f64::from(step));
                let found = f64::from(found[row].0[neuron]);
                steepest = steepest.max(found.abs());
                if (found - measured).abs() > 2e-3 + 0.02 * found.abs() {
                    wrong.push((row, neuron, found, measured));
                }
            }
            // A step may take a neuron over the corner of its activation at 1.
            assert!(wrong.len() * 50 <= rows.len() * WIDTH, "{wrong:?}");
            assert!(steepest > 0.1, "flat gradients show nothing: {steepest}");
        }
    }
}
