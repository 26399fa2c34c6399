//! The trained floats as the engine's integers, and what that changes.

use std::fmt;

use sextant_eval::nnue::{
    ACTIVATION_ONE, MAX_SCALE, NetError, Network, OUTPUT_MAX, Parameters, WEIGHT_ONE,
};

use super::{record::Sample, trainer::Trainer, weights::CLIP};

const _: () = assert!((CLIP * WEIGHT_ONE as f32 + 0.5) as i16 <= OUTPUT_MAX + 1);

/// Most positions of which the slow plain integer network is asked.
const COMPARED: usize = 50_000;

/// What the engine's network says, compared with the floats it was made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Report {
    /// Centipawns for an output of 1.
    pub(super) scale: i32,
    /// Mean |score| of the positions in centipawns.
    pub(super) mean_abs_score: f32,
    /// Mean |output| in centipawns, after scaling.
    pub(super) mean_abs_output: f32,
    /// Mean |integer value - float value| in centipawns.
    pub(super) mean_error: f32,
    /// Largest |integer value - float value| in centipawns.
    pub(super) max_error: f32,
    /// Positions compared.
    pub(super) compared: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "scale {}: mean |output| {:.1} cp, mean |score| {:.1} cp; integers against floats: mean \
             |difference| {:.2} cp, most {:.1} cp over {} positions",
            self.scale,
            self.mean_abs_output,
            self.mean_abs_score,
            self.mean_error,
            self.max_error,
            self.compared,
        )
    }
}

/// The engine's network, scaled so that its mean |output| over the positions is `mean_abs`, or the
/// mean |score| of the positions; and how well it keeps to the floats.
///
/// # Errors
/// When the engine would refuse it.
pub(super) fn network(
    trainer: &Trainer,
    outputs: &[(Sample, f32)],
    mean_abs: Option<f32>,
) -> Result<(Network, Report), NetError> {
    let mean = |value: fn(&(Sample, f32)) -> f32| {
        let sum: f64 = outputs.iter().map(|one| f64::from(value(one))).sum();
        (sum / outputs.len().max(1) as f64) as f32
    };
    let mean_abs_score = mean(|(sample, _)| f32::from(sample.score).abs());
    let mean_output = mean(|(_, output)| output.abs());
    let scale = scale(mean_abs.unwrap_or(mean_abs_score), mean_output)
        .unwrap_or(trainer.objective.scale.round() as i32);
    let network = Network::new(trainer.architecture.clone(), &quantise(trainer, scale))?;
    let mut report = Report {
        scale,
        mean_abs_score,
        mean_abs_output: mean_output * scale as f32,
        mean_error: 0.0,
        max_error: 0.0,
        compared: outputs.len().min(COMPARED),
    };
    for (sample, output) in &outputs[..report.compared] {
        let own = sample.own().iter().map(|&feature| feature.into());
        let other = sample.other().iter().map(|&feature| feature.into());
        let value = network.value_of(own, other, sample.bucket);
        let error = (value as f32 - output * scale as f32).abs();
        report.mean_error += error / report.compared as f32;
        report.max_error = report.max_error.max(error);
    }
    Ok((network, report))
}

/// The scale that makes the mean what is wanted; none for a network that says nothing.
fn scale(wanted: f32, mean_output: f32) -> Option<i32> {
    let scale = (wanted / mean_output).round();
    (1.0..=MAX_SCALE as f32)
        .contains(&scale)
        .then_some(scale as i32)
}

fn quantise(trainer: &Trainer, scale: i32) -> Parameters {
    let shape = &trainer.shape;
    let weights = &trainer.state.weights;
    let round = |part: std::ops::Range<usize>, one: i32| {
        weights[part]
            .iter()
            .map(move |&value| (value * one as f32).round())
    };
    Parameters {
        feature_weights: round(shape.feature_weights(), ACTIVATION_ONE)
            .map(|value| value as i16)
            .collect(),
        feature_biases: round(shape.hidden_bias(), ACTIVATION_ONE)
            .map(|value| value as i16)
            .collect(),
        output_weights: round(shape.output_weights(), WEIGHT_ONE)
            .map(|value| value as i16)
            .collect(),
        output_biases: round(shape.output_biases(), ACTIVATION_ONE * WEIGHT_ONE)
            .map(|value| value as i32)
            .collect(),
        scale,
    }
}
