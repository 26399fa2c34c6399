//! The first weights of a run: random ones, or those of `--init`.

use std::path::Path;

use sextant_cli::{failure::Failure, files, output};
use sextant_eval::nnue::{ACTIVATION_ONE, Architecture, Network, WEIGHT_ONE};

use super::{
    options::{KingBuckets, Options},
    tiles::{Layout, Row},
    trainer::State,
    weights::Shape,
};

/// The state in which a run with these options begins.
pub(super) fn state(options: &Options) -> Result<State, Failure> {
    let layout = Layout::of(&options.architecture().map_err(Failure::usage)?);
    let weights = weights(options)?;
    let parameters = layout.parameters(&weights);
    if let Some(path) = &options.init {
        note_clipped(path, &layout, &parameters);
    }
    Ok(State::new(parameters))
}

/// Weights for the network that the options ask for. The network of `--init` must not be larger.
fn weights(options: &Options) -> Result<Vec<f32>, Failure> {
    let wanted = options.architecture().map_err(Failure::usage)?;
    let shape = Shape::of(&wanted);
    let Some(path) = &options.init else {
        return Ok(shape.random(options.seed));
    };
    let bytes = files::read(path, u64::MAX)?;
    let network = Network::from_bytes(&bytes)
        .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    let (found, weights) = (network.architecture(), floats(&network, options.scale));
    let adopted = options
        .king_buckets
        .origins(&KingBuckets::of(found))
        .and_then(|origins| shape.adopted(&Shape::of(found), &weights, &origins, options.seed));
    adopted.ok_or_else(|| {
        Failure::usage(format!(
            "{}: has {}, where {} is asked for: --init takes fewer neurons, a divisor of the output \
             buckets, and king buckets that the asked-for ones divide further",
            path.display(),
            as_options(found),
            as_options(&wanted)
        ))
    })
}

fn note_clipped(path: &Path, layout: &Layout, parameters: &[Row]) {
    let mut clipped = parameters.to_vec();
    for tile in clipped.chunks_exact_mut(layout.tile_rows()) {
        layout.clip(tile);
    }
    let floats = |rows: &[Row]| rows.iter().flat_map(|row| row.0).collect::<Vec<f32>>();
    let pairs = floats(parameters).into_iter().zip(floats(&clipped));
    let beyond = pairs.filter(|(before, after)| before != after).count();
    if beyond > 0 {
        output::note(format_args!(
            "note: the first step clips {} of {} to their bounds; that may change the network's \
             output",
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
    use crate::train::{export, fixture, trainer::Trainer};

    fn trainer(options: &Options) -> Trainer {
        let (architecture, state) = (options.architecture().unwrap(), state(options).unwrap());
        Trainer::new(architecture, options.objective(), state, 1).unwrap()
    }

    #[test]
    fn a_network_keeps_its_values_on_another_scale() {
        let positions = fixture::positions(500, 2);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let of_scale = |more| {
            let shape = ["--hidden=64", "--output-buckets=2"];
            trainer(&fixture::options(&[&shape[..], more].concat()))
        };
        let first = of_scale(&["--scale=400"]);
        let outputs = first.outputs(&positions).unwrap();
        let (network, _) = export::network(&first, &outputs, Some(300.0)).unwrap();
        std::fs::write(&path, network.to_bytes()).unwrap();
        let init = format!("--init={}", path.display());
        let second = of_scale(&["--scale=250", &init]);
        for (sample, output) in second.outputs(&positions).unwrap() {
            let value = sample.value(&network);
            // What divisions of integers cut off.
            assert!((value - output * 250.0).abs() < 1.5, "{value} {output}");
        }
    }
}
