//! Quantization: the trained floats as the engine's integers, and how far these are off.
//!
//! Trained output weights are small against the 127 steps that an integer has for them, and
//! rounding them was most of the integers' error. So they are stretched as far as the engine
//! allows, and the scale in the network's header, by which the engine multiplies at the end, is
//! made smaller instead.

use std::{fmt, ops::Range};

use sextant_cli::failure::Failure;
use sextant_eval::nnue::{
    ACTIVATION_ONE, LAYER_ONE, Layers, MAX_SCALE, Network, OUTPUT_MAX, PAIR_WEIGHT_ONE, Parameters,
    RELATION_ONE, Rest, STACK_WEIGHT_ONE, SUM_ONE, Stack, WEIGHT_ONE,
};

use super::{
    head::{HEAD_ROWS, Parts},
    record::Sample,
    rows::WIDTH,
    target::Objective,
    trainer::Trainer,
    weights::{CLIP, HEAD_CLIP, PAIR_CLIP, Shape},
};

const _: () = assert!((CLIP * WEIGHT_ONE as f32 + 0.5) as i16 <= OUTPUT_MAX);
const _: () = assert!((PAIR_CLIP * PAIR_WEIGHT_ONE as f32 + 0.5) as i32 == i8::MAX as i32);
const _: () = assert!(HEAD_CLIP * RELATION_ONE as f32 + 0.5 < i16::MAX as f32);

/// A larger stretch would make the header's scale too coarse or the sums too large.
const MAX_STRETCH: f32 = 16.0;

/// Largest sum of output weights of one sign, a little below the engine's bound of 516.
const SUM: f32 = 500.0;

/// Positions compared at most: the plain integer network is slow.
const COMPARED: usize = 50_000;

/// The engine's network compared with the floats it was made from; all values in centipawns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Report {
    /// An output of 1 of the floats.
    scale: f32,
    /// The scale in the network's header, which is smaller as the weights are stretched.
    header_scale: i32,
    mean_abs_score: f32,
    mean_abs_output: f32,
    /// Mean and largest |integer value - float value|.
    mean_error: f32,
    max_error: f32,
    compared: usize,
    /// Mean loss against the scores alone and the results alone, whatever the run's blend.
    score_loss: f64,
    result_loss: f64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "loss against scores {:.6}, against results {:.6}; an output of 1 is {:.0} cp (in the \
             header the scale {}, by which weights stretched by {:.2} are multiplied); mean |output| \
             {:.1} cp, mean |score| {:.1} cp; integers against floats: mean |difference| {:.2} cp, \
             most {:.1} cp over {} positions",
            self.score_loss,
            self.result_loss,
            self.scale,
            self.header_scale,
            self.scale / self.header_scale as f32,
            self.mean_abs_output,
            self.mean_abs_score,
            self.mean_error,
            self.max_error,
            self.compared,
        )
    }
}

/// The engine's network, scaled so that its mean |output| over the positions is `mean_abs`, or the
/// mean |score| of the positions; and how close it is to the floats. Positions that tables know have
/// no score that a search gave them and do not count for the means.
pub(super) fn network(
    trainer: &Trainer,
    outputs: &[(Sample, f32)],
    mean_abs: Option<f32>,
) -> Result<(Network, Report), Failure> {
    let mean = |value: fn(&(Sample, f32)) -> f32| {
        let searched = outputs.iter().filter(|(sample, _)| sample.bound.is_some());
        let sum: f64 = searched.clone().map(|one| f64::from(value(one))).sum();
        (sum / searched.count().max(1) as f64) as f32
    };
    let mean_abs_score = mean(|(sample, _)| f32::from(sample.score).abs());
    let mean_output = mean(|(_, output)| output.abs());
    let wanted = mean_abs.unwrap_or(mean_abs_score) / mean_output;
    // There is no such scale if all outputs are 0, and none that says anything if all scores are.
    let scale = Some(wanted).filter(|&wanted| wanted.is_finite() && wanted > 0.0);
    let scale = scale.unwrap_or(trainer.model.objective.scale);
    let (shape, weights) = (&trainer.model.layout.shape, trainer.weights());
    let greatest = greatest_stretch(shape, &weights);
    if scale > greatest * MAX_SCALE as f32 {
        return Err(Failure::work(format!(
            "the outputs have a mean size of {mean_output:.1e}, and no weights can be stretched so \
             far that it is {:.0} centipawns: train longer, or ask for less with \
             --match-mean-abs",
            mean_output * scale
        )));
    }
    let (header_scale, stretch) = stretch(scale, greatest);
    let parameters = quantize(shape, &weights, (header_scale, stretch));
    let network =
        Network::new(trainer.model.architecture.clone(), &parameters).map_err(Failure::work)?;
    let mut report = Report {
        scale,
        header_scale,
        mean_abs_score,
        mean_abs_output: mean_output * scale,
        mean_error: 0.0,
        max_error: 0.0,
        compared: outputs.len().min(COMPARED),
        score_loss: loss(trainer, outputs, 1.0),
        result_loss: loss(trainer, outputs, 0.0),
    };
    for (sample, output) in &outputs[..report.compared] {
        let error = (sample.value(&network) - output * scale).abs();
        report.mean_error += error / report.compared as f32;
        report.max_error = report.max_error.max(error);
    }
    Ok((network, report))
}

/// The mean loss of the floats, with another blend of the target.
fn loss(trainer: &Trainer, outputs: &[(Sample, f32)], score_share: f32) -> f64 {
    let objective = Objective {
        score_share,
        ..trainer.model.objective
    };
    let losses = outputs
        .iter()
        .map(|(sample, output)| objective.of(sample, *output));
    losses.sum::<f64>() / outputs.len().max(1) as f64
}

/// The largest stretch that keeps the output weights within their bound and every sum of them
/// within what the engine adds without overflow. With three layers the last weights are fine enough
/// as they are, and only shrink for a whole number in the header.
fn greatest_stretch(shape: &Shape, weights: &[f32]) -> f32 {
    if shape.layers != Layers::One {
        return 1.0;
    }
    let buckets = (0..shape.outputs).map(|bucket| shape.output(bucket));
    let allowed = buckets.map(|bucket| {
        let sizes = || weights[bucket.clone()].iter().map(|weight| weight.abs());
        let (largest, sum) = (sizes().fold(0.0, f32::max), sizes().sum::<f32>());
        (CLIP / largest).min(SUM / sum)
    });
    allowed.fold(MAX_STRETCH, f32::min)
}

/// The whole number for the header and the stretch whose product is the scale.
fn stretch(scale: f32, greatest: f32) -> (i32, f32) {
    let header = (scale / greatest).ceil().clamp(1.0, MAX_SCALE as f32);
    (header as i32, scale / header)
}

fn quantize(shape: &Shape, weights: &[f32], (scale, stretch): (i32, f32)) -> Parameters {
    let round = |part: Range<usize>, one: f32| {
        let weights = weights[part].iter();
        weights.map(move |&value| (value * one).round())
    };
    let activation = ACTIVATION_ONE as f32;
    let small = |part, one| round(part, one).map(|value| value as i16).collect();
    let parameters = Parameters {
        feature_weights: small(shape.feature_weights(), activation),
        feature_biases: small(shape.hidden_bias(), activation),
        scale,
        ..Parameters::default()
    };
    match shape.layers {
        Layers::One => {
            let weight = WEIGHT_ONE as f32 * stretch;
            let biases = round(shape.tail(), activation * weight);
            Parameters {
                output_weights: small(shape.output_weights(), weight),
                output_biases: biases.map(|value| value as i32).collect(),
                ..parameters
            }
        }
        Layers::Three { .. } => Parameters {
            stacks: (0..shape.outputs)
                .map(|bucket| stack(shape, weights, bucket, stretch))
                .collect(),
            relation_weights: small(shape.relations(), RELATION_ONE as f32),
            ..parameters
        },
    }
}

/// The layers of an output bucket, its output `stretch` times as large.
fn stack(shape: &Shape, weights: &[f32], bucket: usize, stretch: f32) -> Stack {
    let size = HEAD_ROWS * WIDTH;
    let head = Parts::of(&weights[shape.tail()][bucket * size..][..size]);
    let one = |one: i32| move |value: f32| (value * one as f32).round();
    let (weight, sum) = (one(STACK_WEIGHT_ONE), one(SUM_ONE));
    let bias = one(LAYER_ONE * STACK_WEIGHT_ONE);
    let of_input = |input: usize, neuron: usize| head.weights_2[input * WIDTH + neuron];
    Stack {
        weights_1: weights[shape.output(bucket)]
            .iter()
            .map(|&value| one(PAIR_WEIGHT_ONE)(value) as i8)
            .collect(),
        rest: Rest {
            biases_1: std::array::from_fn(|neuron| sum(head.biases_1[neuron]) as i32),
            weights_2: std::array::from_fn(|neuron| {
                std::array::from_fn(|input| weight(of_input(input, neuron)) as i16)
            }),
            biases_2: std::array::from_fn(|neuron| bias(head.biases_2[neuron]) as i32),
            weights_3: std::array::from_fn(|neuron| {
                weight(head.weights_3[neuron] * stretch) as i16
            }),
            bias_3: bias(head.bias_3 * stretch) as i32,
        },
    }
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::{Architecture, FEATURES};

    use super::*;
    use crate::train::{fixture, rows::WIDTH};

    fn architecture() -> Architecture {
        Architecture::new(64, [0; 32], 2).unwrap()
    }

    fn outputs(trainer: &Trainer, count: usize) -> Vec<(Sample, f32)> {
        let positions = fixture::positions(count, 2);
        trainer.outputs(&positions).unwrap()
    }

    #[test]
    fn integers_are_close_to_the_floats() {
        for (layers, most) in [
            (Layers::One, 5.0),
            (Layers::Three { relations: false }, 8.0),
            (Layers::Three { relations: true }, 8.0),
        ] {
            let mut trainer = fixture::trainer(architecture().with_layers(layers).unwrap(), 1);
            fixture::teach(&mut trainer, 30_000);
            let outputs = outputs(&trainer, 1000);
            let (network, report) = self::network(&trainer, &outputs, None).unwrap();
            assert_eq!(Network::from_bytes(&network.to_bytes()).unwrap(), network);
            assert_eq!(report.compared, 1000);
            assert!((1e-9..most).contains(&report.mean_error), "{report}");
            assert!(report.max_error < 40.0, "{report}");
            let off = (report.mean_abs_output - report.mean_abs_score).abs();
            assert!(off < 1.0, "{report}");

            let (_, report) = self::network(&trainer, &outputs, Some(50.0)).unwrap();
            assert!((report.mean_abs_output - 50.0).abs() < 1.0, "{report}");
        }
    }

    #[test]
    fn a_feature_has_the_sum_of_its_shared_and_its_own_weight() {
        let buckets = std::array::from_fn(|square| u8::from(square >= 16));
        let mut trainer = fixture::trainer(Architecture::new(64, buckets, 1).unwrap(), 1);
        fixture::teach(&mut trainer, 3_000);
        let (network, _) = self::network(&trainer, &outputs(&trainer, 10), None).unwrap();
        let weights = network.parameters().feature_weights;
        let layout = &trainer.model.layout;
        for (index, weight) in weights.into_iter().enumerate() {
            let (feature, neuron) = (index / 64, index % 64);
            let tile = &trainer.state.weights[neuron / WIDTH * layout.tile_rows()..];
            let part = |row: usize| tile[row].0[neuron % WIDTH];
            let sum = part(feature % FEATURES) + part(FEATURES + feature);
            assert_eq!(weight, (sum * ACTIVATION_ONE as f32).round() as i16);
        }
    }

    #[test]
    fn the_engine_takes_weights_at_the_bound() {
        let shape = Shape::of(&architecture());
        let mut weights = shape.random(1);
        weights[shape.feature(7)].fill(CLIP);
        weights[shape.output(0)][0] = -CLIP;
        let trainer = fixture::trainer_of(architecture(), &weights, 1);
        assert!(network(&trainer, &outputs(&trainer, 10), None).is_ok());
    }

    #[test]
    fn outputs_near_zero_cannot_be_scaled_up() {
        let mut weights = Shape::of(&architecture()).random(1);
        for weight in &mut weights {
            *weight *= 1e-3;
        }
        let trainer = fixture::trainer_of(architecture(), &weights, 1);
        let error = network(&trainer, &outputs(&trainer, 10), Some(10_000.0)).unwrap_err();
        assert!(error.to_string().contains("--match-mean-abs"), "{error}");
        weights.fill(0.0);
        let trainer = fixture::trainer_of(architecture(), &weights, 1);
        let (_, report) = network(&trainer, &outputs(&trainer, 10), None).unwrap();
        assert_eq!((report.scale, report.mean_abs_output), (400.0, 0.0));
    }
}
