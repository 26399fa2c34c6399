//! Positions that go through a tile of the network together, forward and backward.

use sextant_eval::nnue::{Architecture, LAYER_1, Layers};

use super::{
    backward::{backward, gather},
    buckets::{Run, runs},
    forward,
    head::{self, Head, Second},
    model::Model,
    neurons::Neurons,
    pairs,
    perspectives::Perspectives,
    record::{Record, RecordFault, Sample},
    relations,
    rows::Row,
    tiles::{Layout, Tile, TileMut},
};

/// Positions of a chunk: their sums of a tile and the weights of a king bucket fit into the L2
/// cache.
pub(super) const CHUNK: usize = 2048;

#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// Each with the network's output in units of the objective's scale, seen from the side to
    /// move; then with the gradient there. Those of one output bucket stand together.
    positions: Vec<(Sample, f32)>,
    runs: Vec<Run>,
    /// The place at which each came.
    order: Vec<usize>,
    perspectives: Perspectives,
    /// The sums of the second layer, then the gradients at them; none if there is but one layer.
    second: Vec<Second>,
}

impl Chunk {
    /// Takes other positions, at most [`CHUNK`].
    pub(super) fn read(
        &mut self,
        records: &[Record],
        architecture: &Architecture,
    ) -> Result<(), RecordFault> {
        self.positions.clear();
        for record in records {
            self.positions
                .push((Sample::read(record, architecture)?, 0.0));
        }
        self.order.clear();
        self.order.extend(0..records.len());
        self.order
            .sort_by_key(|&number| self.positions[number].0.bucket);
        self.positions.sort_by_key(|(sample, _)| sample.bucket);
        self.runs = runs(&self.positions);
        let features = Layout::of(architecture).shape.features;
        self.perspectives.find(&self.positions, features);
        Ok(())
    }

    pub(super) const fn len(&self) -> usize {
        self.positions.len()
    }

    /// The positions in the order in which they came.
    pub(super) fn in_order(&self) -> Vec<&(Sample, f32)> {
        let mut positions: Vec<_> = self.order.iter().zip(&self.positions).collect();
        positions.sort_by_key(|(number, _)| **number);
        positions.into_iter().map(|(_, one)| one).collect()
    }

    /// What a tile's neurons pass on, and what that adds to each position's output or, with three
    /// layers, to its second layer.
    pub(super) fn forward(
        &self,
        layers: Layers,
        tile: Tile<'_>,
        neurons: &mut [Neurons],
        shares: &mut [f32],
    ) {
        forward::neurons(tile, &self.perspectives, neurons);
        match layers {
            Layers::One => forward::outputs(tile, &self.positions, neurons, shares),
            Layers::Three { .. } => {
                let (shares, _) = shares.as_chunks_mut::<LAYER_1>();
                pairs::forward(tile, &self.runs, neurons, shares);
            }
        }
    }

    /// Finds the outputs from the shares of all tiles.
    pub(super) fn add_up<'a>(&mut self, model: &Model, shares: impl Iterator<Item = &'a [f32]>) {
        let tail = &model.weights[model.layout.tail()];
        match model.layout.shape.layers {
            Layers::One => {
                for (sample, output) in &mut self.positions {
                    *output = tail[0].0[sample.bucket];
                }
                for shares in shares {
                    for ((_, output), share) in self.positions.iter_mut().zip(shares) {
                        *output += share;
                    }
                }
            }
            Layers::Three { .. } => {
                self.second.clear();
                let (tail, related) = model.layout.parts(tail);
                let begin = |(sample, _): &(Sample, f32)| head::begin(&heads(tail)[sample.bucket]);
                self.second.extend(self.positions.iter().map(begin));
                relations::forward(related, &self.positions, &mut self.second);
                for shares in shares {
                    for (sum, share) in self.second.as_flattened_mut().iter_mut().zip(shares) {
                        *sum += share;
                    }
                }
                head::forward(heads(tail), &self.runs, &mut self.positions, &self.second);
            }
        }
    }

    /// Turns from outputs to the gradients there and, with three layers, at the second: the sum of
    /// the losses, and the gradients of the rows behind the last tile.
    pub(super) fn turn(&mut self, model: &Model) -> (f64, Vec<Row>) {
        let mut losses = 0.0;
        for (sample, output) in &mut self.positions {
            let (loss, at_output) = model.objective.loss_and_gradient(sample, *output);
            losses += f64::from(loss);
            *output = at_output;
        }
        let weights = &model.weights[model.layout.tail()];
        let mut tail = vec![Row::ZERO; weights.len()];
        match model.layout.shape.layers {
            Layers::One => {
                for (sample, at_output) in &self.positions {
                    tail[0].0[sample.bucket] += at_output;
                }
            }
            Layers::Three { .. } => {
                let (of_heads, related) = model.layout.parts_mut(&mut tail);
                let (gradients, _) = of_heads.as_chunks_mut();
                let (heads, second) = (heads(weights), &mut self.second);
                head::backward(heads, gradients, &self.runs, &self.positions, second);
                relations::backward(&self.positions, second, related);
            }
        }
        (losses, tail)
    }

    /// Adds the gradients of a tile to `gradient`. `neurons` are what [`Chunk::forward`] left there;
    /// `at_sums` takes the gradients at their sums.
    pub(super) fn backward(
        &self,
        layers: Layers,
        (tile, neurons): (Tile<'_>, &[Neurons]),
        at_sums: &mut [Row],
        gradient: &mut TileMut<'_>,
    ) {
        let forth = (tile, neurons);
        match layers {
            Layers::One => backward(forth, &self.positions, at_sums, gradient),
            Layers::Three { .. } => {
                let behind = (&self.runs[..], &self.second[..]);
                pairs::backward(forth, behind, at_sums, gradient);
            }
        }
        gather(gradient.features, self.perspectives.occurrences(), at_sums);
    }
}

/// The rows behind the last tile, by output bucket.
fn heads(tail: &[Row]) -> &[Head] {
    tail.as_chunks().0
}
