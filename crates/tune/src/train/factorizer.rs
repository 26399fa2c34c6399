//! Weights that all king buckets share (a factorizer).
//!
//! What a piece is worth with the king on one square says something about the other squares. So,
//! where there are several king buckets, a feature's weight is the sum of one that all buckets
//! share and of its bucket's own. Both are parameters with moments and a bound of their own; the
//! sums are the network, which positions meet and which is exported.
//!
//! What takes a slice takes the rows of one tile.

use std::ops::Range;

use multiversion::multiversion;
use sextant_eval::nnue::{FEATURES, Layers};

use super::{
    rows::Row,
    tiles::Layout,
    weights::{CLIP, HEAD_CLIP, PAIR_CLIP},
};

impl Layout {
    /// Rows of weights that the king buckets of a tile share; none if there is one bucket.
    pub(super) fn shared(&self) -> usize {
        if self.shape.features > FEATURES {
            FEATURES
        } else {
            0
        }
    }

    /// Bound of feature weights: a sum of two is within that of a network's weights.
    pub(super) fn feature_bound(&self) -> f32 {
        if self.shared() > 0 { CLIP / 2.0 } else { CLIP }
    }

    /// Parameters whose sums are a network's weights; the shared ones are the mean over the king
    /// buckets, as far as their bound allows.
    pub(super) fn parameters(&self, weights: &[f32]) -> Vec<Row> {
        let mut rows = self.tiled(weights);
        let tail = self.tail().start;
        for tile in rows[..tail].chunks_exact_mut(self.tile_rows()) {
            self.factor(tile);
        }
        rows
    }

    /// The network's weights in tiles, for which the shared weights are added to each bucket's.
    pub(super) fn network(&self, parameters: &[Row]) -> Vec<Row> {
        let mut network = parameters.to_vec();
        let (size, tail) = (self.tile_rows(), self.tail().start);
        let tiles = parameters[..tail].chunks_exact(size);
        for (parameters, network) in tiles.zip(network.chunks_exact_mut(size)) {
            self.compose(parameters, network);
        }
        network
    }

    /// [`Layout::network`] of a tile.
    pub(super) fn compose(&self, parameters: &[Row], network: &mut [Row]) {
        if self.shared() == 0 {
            return network.copy_from_slice(parameters);
        }
        let (shared, own) = parameters.split_at(self.shared());
        let (to_shared, to_own) = network.split_at_mut(self.shared());
        to_shared.copy_from_slice(shared);
        let features = self.shape.features;
        to_own[features..].copy_from_slice(&own[features..]);
        let buckets = own[..features].chunks(FEATURES);
        for (sums, own) in to_own.chunks_mut(FEATURES).zip(buckets) {
            set_sums(sums, own, shared);
        }
    }

    /// Adds the gradients of all king buckets to those of the shared weights.
    pub(super) fn share(&self, gradient: &mut [Row]) {
        let (shared, own) = gradient.split_at_mut(self.shared());
        for bucket in own[..self.shape.features].chunks(FEATURES) {
            add(shared, bucket);
        }
    }

    /// Bounds of a tile's weights: of those of features, of the bias, and of what reads the neurons.
    pub(super) fn bounds(&self) -> [(Range<usize>, f32); 3] {
        let bias = self.shared() + self.shape.features;
        let readers = match self.shape.layers {
            Layers::One => CLIP,
            Layers::Three { .. } => PAIR_CLIP,
        };
        [
            (0..bias, self.feature_bound()),
            (bias..bias + 1, CLIP),
            (bias + 1..self.tile_rows(), readers),
        ]
    }

    /// Bound of what stands behind the last tile. Output biases become 32-bit integers and need none.
    pub(super) fn tail_bound(&self) -> f32 {
        match self.shape.layers {
            Layers::One => f32::INFINITY,
            Layers::Three { .. } => HEAD_CLIP,
        }
    }

    /// How many of these parameters are beyond their bounds.
    pub(super) fn beyond_bounds(&self, parameters: &[Row]) -> usize {
        let beyond = |rows: &[Row], bound: f32| {
            let numbers = Row::numbers(rows).as_flattened().iter();
            numbers.filter(|number| number.abs() > bound).count()
        };
        let (tiles, tail) = parameters.split_at(self.tail().start);
        let of_tile = |tile: &[Row]| -> usize {
            let parts = self.bounds().into_iter();
            parts.map(|(rows, bound)| beyond(&tile[rows], bound)).sum()
        };
        let in_tiles: usize = tiles.chunks_exact(self.tile_rows()).map(of_tile).sum();
        in_tiles + beyond(tail, self.tail_bound())
    }

    /// Moves what the king buckets have in common into the shared weights.
    fn factor(&self, weights: &mut [Row]) {
        let bound = self.feature_bound();
        let (shared, own) = weights.split_at_mut(self.shared());
        let own = &mut own[..self.shape.features];
        let part = FEATURES as f32 / self.shape.features as f32;
        for (feature, shared) in shared.iter_mut().enumerate() {
            for row in own.iter().skip(feature).step_by(FEATURES) {
                shared.add(row);
            }
            shared.0 = shared.0.map(|sum| (part * sum).clamp(-bound, bound));
            for row in own.iter_mut().skip(feature).step_by(FEATURES) {
                row.add(&Row(shared.0.map(|mean| -mean)));
            }
        }
    }
}

/// Adds rows to as many others; nothing if there are no others.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn add(sums: &mut [Row], rows: &[Row]) {
    let numbers = Row::numbers(rows).as_flattened();
    let sums = Row::numbers_mut(sums).as_flattened_mut();
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

/// Each sum of two rows.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn set_sums(sums: &mut [Row], a: &[Row], b: &[Row]) {
    let [a, b] = [a, b].map(|rows| Row::numbers(rows).as_flattened());
    let sums = Row::numbers_mut(sums).as_flattened_mut();
    for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
        *sum = a + b;
    }
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::Architecture;

    use super::*;

    fn layout(king_buckets: u8) -> Layout {
        let buckets = std::array::from_fn(|square| square as u8 % king_buckets);
        Layout::of(&Architecture::new(64, buckets, 2).unwrap())
    }

    #[test]
    fn parameters_add_up_to_the_network() {
        for king_buckets in [1, 4] {
            let layout = layout(king_buckets);
            let weights = layout.shape.random(1);
            let parameters = layout.parameters(&weights);
            let network = layout.untiled(&layout.network(&parameters));
            let pairs = weights.iter().zip(&network);
            let largest = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(largest < 1e-6, "{king_buckets}: {largest}");
        }
    }

    #[test]
    fn the_buckets_share_their_mean_within_the_bounds() {
        let layout = layout(2);
        let mut weights = vec![0.0; layout.shape.len()];
        let second = layout.shape.king_bucket();
        let cases = [
            // The two weights, their parameters after clipping, and the weights that these make.
            ([0.5, 0.1], [0.3, 0.2, -0.2], [0.5, 0.1]),
            ([CLIP, CLIP], [0.99, 0.99, 0.99], [CLIP, CLIP]),
            ([CLIP, -CLIP], [0.0, 0.99, -0.99], [0.99, -0.99]),
        ];
        for (neuron, ([a, b], ..)) in cases.iter().enumerate() {
            (weights[neuron], weights[second + neuron]) = (*a, *b);
        }
        let mut parameters = layout.parameters(&weights);
        assert_eq!(layout.beyond_bounds(&parameters), 2);
        for tile in parameters.chunks_exact_mut(layout.tile_rows()) {
            for (rows, bound) in layout.bounds() {
                for row in &mut tile[rows] {
                    row.0 = row.0.map(|weight| weight.clamp(-bound, bound));
                }
            }
        }
        let network = layout.untiled(&layout.network(&parameters));
        for (neuron, (_, parts, sums)) in cases.into_iter().enumerate() {
            let rows = [0, FEATURES, 2 * FEATURES];
            for (row, part) in rows.into_iter().zip(parts) {
                assert!((parameters[row].0[neuron] - part).abs() < 1e-6, "{neuron}");
            }
            for (start, sum) in [0, second].into_iter().zip(sums) {
                assert!((network[start + neuron] - sum).abs() < 1e-6, "{neuron}");
            }
        }
    }
}
