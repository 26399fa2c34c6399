//! A batch of positions goes through the network tile by tile, there and back, so that the weights
//! of a tile and their gradients stay in a core's cache. Tiles are what threads share: nothing
//! depends on their number.

use rayon::prelude::*;
use sextant_eval::nnue::{Architecture, LAYER_1, Layers};

use super::{
    chunk::{CHUNK, Chunk},
    model::Model,
    neurons::Neurons,
    record::{Record, RecordFault, Sample},
    rows::Row,
    tiles::{Layout, Tile},
};

#[derive(Debug, Default)]
pub(super) struct Batch {
    chunks: Vec<Chunk>,
    /// For each tile what its neurons pass on, of one chunk's perspectives after the other.
    neurons: Vec<Neurons>,
    /// For each tile what it adds to the outputs or second layers, of one position after the other.
    shares: Vec<f32>,
}

/// The positions of a batch, and what a tile's neurons pass on for them.
pub(super) type OfTile<'a> = (&'a [Chunk], &'a [Neurons]);

impl Batch {
    /// Takes other positions.
    pub(super) fn read(
        &mut self,
        records: &[Record],
        architecture: &Architecture,
    ) -> Result<(), RecordFault> {
        let count = records.len().div_ceil(CHUNK);
        self.chunks.resize_with(count, Chunk::default);
        let chunks = self.chunks.par_iter_mut().zip(records.par_chunks(CHUNK));
        chunks.try_for_each(|(chunk, records)| chunk.read(records, architecture))
    }

    fn len(&self) -> usize {
        self.chunks.iter().map(Chunk::len).sum()
    }

    /// The positions in the order in which they came, each with the network's output.
    pub(super) fn positions(&self) -> impl Iterator<Item = &(Sample, f32)> {
        self.chunks.iter().flat_map(Chunk::in_order)
    }

    /// Finds the outputs of the positions.
    pub(super) fn forward(&mut self, model: &Model) {
        let (layout, layers) = (&model.layout, model.layout.shape.layers);
        let share = match layers {
            Layers::One => 1,
            Layers::Three { .. } => LAYER_1,
        };
        let positions = self.len();
        let perspectives = layout.tiles() * positions * 2;
        self.neurons.resize(perspectives, Neurons::SILENT);
        self.shares.resize(layout.tiles() * positions * share, 0.0);
        if positions == 0 {
            return;
        }
        let neurons = self.neurons.par_chunks_mut(positions * 2);
        let tiles = neurons.zip(self.shares.par_chunks_mut(positions * share));
        let chunks = &self.chunks;
        tiles.enumerate().for_each(|(number, (neurons, shares))| {
            let tile = layout.tile(&model.weights, number);
            let parts = neurons.chunks_mut(CHUNK * 2);
            let parts = parts.zip(shares.chunks_mut(CHUNK * share));
            for (chunk, (neurons, shares)) in chunks.iter().zip(parts) {
                chunk.forward(layers, tile, neurons, shares);
            }
        });
        let of_tiles = self.shares.chunks(positions * share);
        let chunks = self.chunks.par_iter_mut().enumerate();
        chunks.for_each(|(number, chunk)| {
            let start = number * CHUNK * share;
            chunk.add_up(model, of_tiles.clone().map(|shares| &shares[start..]));
        });
    }

    /// Turns from the outputs to the gradients there: the sum of the losses, and the gradients of
    /// the rows behind the last tile.
    pub(super) fn turn(&mut self, model: &Model) -> (f64, Vec<Row>) {
        let chunks = self.chunks.par_iter_mut();
        let parts: Vec<_> = chunks.map(|chunk| chunk.turn(model)).collect();
        let mut tail = vec![Row::ZERO; model.layout.tail().len()];
        for (_, part) in &parts {
            for (sum, row) in tail.iter_mut().zip(part) {
                sum.add(row);
            }
        }
        (parts.iter().map(|(loss, _)| loss).sum(), tail)
    }

    /// What each tile's gradients are found from, with [`gradient`].
    pub(super) fn tiles(&self) -> impl IndexedParallelIterator<Item = OfTile<'_>> {
        let size = 2 * self.len().max(1);
        let chunks = &self.chunks[..];
        let neurons = self.neurons.par_chunks(size);
        neurons.map(move |neurons| (chunks, neurons))
    }
}

/// The gradients of a tile, after [`Batch::turn`]; those that king buckets share are zero.
pub(super) fn gradient(layout: &Layout, tile: Tile<'_>, (chunks, neurons): OfTile<'_>) -> Vec<Row> {
    let mut rows = vec![Row::ZERO; layout.tile_rows()];
    let mut gradient = layout.tile_mut(&mut rows);
    let mut at_sums = vec![Row::ZERO; CHUNK * 2];
    for (chunk, neurons) in chunks.iter().zip(neurons.chunks(CHUNK * 2)) {
        let forth = (tile, neurons);
        chunk.backward(layout.shape.layers, forth, &mut at_sums, &mut gradient);
    }
    rows
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::FEATURES;

    use super::*;
    use crate::train::{fixture, rows::WIDTH, target::Objective};

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
        let relations = tail.end - layout.shape.relation_rows();
        let heads = relations - tail.start;
        let head = tail.start + heads / 4 * sample(0).bucket;
        let mut rows = vec![bias, output, output + 1];
        match layout.shape.layers {
            Layers::One => rows.push(tail.start),
            Layers::Three { .. } => rows.extend(head..head + heads / 4),
        }
        rows.extend(features.map(|feature| shared + feature));
        let related = sample(0).relations().iter().step_by(9);
        rows.extend(related.map(|&relation| relations + usize::from(relation) / 2));
        rows.extend(common.into_iter().filter(|&row| row < shared));
        rows
    }

    #[test]
    fn gradients_match_finite_differences() {
        let by_ranks = std::array::from_fn(|square| u8::from(square >= 16));
        for (king_buckets, layers) in [
            ([0; 32], Layers::One),
            (by_ranks, Layers::One),
            (by_ranks, Layers::Three { relations: false }),
            (by_ranks, Layers::Three { relations: true }),
        ] {
            let (parameters, mut model) = model(king_buckets, layers);
            let records = fixture::positions(40, 7);
            let layout = model.layout;
            let mut batch = Batch::default();
            batch.read(&records, &model.architecture).unwrap();
            batch.forward(&model);
            let (_, tail) = batch.turn(&model);
            let tile_gradient = |(number, of_tile): (usize, OfTile<'_>)| {
                let mut rows = gradient(&layout, layout.tile(&model.weights, number), of_tile);
                layout.share(&mut rows);
                rows
            };
            let found: Vec<Vec<Row>> = batch.tiles().enumerate().map(tile_gradient).collect();
            let found = [found.concat(), tail].concat();
            let positions: Vec<_> = batch.positions().cloned().collect();
            let rows = rows(&layout, &positions);

            let mut loss = |row: usize, neuron: usize, by: f32| {
                let mut moved = parameters.clone();
                moved[row].0[neuron] += by;
                model.weights = layout.network(&moved);
                batch.forward(&model);
                batch.turn(&model).0
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
