//! The weights that a run begins with: random ones, or those of `--init`.

use std::path::Path;

use sextant_eval::nnue::{ACTIVATION_ONE, Architecture, NetError, Network, WEIGHT_ONE};

use super::{
    checkpoint::Checkpoint, error::TrainError, king_buckets::KingBuckets, options::Options,
    weights::Shape,
};

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
            Ok((saved.options.architecture()?, saved.state.weights))
        }
        Err(fault) => Err(TrainError::Init {
            path: path.to_owned(),
            fault,
        }),
    }
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
        export, fixture,
        target::Objective,
        trainer::{State, Trainer},
    };

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
