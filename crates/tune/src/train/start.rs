//! The weights that a run begins with: random ones, or those of `--init`.

use std::path::Path;

use sextant_eval::nnue::{ACTIVATION_ONE, Architecture, NetError, Network, WEIGHT_ONE};

use super::{
    checkpoint::Checkpoint,
    error::TrainError,
    king_buckets::KingBuckets,
    options::Options,
    weights::{CLIP, Shape},
};
use crate::say;

/// Weights for the network that the options ask for.
///
/// # Errors
/// When there can be no such network, or the file of `--init` is neither a network nor a checkpoint,
/// or one that has more than the network that is asked for.
pub(super) fn weights(options: &Options) -> Result<Vec<f32>, TrainError> {
    let wanted = options.architecture()?;
    let shape = Shape::of(&wanted);
    let Some(path) = &options.init else {
        return Ok(shape.random(options.seed));
    };
    let (found, weights) = read(path, options.scale)?;
    note_cut(path, &Shape::of(&found), &weights);
    let adopted = options
        .king_buckets
        .origins(&KingBuckets::of(&found))
        .and_then(|origins| shape.adopted(&Shape::of(&found), &weights, &origins, options.seed));
    adopted.ok_or_else(|| TrainError::InitShape {
        path: path.clone(),
        found: as_options(&found),
        wanted: as_options(&wanted),
    })
}

/// Says if the first step will cut some of the weights down to the bound.
fn note_cut(path: &Path, shape: &Shape, weights: &[f32]) {
    // The output biases have no bound.
    let bounded = weights.iter().take(shape.output_biases().start);
    let beyond = bounded.filter(|weight| weight.abs() > CLIP).count();
    if beyond > 0 {
        say::note(format_args!(
            "note: {} of {} beyond {CLIP} in size, to which the first step cuts them; what the \
             network says may change with that",
            say::counted(beyond as u64, "weight"),
            path.display()
        ));
    }
}

/// The options that ask for an architecture.
fn as_options(architecture: &Architecture) -> String {
    format!(
        "--hidden {} --output-buckets {} --king-buckets {}",
        architecture.hidden(),
        architecture.output_buckets(),
        KingBuckets::of(architecture)
    )
}

fn read(path: &Path, scale: f32) -> Result<(Architecture, Vec<f32>), TrainError> {
    let bytes = std::fs::read(path).map_err(|cause| TrainError::Read {
        path: path.to_owned(),
        cause,
    })?;
    match Network::from_bytes(&bytes) {
        Ok(network) => Ok((network.architecture().clone(), floats(&network, scale))),
        Err(NetError::Foreign) => {
            let saved = Checkpoint::load(path)?;
            let found = saved.options.architecture()?;
            let mut weights = saved.state.weights;
            rescale(
                &mut weights,
                &Shape::of(&found),
                saved.options.scale / scale,
            );
            Ok((found, weights))
        }
        Err(fault) => Err(TrainError::Init {
            path: path.to_owned(),
            fault,
        }),
    }
}

/// Multiplies what the weights say: an output of 1 is worth other centipawns with another `--scale`.
fn rescale(weights: &mut [f32], shape: &Shape, factor: f32) {
    // The outputs' part is the last; a checkpoint of another length is refused later.
    let outputs = weights.iter_mut().skip(shape.output_weights().start);
    outputs.for_each(|weight| *weight *= factor);
}

/// The floats that say the same centipawns when an output of 1 is worth `scale` of them.
///
/// A file does not tell how far its output weights were stretched (see [`super::export`]), and need
/// not: only their product with the scale in its header counts.
fn floats(network: &Network, scale: f32) -> Vec<f32> {
    let parameters = network.parameters();
    let activation = ACTIVATION_ONE as f32;
    let weight = WEIGHT_ONE as f32 * scale / parameters.scale as f32;
    let part = |integers: Vec<i16>, one: f32| {
        integers
            .into_iter()
            .map(move |value| f32::from(value) / one)
    };
    let mut floats: Vec<f32> = part(parameters.feature_weights, activation)
        .chain(part(parameters.feature_biases, activation))
        .chain(part(parameters.output_weights, weight))
        .collect();
    let biases = parameters.output_biases.into_iter();
    floats.extend(biases.map(|value| value as f32 / (activation * weight)));
    floats
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{
        checkpoint::Progress,
        export, fixture,
        target::Objective,
        trainer::{State, Trainer},
    };

    #[test]
    fn a_checkpoint_of_another_scale_says_the_same_centipawns() {
        let trainer = |options: &Options, weights| {
            let architecture = options.architecture().unwrap();
            Trainer::new(architecture, options.objective(), State::new(weights), 1)
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.sxt");
        let options = fixture::options(&["--hidden=64", "--scale=400"]);
        let first = trainer(&options, weights(&options).unwrap());
        let saved = Checkpoint {
            options,
            progress: Progress::default(),
            state: first.state.clone(),
        };
        saved.save(&path).unwrap();

        let init = format!("--init={}", path.display());
        let options = fixture::options(&["--hidden=64", "--scale=250", &init]);
        let second = trainer(&options, weights(&options).unwrap());
        let positions = fixture::positions(100, 2);
        let outputs = |trainer: &Trainer| trainer.outputs(&positions).unwrap();
        for (before, after) in outputs(&first).iter().zip(outputs(&second)) {
            assert!((before.1 * 400.0 - after.1 * 250.0).abs() < 0.1);
        }
    }

    #[test]
    fn a_networks_floats_say_what_it_says() {
        let architecture = Architecture::new(64, [0; 32], 2).unwrap();
        let trainer = |scale, weights| {
            let objective = Objective {
                score_share: 1.0,
                scale,
                power: 2.0,
            };
            Trainer::new(architecture.clone(), objective, State::new(weights), 1)
        };
        let positions = fixture::positions(500, 2);
        let shape = Shape::of(&architecture);
        let first = trainer(400.0, shape.random(1));
        let outputs = first.outputs(&positions).unwrap();
        let (network, _) = export::network(&first, &outputs, Some(300.0)).unwrap();

        let second = trainer(250.0, floats(&network, 250.0));
        for (sample, output) in second.outputs(&positions).unwrap() {
            let own = sample.own().iter().map(|&feature| feature.into());
            let other = sample.other().iter().map(|&feature| feature.into());
            let value = network.value_of(own, other, sample.bucket) as f32;
            // What divisions of integers cut off.
            assert!((value - output * 250.0).abs() < 1.5, "{value} {output}");
        }
    }
}
