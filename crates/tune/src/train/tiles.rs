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
//!
//! With three layers, a tile has neurons of the first half and their partners of the second; for
//! each output bucket it has a row for each neuron of the second layer, which weighs the products of
//! the side to move and then those of the other side. Behind the last tile stand the rows of
//! [`super::head`], then those of [`super::relations`] if there are any.

use std::ops::Range;

use sextant_eval::nnue::{Architecture, Layers};

use super::{
    head::HEAD_ROWS,
    rows::{Row, WIDTH},
    weights::Shape,
};

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
    /// The rows that read the neurons, output bucket by output bucket.
    pub(super) outputs: &'a [Row],
}

/// The gradients of a tile.
#[derive(Debug)]
pub(super) struct TileMut<'a> {
    pub(super) features: &'a mut [Row],
    pub(super) bias: &'a mut Row,
    /// The rows that read the neurons, output bucket by output bucket.
    pub(super) outputs: &'a mut [Row],
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
        self.tail().end
    }

    pub(super) fn tiles(&self) -> usize {
        self.shape.hidden / WIDTH
    }

    /// Rows of a tile.
    pub(super) fn tile_rows(&self) -> usize {
        self.shared() + self.shape.features + 1 + self.shape.readers() * self.shape.outputs
    }

    /// Rows of a tile without the shared ones.
    fn own_rows(&self, number: usize) -> Range<usize> {
        let start = number * self.tile_rows();
        start + self.shared()..start + self.tile_rows()
    }

    /// The parameters of tile `number` of a network.
    pub(super) fn tile<'a>(&self, network: &'a [Row], number: usize) -> Tile<'a> {
        let start = number * self.tile_rows();
        self.tile_of(&network[start..start + self.tile_rows()])
    }

    /// A tile by its rows.
    pub(super) fn tile_of<'a>(&self, rows: &'a [Row]) -> Tile<'a> {
        let (features, rest) = rows[self.shared()..].split_at(self.shape.features);
        Tile {
            features,
            bias: &rest[0],
            outputs: &rest[1..],
        }
    }

    /// The gradients of a tile by its rows.
    pub(super) fn tile_mut<'a>(&self, rows: &'a mut [Row]) -> TileMut<'a> {
        let (features, rest) = rows[self.shared()..].split_at_mut(self.shape.features);
        let (bias, outputs) = rest.split_at_mut(1);
        TileMut {
            features,
            bias: &mut bias[0],
            outputs,
        }
    }

    /// The rows behind the last tile.
    pub(super) fn tail(&self) -> Range<usize> {
        let start = self.tiles() * self.tile_rows();
        let rows = match self.shape.layers {
            Layers::One => 1,
            Layers::Three { .. } => HEAD_ROWS * self.shape.outputs + self.shape.relation_rows(),
        };
        start..start + rows
    }

    /// What stands behind the last tile: before the weights of relations, and they.
    pub(super) fn parts<'a>(&self, tail: &'a [Row]) -> (&'a [Row], &'a [Row]) {
        tail.split_at(tail.len() - self.shape.relation_rows())
    }

    /// The same, to change.
    pub(super) fn parts_mut<'a>(&self, tail: &'a mut [Row]) -> (&'a mut [Row], &'a mut [Row]) {
        tail.split_at_mut(tail.len() - self.shape.relation_rows())
    }

    /// A network's weights, which stand one row of all neurons after the other (see [`Shape`]). What
    /// king buckets share is zero.
    pub(super) fn tiled(&self, weights: &[f32]) -> Vec<Row> {
        let mut rows = self.zeros();
        self.each_part(|row, lane, part| {
            rows[row].0[lane..lane + part.len()].copy_from_slice(&weights[part]);
        });
        rows
    }

    /// The opposite of [`Layout::tiled`].
    pub(super) fn untiled(&self, rows: &[Row]) -> Vec<f32> {
        let mut weights = vec![0.0; self.shape.len()];
        self.each_part(|row, lane, part| {
            let length = part.len();
            weights[part].copy_from_slice(&rows[row].0[lane..lane + length]);
        });
        weights
    }

    /// Calls `found` for every part of a network's weights that stands in one row: with the number of
    /// the row, the part's first place in it, and its range of the weights.
    fn each_part(&self, mut found: impl FnMut(usize, usize, Range<usize>)) {
        const HALF: usize = WIDTH / 2;
        let hidden = self.shape.hidden;
        // How far the halves of a row are apart in the network.
        let apart = match self.shape.layers {
            Layers::One => HALF,
            Layers::Three { .. } => hidden / 2,
        };
        let tile_width = if apart == HALF { WIDTH } else { HALF };
        for tile in 0..self.tiles() {
            for (part, row) in self.own_rows(tile).enumerate() {
                let start = part * hidden + tile * tile_width;
                found(row, 0, start..start + HALF);
                found(row, HALF, start + apart..start + apart + HALF);
            }
        }
        let tail = self.shape.tail();
        for (row, start) in self.tail().zip(tail.clone().step_by(WIDTH)) {
            found(row, 0, start..(start + WIDTH).min(tail.end));
        }
    }
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::FEATURES;

    use super::{super::relations::RELATION_ROWS, *};

    const SHAPE: Shape = Shape {
        hidden: 4 * WIDTH,
        features: 2 * FEATURES,
        outputs: 4,
        layers: Layers::One,
    };

    #[test]
    fn partners_stand_in_one_tile() {
        let shape = Shape {
            layers: Layers::Three { relations: true },
            ..SHAPE
        };
        let layout = Layout { shape };
        let weights: Vec<f32> = (0..shape.len()).map(|index| index as f32).collect();
        let rows = layout.tiled(&weights);
        assert_eq!(layout.untiled(&rows), weights);
        let tile = layout.tile(&rows, 1);
        let at = |row: &Row, lane: usize| row.0[lane] as usize;
        let (half, first) = (shape.hidden / 2, shape.feature(4).start + WIDTH / 2);
        assert_eq!(at(&tile.features[4], 3), first + 3);
        assert_eq!(at(&tile.features[4], 16 + 3), first + half + 3);
        let reader = &tile.outputs[2 * shape.readers() + 5];
        let first = shape.output(2).start + 5 * shape.hidden + WIDTH / 2;
        assert_eq!((at(reader, 0), at(reader, 16)), (first, first + half));
        let tail = layout.tail();
        assert_eq!(tail.len(), 4 * HEAD_ROWS + RELATION_ROWS);
        assert_eq!(
            at(&rows[tail.start + 7], 2),
            shape.tail().start + 7 * WIDTH + 2
        );
    }

    #[test]
    fn weights_come_back_from_their_tiles() {
        let shape = SHAPE;
        let layout = Layout { shape };
        let weights: Vec<f32> = (0..shape.len()).map(|index| index as f32).collect();
        let rows = layout.tiled(&weights);
        assert_eq!(layout.untiled(&rows), weights);

        let tile = layout.tile(&rows, 1);
        let first = |row: &Row| row.0[0] as usize - WIDTH;
        assert_eq!(first(&tile.features[4]), shape.feature(4).start);
        assert_eq!(first(tile.bias), shape.hidden_bias().start);
        let [own, other] = [6, 7].map(|row| first(&tile.outputs[row]));
        assert_eq!(own, shape.output(3).start);
        assert_eq!(other, shape.output(3).start + shape.hidden);
        let biases = rows[layout.tail().start].0;
        assert_eq!(biases[..4], weights[shape.tail()]);
    }
}
