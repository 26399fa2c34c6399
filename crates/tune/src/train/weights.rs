//! The network's parameters as floats, in one array, so that gradients, the optimiser's memory and
//! checkpoints are arrays of the same form.

use std::ops::Range;

use sextant_board::Random;
use sextant_eval::nnue::{Architecture, FEATURES, LAYER_1, Layers};

use super::{
    head::{self, HEAD_ROWS},
    relations::RELATION_ROWS,
    rows::WIDTH,
};

/// Bound of all weights that read features or neurons. 1.98 * 64 rounds to 127: the engine's 16-bit products of an activation up
/// to 255 and an output weight then never overflow.
pub(super) const CLIP: f32 = 1.98;

/// Bound of the weights that read products: 0.496 * 256 rounds to 127.
pub(super) const PAIR_CLIP: f32 = 0.496;

/// Bound of the first feature weights.
const FIRST_BOUND: f32 = 0.1;

/// Bound of the weights and biases behind the second layer: with it no sum of the engine's integers
/// overflows.
pub(super) const HEAD_CLIP: f32 = 7.5;

/// Bound of the first weights of a second layer, times the root of its inputs. Most inputs are zero
/// or small, and sums should reach some tenths.
const FIRST_PRODUCT_BOUND: f32 = 4.0;

/// Where each part stands in the array: feature weights (a row of `hidden` for each feature),
/// hidden bias, output weights (for each output bucket the side to move's half, then the other's),
/// output biases. With three layers, for each output bucket a row of `hidden` for each neuron of the
/// second layer, in the place of output weights, and [`HEAD_ROWS`] rows of 32 in that of the biases;
/// then the weights of relations, if the second layer reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) hidden: usize,
    /// Inputs of a perspective, times the king buckets.
    pub(super) features: usize,
    pub(super) outputs: usize,
    pub(super) layers: Layers,
}

impl Shape {
    pub(super) fn of(architecture: &Architecture) -> Shape {
        Shape {
            hidden: usize::from(architecture.hidden()),
            features: architecture.king_bucket_count() * FEATURES,
            outputs: usize::from(architecture.output_buckets()),
            layers: architecture.layers(),
        }
    }

    /// Rows of `hidden` that read the neurons, for each output bucket.
    pub(super) fn readers(&self) -> usize {
        match self.layers {
            Layers::One => 2,
            Layers::Three { .. } => LAYER_1,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.tail().end
    }

    pub(super) fn feature_weights(&self) -> Range<usize> {
        0..self.features * self.hidden
    }

    /// Number of feature weights of a king bucket.
    pub(super) fn king_bucket(&self) -> usize {
        FEATURES * self.hidden
    }

    #[cfg(test)]
    pub(super) fn feature(&self, feature: u16) -> Range<usize> {
        let start = usize::from(feature) * self.hidden;
        start..start + self.hidden
    }

    pub(super) fn hidden_bias(&self) -> Range<usize> {
        behind(self.feature_weights(), self.hidden)
    }

    pub(super) fn output_weights(&self) -> Range<usize> {
        behind(
            self.hidden_bias(),
            self.readers() * self.hidden * self.outputs,
        )
    }

    pub(super) fn output(&self, bucket: usize) -> Range<usize> {
        let size = self.readers() * self.hidden;
        let start = self.output_weights().start + size * bucket;
        start..start + size
    }

    /// What reads no neuron: the output biases, or the layers behind the second.
    pub(super) fn tail(&self) -> Range<usize> {
        let each = match self.layers {
            Layers::One => 1,
            Layers::Three { .. } => HEAD_ROWS * WIDTH,
        };
        let relations = self.relation_rows() * WIDTH;
        behind(self.output_weights(), each * self.outputs + relations)
    }

    /// Rows of the weights of relations, behind everything else.
    pub(super) fn relation_rows(&self) -> usize {
        match self.layers {
            Layers::Three { relations: true } => RELATION_ROWS,
            _ => 0,
        }
    }

    /// The weights of relations.
    pub(super) fn relations(&self) -> Range<usize> {
        let end = self.len();
        end - self.relation_rows() * WIDTH..end
    }

    /// Random first weights, evenly distributed between bounds that make the sums before the
    /// activation reach about half its range for a full board, and the output some hundredths.
    pub(super) fn random(&self, seed: u64) -> Vec<f32> {
        let mut random = Random::new(seed);
        let mut between = |bound: f32| {
            // 24 bits: what a float holds exactly.
            let unit = (random.next_u64() >> 40) as f32 / (1_u64 << 24) as f32;
            (2.0 * unit - 1.0) * bound
        };
        let mut weights = vec![0.0; self.len()];
        for weight in &mut weights[self.feature_weights()] {
            *weight = between(FIRST_BOUND);
        }
        let output_bound = match self.layers {
            Layers::One => 1.0 / (2.0 * self.hidden as f32).sqrt(),
            Layers::Three { .. } => FIRST_PRODUCT_BOUND / (self.hidden as f32).sqrt(),
        };
        for weight in &mut weights[self.output_weights()] {
            *weight = between(output_bound);
        }
        if self.layers != Layers::One {
            let heads = self.tail().start..self.relations().start;
            for head in weights[heads].chunks_mut(HEAD_ROWS * WIDTH) {
                head::randomize(head, &mut between);
            }
        }
        weights
    }

    /// Multiplies the outputs of each output bucket by its factor.
    pub(super) fn scale_outputs(&self, weights: &mut [f32], factors: &[f32]) {
        for (bucket, &factor) in factors.iter().enumerate() {
            let tail = self.tail().start;
            let parts = match self.layers {
                Layers::One => [self.output(bucket), tail + bucket..tail + bucket + 1],
                Layers::Three { .. } => {
                    let head = tail + bucket * HEAD_ROWS * WIDTH;
                    let output = head::output();
                    [head + output.start..head + output.end, 0..0]
                }
            };
            for weight in parts.into_iter().flatten() {
                weights[weight] *= factor;
            }
        }
    }

    /// First weights from another network's, which may have fewer neurons and fewer buckets.
    /// The output stays the same: each new output bucket begins as the one that had its positions,
    /// each new king bucket as the one that `origins` names for it, and new neurons are random but
    /// have output weights of 0. `None` if that is impossible; with more layers only the same shape
    /// can begin, or that without relations, whose weights are then 0.
    pub(super) fn adopted(
        &self,
        from: &Shape,
        weights: &[f32],
        origins: &[usize],
        seed: u64,
    ) -> Option<Vec<f32>> {
        if self.layers != Layers::One || from.layers != Layers::One {
            let layers = from.layers != Layers::One && from.relation_rows() <= self.relation_rows();
            let shape = Shape {
                layers: self.layers,
                ..*from
            };
            let same = layers && *self == shape && origins.iter().copied().eq(0..origins.len());
            return same.then(|| {
                let mut adopted = weights.to_vec();
                adopted.resize(self.len(), 0.0);
                adopted
            });
        }
        let outputs = self.outputs.is_multiple_of(from.outputs);
        if from.hidden > self.hidden || !outputs || weights.len() != from.len() {
            return None;
        }
        let mut adopted = self.random(seed);
        let features = adopted[self.feature_weights()].chunks_mut(self.king_bucket());
        // Rows of the hidden size, each to the beginning of one that may be wider.
        let copy = |rows: &mut [f32], old: &[f32]| {
            let old_rows = old.chunks(from.hidden);
            for (row, old) in rows.chunks_mut(self.hidden).zip(old_rows) {
                row[..from.hidden].copy_from_slice(old);
            }
        };
        for (features, &origin) in features.zip(origins) {
            copy(
                features,
                &weights[origin * from.king_bucket()..][..from.king_bucket()],
            );
        }
        copy(
            &mut adopted[self.hidden_bias()],
            &weights[from.hidden_bias()],
        );
        adopted[self.output_weights()].fill(0.0);
        for bucket in 0..self.outputs {
            let old = bucket * from.outputs / self.outputs;
            copy(
                &mut adopted[self.output(bucket)],
                &weights[from.output(old)],
            );
            adopted[self.tail()][bucket] = weights[from.tail()][old];
        }
        Some(adopted)
    }
}

fn behind(part: Range<usize>, length: usize) -> Range<usize> {
    part.end..part.end + length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::fixture;

    /// More neurons, a finer division of the king's squares and more output buckets.
    #[test]
    fn adopted_weights_leave_the_output_as_it_was() {
        let buckets = |rows: [u8; 8]| std::array::from_fn(|square| rows[square / 4]);
        let coarse = Architecture::new(32, buckets([0, 0, 1, 1, 1, 1, 1, 1]), 2).unwrap();
        let fine = Architecture::new(96, buckets([1, 3, 0, 0, 2, 2, 2, 2]), 4).unwrap();
        let (from, to) = (Shape::of(&coarse), Shape::of(&fine));
        let mut old = from.random(3);
        for (index, bias) in old[from.tail()].iter_mut().enumerate() {
            *bias = index as f32;
        }
        let new = to.adopted(&from, &old, &[1, 0, 1, 0], 4).unwrap();
        let records = fixture::positions(500, 5);
        let outputs = |architecture, weights| {
            let trainer = fixture::trainer_of(architecture, weights, 1);
            trainer.outputs(&records).unwrap()
        };
        let pairs = outputs(coarse, &old).into_iter().zip(outputs(fine, &new));
        for ((_, before), (_, after)) in pairs {
            assert!((before - after).abs() < 1e-5, "{before} {after}");
        }
        // New neurons are not all the same, or they would learn the same.
        let row = &new[to.feature(7)];
        assert!(row[32..].windows(2).all(|pair| pair[0] != pair[1]));

        let smaller = [Shape { hidden: 64, ..to }, Shape { outputs: 2, ..to }];
        for shape in smaller {
            assert_eq!(shape.adopted(&to, &new, &[0, 1, 2, 3], 4), None);
        }
        assert_eq!(to.adopted(&from, &old[1..], &[1, 0, 1, 0], 4), None);
    }

    /// Two king buckets that change their numbers are other ones.
    #[test]
    fn with_three_layers_the_same_network_alone_can_begin() {
        let architecture = Architecture::new(64, std::array::from_fn(|at| (at / 16) as u8), 2);
        let deep = architecture.and_then(|one| one.with_layers(Layers::Three { relations: true }));
        let shape = Shape::of(&deep.unwrap());
        let weights = shape.random(3);
        let same = shape.adopted(&shape, &weights, &[0, 1], 4);
        assert_eq!(same.as_deref(), Some(&weights[..]));
        assert_eq!(shape.adopted(&shape, &weights, &[1, 0], 4), None);
        let wider = Shape {
            hidden: 128,
            ..shape
        };
        assert_eq!(wider.adopted(&shape, &weights, &[0, 1], 4), None);
        let unrelated = Shape {
            layers: Layers::Three { relations: false },
            ..shape
        };
        let (old, relations) = weights.split_at(shape.relations().start);
        let adopted = shape.adopted(&unrelated, old, &[0, 1], 4).unwrap();
        assert_eq!(adopted, [old, &vec![0.0; relations.len()]].concat());
        assert_eq!(unrelated.adopted(&shape, &weights, &[0, 1], 4), None);
    }
}
