//! The first weights of a run: random ones, or those of `--init`.

use std::path::Path;

use sextant_cli::{failure::Failure, files, output};
use sextant_eval::nnue::{
    ACTIVATION_ONE, Architecture, LAYER_ONE, Layers, Network, PAIR_WEIGHT_ONE, RELATION_ONE,
    STACK_WEIGHT_ONE, SUM_ONE, Stack, WEIGHT_ONE,
};

use super::{
    options::{KingBuckets, Options},
    rows::{Row, WIDTH},
    tiles::Layout,
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
    let bytes = files::read(path, files::LARGEST_NETWORK)?;
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
             buckets, and king buckets that the asked-for ones divide further; with --layers 3 it \
             takes the same alone, or the same without --relations",
            path.display(),
            as_options(found),
            as_options(&wanted)
        ))
    })
}

fn note_clipped(path: &Path, layout: &Layout, parameters: &[Row]) {
    let beyond = layout.beyond_bounds(parameters);
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
    let layers = match architecture.layers() {
        Layers::One => "1",
        Layers::Three { relations: false } => "3",
        Layers::Three { relations: true } => "3 --relations",
    };
    format!(
        "--hidden {} --output-buckets {} --king-buckets {} --layers {layers}",
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
    let scale = parameters.scale as f32 / scale;
    let stacks = &parameters.stacks;
    let readers = stacks.iter().flat_map(|stack| &stack.weights_1);
    floats.extend(readers.map(|&value| f32::from(value) / PAIR_WEIGHT_ONE as f32));
    floats.extend(stacks.iter().flat_map(|stack| head(stack, scale)));
    floats.extend(part(parameters.relation_weights, RELATION_ONE as f32));
    floats
}

/// The rows of [`super::head`], with outputs `scale` times as large.
fn head(stack: &Stack, scale: f32) -> Vec<f32> {
    let rest = &stack.rest;
    let weight = STACK_WEIGHT_ONE as f32;
    let layer = LAYER_ONE as f32;
    let row = |numbers: &mut dyn Iterator<Item = f32>| {
        let mut row: Vec<f32> = numbers.collect();
        row.resize(WIDTH, 0.0);
        row
    };
    let biases_1 = rest
        .biases_1
        .iter()
        .map(|&bias| bias as f32 / SUM_ONE as f32);
    let weights_2 = (0..WIDTH).flat_map(|input| {
        let of_input = rest.weights_2.iter().map(move |neuron| neuron[input]);
        of_input.map(|value| f32::from(value) / weight)
    });
    let biases_2 = rest
        .biases_2
        .iter()
        .map(|&bias| bias as f32 / (layer * weight));
    let weights_3 = rest
        .weights_3
        .iter()
        .map(|&value| f32::from(value) / weight * scale);
    let bias_3 = rest.bias_3 as f32 / (layer * weight) * scale;
    let mut head = row(&mut biases_1.into_iter());
    head.extend(weights_2.chain(biases_2).chain(weights_3));
    head.extend(row(&mut [bias_3].into_iter()));
    head
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
        // What divisions of integers cut off, and with three layers the 7 bits of a product.
        for (layers, most) in [
            (&["--layers=1"][..], 0.7),
            (&["--layers=3"], 7.0),
            (&["--layers=3", "--relations"], 7.0),
        ] {
            let of_scale = |more| {
                let shape = [&["--hidden=64", "--output-buckets=2"], layers].concat();
                trainer(&fixture::options(&[&shape[..], more].concat()))
            };
            let mut first = of_scale(&["--scale=400"]);
            fixture::teach(&mut first, 6_000);
            let outputs = first.outputs(&positions).unwrap();
            let (network, _) = export::network(&first, &outputs, Some(300.0)).unwrap();
            std::fs::write(&path, network.to_bytes()).unwrap();
            let init = format!("--init={}", path.display());
            let second = of_scale(&["--scale=250", &init]);
            let off = second.outputs(&positions).unwrap().into_iter();
            let off = off.map(|(sample, output)| (sample.value(&network) - output * 250.0).abs());
            let mean = off.sum::<f32>() / positions.len() as f32;
            assert!(mean < most, "{layers:?}: {mean}");
        }
    }
}
