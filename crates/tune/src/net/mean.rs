//! `net mean`: the mean of the weights of networks that come from one. It may play better than the
//! last of them ("stochastic weight averaging", Izmailov and others 2018).

use std::array;

use sextant_cli::failure::Failure;
use sextant_eval::nnue::{Layers, Network, Parameters, Rest, Stack};

/// The network whose weights, and whose scale, are the means of those of `networks`, of which there
/// is one at least, rounded.
///
/// # Errors
/// If their shapes differ, or if they have one layer: its output weights are stretched, those of
/// each network by another factor.
pub(super) fn of(networks: &[Network]) -> Result<Network, Failure> {
    let shape = networks[0].architecture();
    let mut shapes = networks.iter().map(Network::architecture);
    if let Some(other) = shapes.find(|&other| other != shape) {
        return Err(Failure::usage(format!(
            "these networks differ in shape: {shape} and {other}"
        )));
    }
    if shape.layers() == Layers::One {
        return Err(Failure::usage("only networks of three layers have a mean"));
    }
    let all: Vec<Parameters> = networks.iter().map(Network::parameters).collect();
    let stacks = (0..all[0].stacks.len()).map(|bucket| stack(&all, bucket));
    let parameters = Parameters {
        feature_weights: numbers(&all, |of| &of.feature_weights),
        feature_biases: numbers(&all, |of| &of.feature_biases),
        stacks: stacks.collect(),
        relation_weights: numbers(&all, |of| &of.relation_weights),
        scale: mean(&all, |of| of.scale),
        ..Parameters::default()
    };
    Network::new(shape.clone(), &parameters).map_err(Failure::work)
}

fn stack(all: &[Parameters], bucket: usize) -> Stack {
    let rests: Vec<Rest> = all.iter().map(|of| of.stacks[bucket].rest).collect();
    let weights_2 = |to: usize| array::from_fn(|from| mean(&rests, |of| of.weights_2[to][from]));
    Stack {
        weights_1: numbers(all, |of| &of.stacks[bucket].weights_1),
        rest: Rest {
            biases_1: array::from_fn(|neuron| mean(&rests, |of| of.biases_1[neuron])),
            weights_2: array::from_fn(weights_2),
            biases_2: array::from_fn(|neuron| mean(&rests, |of| of.biases_2[neuron])),
            weights_3: array::from_fn(|neuron| mean(&rests, |of| of.weights_3[neuron])),
            bias_3: mean(&rests, |of| of.bias_3),
        },
    }
}

fn numbers<N>(all: &[Parameters], part: impl Fn(&Parameters) -> &[N]) -> Vec<N>
where
    N: Copy + Into<i64> + TryFrom<i64>,
{
    let at = |index: usize| mean(all, |of| part(of)[index]);
    (0..part(&all[0]).len()).map(at).collect()
}

/// Rounded to the nearest, halves away from zero.
fn mean<T, N>(all: &[T], number: impl Fn(&T) -> N) -> N
where
    N: Into<i64> + TryFrom<i64>,
{
    let sum: i64 = all.iter().map(|of| number(of).into()).sum();
    let mean = (sum as f64 / all.len() as f64).round() as i64;
    let mean = N::try_from(mean).ok();
    mean.expect("between the least and the largest")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_rounded() {
        for (numbers, expected) in [
            (&[1_i16, 2, 2][..], 2),
            (&[1, 1, 2], 1),
            (&[-3, -2], -3),
            (&[i16::MIN; 3], i16::MIN),
        ] {
            assert_eq!(mean(numbers, |&number| number), expected, "{numbers:?}");
        }
    }
}
