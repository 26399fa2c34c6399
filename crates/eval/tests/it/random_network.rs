//! Networks that nobody trained.

use sextant_board::Random;
use sextant_eval::nnue::{
    Architecture, FEATURES, LAYER_1, Layers, Network, Parameters, RELATIONS, Rest, Stack,
};

/// A network with weights of the sizes that training gives.
pub(crate) fn random_network(architecture: Architecture, seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut numbers = |count: usize, bound: i16| {
        let mut number = || random.below(2 * bound as usize + 1) as i16 - bound;
        (0..count).map(|_| number()).collect()
    };
    let hidden = usize::from(architecture.hidden());
    let outputs = usize::from(architecture.output_buckets());
    let [rows, stacks] = match architecture.layers() {
        Layers::One => [outputs, 0],
        Layers::Three { .. } => [0, outputs],
    };
    let relations = if architecture.has_relations() {
        RELATIONS * LAYER_1
    } else {
        0
    };
    let parameters = Parameters {
        feature_weights: numbers(architecture.king_bucket_count() * FEATURES * hidden, 60),
        feature_biases: numbers(hidden, 100),
        output_weights: numbers(2 * hidden * rows, 50),
        relation_weights: numbers(relations, 300),
        output_biases: (0..rows as i32).map(|i| 100 * i).collect(),
        stacks: (0..stacks)
            .map(|_| random_stack(hidden, &mut random))
            .collect(),
        scale: 400,
    };
    Network::new(architecture, &parameters).expect("weights are within their bounds")
}

fn random_stack(hidden: usize, random: &mut Random) -> Stack {
    let mut number = |bound: i32| random.below(2 * bound as usize + 1) as i32 - bound;
    Stack {
        weights_1: (0..LAYER_1 * hidden).map(|_| number(20) as i8).collect(),
        rest: Rest {
            biases_1: std::array::from_fn(|_| number(2_000)),
            weights_2: std::array::from_fn(|_| std::array::from_fn(|_| number(700) as i16)),
            biases_2: std::array::from_fn(|_| number(1_000_000)),
            weights_3: std::array::from_fn(|_| number(700) as i16),
            bias_3: number(100_000),
        },
    }
}
