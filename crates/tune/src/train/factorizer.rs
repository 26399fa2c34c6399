//! Weights that all king buckets share (a factorizer).
//!
//! What a piece is worth with the king on one square says something about the other squares. So,
//! where there are several king buckets, a feature's weight is the sum of one that all buckets
//! share and of its bucket's own. Both are parameters with moments and a bound of their own; the
//! sums are the network, which positions meet and which is exported.
//!
//! What takes a slice takes the rows of one tile.

use sextant_eval::nnue::{FEATURES, Layers};

use super::{
    tiles::{Layout, Row},
    weights::{CLIP, HEAD_CLIP},
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
        for tile in rows.chunks_exact_mut(self.tile_rows()) {
            self.factor(tile);
        }
        rows
    }

    /// The network's weights in tiles, for which the shared weights are added to each bucket's.
    pub(super) fn network(&self, parameters: &[Row]) -> Vec<Row> {
        let mut network = parameters.to_vec();
        let size = self.tile_rows();
        let tiles = parameters.chunks_exact(size);
        for (parameters, network) in tiles.zip(network.chunks_exact_mut(size)) {
            self.compose(parameters, network);
        }
        network
    }

    /// [`Layout::network`] of a tile.
    pub(super) fn compose(&self, parameters: &[Row], network: &mut [Row]) {
        network.copy_from_slice(parameters);
        let (shared, own) = network.split_at_mut(self.shared());
        for bucket in own[..self.shape.features].chunks_mut(FEATURES) {
            add(bucket, shared);
        }
    }

    /// Adds the gradients of all king buckets to those of the shared weights.
    pub(super) fn share(&self, gradient: &mut [Row]) {
        let (shared, own) = gradient.split_at_mut(self.shared());
        for bucket in own[..self.shape.features].chunks(FEATURES) {
            add(shared, bucket);
        }
    }

    /// Keeps all weights of a tile within their bounds.
    pub(super) fn clip(&self, weights: &mut [Row]) {
        let (features, others) = weights.split_at_mut(self.shared() + self.shape.features);
        for (rows, bound) in [(features, self.feature_bound()), (others, CLIP)] {
            for row in rows {
                row.0 = row.0.map(|weight| weight.clamp(-bound, bound));
            }
        }
    }

    /// Keeps what stands behind the last tile within its bounds. Output biases become 32-bit integers
    /// and need none.
    pub(super) fn clip_tail(&self, weights: &mut [Row]) {
        if self.shape.layers == Layers::Three {
            for row in weights {
                row.0 = row.0.map(|weight| weight.clamp(-HEAD_CLIP, HEAD_CLIP));
            }
        }
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
fn add(sums: &mut [Row], rows: &[Row]) {
    for (sum, row) in sums.iter_mut().zip(rows) {
        sum.add(row);
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
        for tile in parameters.chunks_exact_mut(layout.tile_rows()) {
            layout.clip(tile);
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
