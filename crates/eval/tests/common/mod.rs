//! What several tests need.

use sextant_eval::nnue::{Architecture, FEATURES, Network, Parameters};

/// A small generator of our own, so that a failing seed can be repeated.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn within(&mut self, bound: i16) -> i16 {
        (self.below(2 * bound as usize + 1) as i32 - i32::from(bound)) as i16
    }
}

/// A network with weights of the sizes that training gives.
pub(crate) fn random_network(architecture: Architecture, seed: u64) -> Network {
    let mut random = Random(seed);
    let mut numbers = |count: usize, bound| (0..count).map(|_| random.within(bound)).collect();
    let hidden = usize::from(architecture.hidden());
    let outputs = usize::from(architecture.output_buckets());
    let parameters = Parameters {
        feature_weights: numbers(architecture.king_bucket_count() * FEATURES * hidden, 60),
        feature_biases: numbers(hidden, 100),
        output_weights: numbers(2 * hidden * outputs, 50),
        output_biases: (0..outputs as i32).map(|i| 100 * i).collect(),
        scale: 400,
    };
    Network::new(architecture, &parameters).expect("weights are within their bounds")
}
