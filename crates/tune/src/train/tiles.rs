//! Where parameters stand while they are learned: by tiles of neurons.
//!
//! The first layer adds up rows of weights, and a row of all neurons is longer than the processor's
//! registers, so that each addition would load and store the sum. The sums of [`WIDTH`] neurons
//! stay in registers, and their weights in a cache, while the features of many positions are added.
//!
//! Parameters, their moments and their gradients are arrays of [`Row`]s of the same form. A tile
//! has the rows that its king buckets share ([`super::factorizer`]), a row for each feature, the
//! bias, and for each output bucket the side to move's row of output weights and the other's.
//! Behind the last tile one row holds the output biases.

use std::ops::Range;

use sextant_eval::nnue::Architecture;

use super::weights::Shape;

/// Neurons of a tile: every hidden size is a multiple of it, and the sums of both perspectives fit
/// into the registers of AVX2.
pub(super) const WIDTH: usize = 32;

/// A number for each neuron of a tile, aligned so that no vector load crosses a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [f32; WIDTH]);

impl Row {
    pub(super) const ZERO: Row = Row([0.0; WIDTH]);

    /// From floats in little-endian order.
    pub(super) fn from_bytes(bytes: &[u8; 4 * WIDTH]) -> Row {
        let (floats, _) = bytes.as_chunks();
        Row(std::array::from_fn(|index| {
            f32::from_le_bytes(floats[index])
        }))
    }

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Row) {
        for (sum, &value) in self.0.iter_mut().zip(&other.0) {
            *sum += value;
        }
    }
}

/// Where each part of the parameters stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) shape: Shape,
}

/// The parameters of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile<'a> {
    pub(super) features: &'a [Row],
    pub(super) bias: &'a Row,
    /// For each output bucket the side to move's row and the other's.
    pub(super) outputs: &'a [[Row; 2]],
}

/// The gradients of a tile.
#[derive(Debug)]
pub(super) struct TileMut<'a> {
    pub(super) features: &'a mut [Row],
    pub(super) bias: &'a mut Row,
    pub(super) outputs: &'a mut [[Row; 2]],
}

impl Layout {
    pub(super) fn of(architecture: &Architecture) -> Layout {
        Layout {
            shape: Shape::of(architecture),
        }
    }

    pub(super) fn zeros(&self) -> Vec<Row> {
        vec![Row::ZERO; self.len()]
    }

    /// Rows in all.
    pub(super) fn len(&self) -> usize {
        self.tiles() * self.tile_rows() + 1
    }

    pub(super) fn tiles(&self) -> usize {
        self.shape.hidden / WIDTH
    }

    /// Rows of a tile.
    pub(super) fn tile_rows(&self) -> usize {
        self.shared() + self.shape.features + 1 + 2 * self.shape.outputs
    }

    /// Rows of a tile without the shared ones.
    fn own_rows(&self, number: usize) -> Range<usize> {
        let start = number * self.tile_rows();
        start + self.shared()..start + self.tile_rows()
    }

    pub(super) fn tile<'a>(&self, rows: &'a [Row], number: usize) -> Tile<'a> {
        let (features, rest) = rows[self.own_rows(number)].split_at(self.shape.features);
        Tile {
            features,
            bias: &rest[0],
            outputs: rest[1..].as_chunks().0,
        }
    }

    pub(super) fn tile_mut<'a>(&self, rows: &'a mut [Row], number: usize) -> TileMut<'a> {
        let rows = &mut rows[self.own_rows(number)];
        let (features, rest) = rows.split_at_mut(self.shape.features);
        let (bias, outputs) = rest.split_at_mut(1);
        TileMut {
            features,
            bias: &mut bias[0],
            outputs: outputs.as_chunks_mut().0,
        }
    }

    /// Number of the row with the output biases.
    pub(super) fn output_biases(&self) -> usize {
        self.len() - 1
    }

    /// A network's weights, which stand one row of all neurons after the other (see [`Shape`]). What
    /// king buckets share is zero.
    pub(super) fn tiled(&self, weights: &[f32]) -> Vec<Row> {
        let mut rows = self.zeros();
        self.each_part(|row, part| {
            rows[row].0[..part.len()].copy_from_slice(&weights[part]);
        });
        rows
    }

    /// The opposite of [`Layout::tiled`].
    pub(super) fn untiled(&self, rows: &[Row]) -> Vec<f32> {
        let mut weights = vec![0.0; self.shape.len()];
        self.each_part(|row, part| {
            let length = part.len();
            weights[part].copy_from_slice(&rows[row].0[..length]);
        });
        weights
    }

    /// Calls `found` with the number of each row and the range of a network's weights that it holds.
    fn each_part(&self, mut found: impl FnMut(usize, Range<usize>)) {
        for tile in 0..self.tiles() {
            for (part, row) in self.own_rows(tile).enumerate() {
                let start = part * self.shape.hidden + tile * WIDTH;
                found(row, start..start + WIDTH);
            }
        }
        found(self.output_biases(), self.shape.output_biases());
    }
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::FEATURES;

    use super::*;

    #[test]
    fn weights_come_back_from_their_tiles() {
        let shape = Shape {
            hidden: 3 * WIDTH,
            features: 2 * FEATURES,
            outputs: 4,
        };
        let layout = Layout { shape };
        let weights: Vec<f32> = (0..shape.len()).map(|index| index as f32).collect();
        let rows = layout.tiled(&weights);
        assert_eq!(layout.untiled(&rows), weights);

        let tile = layout.tile(&rows, 1);
        let first = |row: &Row| row.0[0] as usize - WIDTH;
        assert_eq!(first(&tile.features[4]), shape.feature(4).start);
        assert_eq!(first(tile.bias), shape.hidden_bias().start);
        assert_eq!(first(&tile.outputs[3][0]), shape.output(3).start);
        assert_eq!(
            first(&tile.outputs[3][1]),
            shape.output(3).start + shape.hidden
        );
        let biases = rows[layout.output_biases()].0;
        assert_eq!(biases[..4], weights[shape.output_biases()]);
    }
}
