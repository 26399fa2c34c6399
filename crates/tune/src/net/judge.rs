//! `net judge`: how well static evaluations, or short searches, foretell what deep searches expect.
//! Seconds tell what thousands of games of almost equal networks would.

use std::path::PathBuf;

use sextant_board::Score;
use sextant_cli::{failure::Failure, output, progress::Progress};
use sextant_config::{Config, Preset};
use sextant_search::{Engine, Game};

use super::samples::{self, FEWEST, Sample};
use crate::{
    args,
    data::LABEL_SCALE,
    engine::{self, setup},
    newton::{self, Point},
};

#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example:\n  sextant-tune net judge positions.csv default run/net.nnue\n\n\
                  Never train on the positions that you judge by: they would tell nothing any more."
)]
pub(crate) struct Args {
    /// Positions as CSV (NAME.csv) with a heading: fen, expected (the score that a deep search
    /// expects for the side to move, 0 to 1) and, if it is known, cp (the same in centipawns); or
    /// positions that `data convert` wrote, such as those to validate with.
    file: PathBuf,
    /// What is judged: network files (*.nnue), presets or configs.
    #[arg(default_value = "default", value_name = "NET|CONFIG")]
    evaluations: Vec<String>,
    /// Judge the scores of searches that begin no new iteration after N nodes, as those of `datagen`
    /// do, in place of static evaluations: what such games can teach.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    soft_nodes: Option<u64>,
    /// What `data convert` was told with the same option: centipawns that make 73 % of the points.
    #[arg(long, value_name = "CP", default_value_t = LABEL_SCALE)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    scale: u16,
}

/// The gradient, per centipawn, below which a scale is the likeliest.
const FLAT: f64 = 1e-6;
/// Centipawns at which a pawn more is worth about 0.15 of a point: where the fit of a scale begins.
const USUAL_SCALE: f64 = 200.0;
/// The hash table of each evaluation in MB: that of `datagen`.
const HASH: i32 = 4;
/// Mates count as this: more centipawns promise no more points.
const MOST: i32 = 3_000;

/// A kind of position.
type Kind = (&'static str, fn(&Sample) -> bool);

const KINDS: [Kind; 7] = [
    ("all", |_| true),
    ("more than 24 pieces", |sample| sample.pieces() > 24),
    ("12 to 24 pieces", |sample| {
        (12..=24).contains(&sample.pieces())
    }),
    ("fewer than 12 pieces", |sample| sample.pieces() < 12),
    ("below 100 cp", |sample| sample.is_within(0.0, 100.0)),
    ("100 to 300 cp", |sample| sample.is_within(100.0, 300.0)),
    ("300 cp and more", |sample| {
        sample.is_within(300.0, f64::INFINITY)
    }),
];

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let samples = samples::read(&args.file, args.scale.into())?;
    let all = (samples.len() * args.evaluations.len()) as u64;
    let display = Progress::new("positions", Some(all));
    let mut text = String::new();
    // Of the logits of all evaluations, position by position.
    let mut sums = vec![0.0; samples.len()];
    for name in &args.evaluations {
        let mut engine = evaluator(name)?;
        let mut values = Vec::new();
        for sample in &samples {
            let score = match args.soft_nodes {
                None => engine.evaluate(&sample.position),
                Some(nodes) => searched(&mut engine, sample, nodes),
            };
            values.push((f64::from(score.raw().clamp(-MOST, MOST)), sample));
            display.advance(1);
        }
        let scale = scale(&values)?;
        for (sum, (value, _)) in sums.iter_mut().zip(&values) {
            *sum += value / scale;
        }
        text += &format!("{name}\n{}", report(&values, scale)?);
    }
    display.finish();
    let count = args.evaluations.len() as f64;
    if count > 1.0 {
        let means = sums.into_iter().map(|sum| USUAL_SCALE * sum / count);
        let means: Vec<(f64, &Sample)> = means.zip(&samples).collect();
        text += &format!("mean of all\n{}", report(&means, scale(&means)?)?);
    }
    output::print(text)
}

/// The score of a search that knows nothing of others.
fn searched(engine: &mut Engine, sample: &Sample, soft_nodes: u64) -> Score {
    engine.new_game();
    let limits = args::limits(soft_nodes, args::usual_hard(soft_nodes));
    let game = Game::new(sample.position.clone());
    engine.arm_and_go(&game, &limits).score()
}

/// An engine for its static evaluation: of a preset, a config, or the default with a network.
fn evaluator(name: &str) -> Result<Engine, Failure> {
    let is_config = Preset::find(name).is_some() || name.ends_with(".toml");
    let mut config = engine::config(if is_config { name } else { "default" }, HASH)?;
    if !is_config {
        config.eval = Config::default().eval;
        config.eval.file = name.to_owned();
    }
    setup(config)?.engine().map_err(Failure::work)
}

/// A line for each kind of position: the error by `whole`, the scale that suits all of them, and by
/// the kind's own. Where the two differ, the network knows more than its unit says.
fn report(values: &[(f64, &Sample)], whole: f64) -> Result<String, Failure> {
    let mut text = format!(
        "  {:22}{:>9}{:>22}{:>12}{:>15}\n",
        "positions", "", "RMS error in points", "own scale", "error by that"
    );
    for (name, belongs) in KINDS {
        let of_kind = values.iter().filter(|(_, sample)| belongs(sample)).copied();
        let of_kind: Vec<(f64, &Sample)> = of_kind.collect();
        if of_kind.len() < FEWEST {
            continue;
        }
        let own = scale(&of_kind)?;
        let [(by_whole, deviation), (by_own, _)] = [whole, own].map(|scale| error(&of_kind, scale));
        text += &format!(
            "  {name:22}{:>9}{:>22}{own:>9.0} cp{by_own:>15.4}\n",
            of_kind.len(),
            format!("{by_whole:.4} +- {deviation:.4}")
        );
    }
    Ok(text)
}

/// The score that `cp` centipawns promise, where `scale` of them promise 1 / (1 + 1/e).
pub(crate) fn promised(cp: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-cp / scale).exp())
}

/// The root of the mean squared error, and its standard error.
fn error(values: &[(f64, &Sample)], scale: f64) -> (f64, f64) {
    let count = values.len() as f64;
    let squares = values.iter();
    let squares = squares.map(|(cp, sample)| (promised(*cp, scale) - sample.expected).powi(2));
    let squares: Vec<f64> = squares.collect();
    let mean = squares.iter().sum::<f64>() / count;
    let variance = squares
        .iter()
        .map(|square| (square - mean).powi(2))
        .sum::<f64>()
        / count;
    (mean.sqrt(), (variance / count).sqrt() / (2.0 * mean.sqrt()))
}

/// The likeliest scale in centipawns: that of the least cross-entropy; infinite where all values are
/// 0, which says nothing of anything.
fn scale(values: &[(f64, &Sample)]) -> Result<f64, Failure> {
    if values.iter().all(|(cp, _)| *cp == 0.0) {
        return Ok(f64::INFINITY);
    }
    let start = vec![1.0 / USUAL_SCALE];
    let (weights, _) = newton::minimize(start, FLAT, |weights| cross_entropy(values, weights))?;
    Ok(1.0 / weights[0])
}

/// The mean cross-entropy in nats at a weight of 1 / scale, with its derivatives.
fn cross_entropy(values: &[(f64, &Sample)], weights: Vec<f64>) -> Point {
    let count = values.len() as f64;
    let (mut cost, mut gradient, mut information) = (0.0, 0.0, 0.0);
    for (cp, sample) in values {
        let x = cp * weights[0];
        let chance = 1.0 / (1.0 + (-x).exp());
        // ln(1 + e^x) without overflow.
        cost += x.max(0.0) + (-x.abs()).exp().ln_1p() - sample.expected * x;
        gradient += (chance - sample.expected) * cp;
        information += chance * (1.0 - chance) * cp * cp;
    }
    Point {
        weights,
        cost: cost / count,
        gradient: vec![gradient / count],
        information: vec![vec![information / count]],
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::Position;

    use super::*;

    /// Values that are 300 times the logit of what is expected, but for a known error of 0.1.
    #[test]
    fn the_scale_and_the_error_that_were_put_in_are_found() {
        let samples: Vec<Sample> = (1..100)
            .map(|hundredths| Sample {
                position: Position::startpos(),
                expected: f64::from(hundredths) / 100.0,
                cp: None,
            })
            .collect();
        let values: Vec<(f64, &Sample)> = samples
            .iter()
            .map(|sample| {
                let odds = sample.expected / (1.0 - sample.expected);
                (300.0 * odds.ln(), sample)
            })
            .collect();
        let found = scale(&values).unwrap();
        assert!((found - 300.0).abs() < 0.01, "{found}");
        assert!(error(&values, found).0 < 1e-6);
        let level = values.iter().map(|(_, sample)| (0.0, *sample));
        let (root, deviation) = error(&level.collect::<Vec<_>>(), 300.0);
        // The standard deviation of 0.01, 0.02, ... 0.99.
        assert!((root - 0.285_774).abs() < 1e-6, "{root}");
        assert!((0.01..0.02).contains(&deviation), "{deviation}");
    }
}
