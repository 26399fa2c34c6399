//! The first weights of a run: random ones, or those of `--init`.

use std::path::Path;

use sextant_cli::{failure::Failure, files, output};
use sextant_eval::nnue::{ACTIVATION_ONE, Architecture, NetError, Network, WEIGHT_ONE};

use super::{
    checkpoint::Run,
    options::{KingBuckets, Options},
    weights::{CLIP, Shape},
};

/// Weights for the network that the options ask for. The file of `--init` must be a network or a
/// checkpoint of one that is not larger.
pub(super) fn weights(options: &Options) -> Result<Vec<f32>, Failure> {
    let wanted = options.architecture().map_err(Failure::usage)?;
    let shape = Shape::of(&wanted);
    let Some(path) = &options.init else {
        return Ok(shape.random(options.seed));
    };
    let (found, weights) = read(path, options.scale)?;
    note_clipped(path, &Shape::of(&found), &weights);
    let adopted = options
        .king_buckets
        .origins(&KingBuckets::of(&found))
        .and_then(|origins| shape.adopted(&Shape::of(&found), &weights, &origins, options.seed));
    adopted.ok_or_else(|| {
        Failure::usage(format!(
            "{}: has {}, where {} is asked for: --init takes fewer neurons, a divisor of the output \
             buckets, and king buckets that the asked-for ones divide further",
            path.display(),
            as_options(&found),
            as_options(&wanted)
        ))
    })
}

/// Says if the first step will clip some of the weights.
fn note_clipped(path: &Path, shape: &Shape, weights: &[f32]) {
    // The output biases have no bound.
    let bounded = weights.iter().take(shape.output_biases().start);
    let beyond = bounded.filter(|weight| weight.abs() > CLIP).count();
    if beyond > 0 {
        output::note(format_args!(
            "note: the first step clips {} of {} to {CLIP}; that may change the network's output",
            output::counted(beyond as u64, "weight"),
            path.display()
        ));
    }
}

fn as_options(architecture: &Architecture) -> String {
    format!(
        "--hidden {} --output-buckets {} --king-buckets {}",
        architecture.hidden(),
        architecture.output_buckets(),
        KingBuckets::of(architecture)
    )
}

/// The network or checkpoint of a file, its weights for outputs in units of `scale` centipawns.
fn read(path: &Path, scale: f32) -> Result<(Architecture, Vec<f32>), Failure> {
    let failed = |error: NetError| Failure::usage(format!("{}: {error}", path.display()));
    let bytes = files::read(path, u64::MAX)?;
    match Network::from_bytes(&bytes) {
        Ok(network) => Ok((network.architecture().clone(), floats(&network, scale))),
        Err(NetError::Foreign) => {
            let (Run { options, .. }, state) = Run::load(path)?;
            let found = options.architecture().map_err(failed)?;
            let mut weights = state.weights;
            // The outputs' part is the last; a checkpoint of another length is refused later.
            let outputs = Shape::of(&found).output_weights().start;
            // An output of 1 is worth other centipawns with another `--scale`.
            let factor = options.scale / scale;
            weights
                .iter_mut()
                .skip(outputs)
                .for_each(|weight| *weight *= factor);
            Ok((found, weights))
        }
        Err(error) => Err(failed(error)),
    }
}

/// The floats whose output of 1 is worth `scale` centipawns.
///
/// A file does not tell how far its output weights were stretched (see [`super::export`]), and need
/// not: only their product with the scale in its header counts.
fn floats(network: &Network, scale: f32) -> Vec<f32> {
    let parameters = network.parameters();
    let activation = ACTIVATION_ONE as f32;
    let weight = WEIGHT_ONE as f32 * scale / parameters.scale as f32;
    let part = |integers: Vec<i16>, one: f32| {
        let integers = integers.into_iter();
        integers.map(move |value| f32::from(value) / one)
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
        trainer::{State, Trainer},
    };

    fn trainer(options: &Options) -> Trainer {
        let (architecture, weights) = (options.architecture().unwrap(), weights(options).unwrap());
        Trainer::new(architecture, options.objective(), State::new(weights), 1).unwrap()
    }

    #[test]
    fn networks_and_checkpoints_of_another_scale_keep_their_values() {
        let positions = fixture::positions(500, 2);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let options = fixture::options(&["--hidden=64", "--output-buckets=2", "--scale=400"]);
        let first = trainer(&options);
        let outputs: Vec<_> = first.outputs(&positions).map(Result::unwrap).collect();
        let progress = Progress::default();
        let saved = Run { options, progress }.to_bytes(&first.state);
        std::fs::write(&path, saved).unwrap();
        let init = format!("--init={}", path.display());
        let more = ["--hidden=64", "--output-buckets=2", "--scale=250", &init];
        let options = fixture::options(&more);
        let second = trainer(&options);
        for (before, after) in outputs.iter().zip(second.outputs(&positions)) {
            assert!((before.1 * 400.0 - after.unwrap().1 * 250.0).abs() < 0.1);
        }

        let (network, _) = export::network(&first, &outputs, Some(300.0)).unwrap();
        std::fs::write(&path, network.to_bytes()).unwrap();
        let third = trainer(&options);
        for (sample, output) in third.outputs(&positions).map(Result::unwrap) {
            let value = sample.value(&network);
            // What divisions of integers cut off.
            assert!((value - output * 250.0).abs() < 1.5, "{value} {output}");
        }
    }
}
