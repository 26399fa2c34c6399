//! Experiment 2: the odd-even effect in chess.

pub mod curve;
mod findings;
pub mod searches;

use std::iter;

use sextant_config::{Config, CouplingRule, EvalKind};

use crate::engine::small;
use crate::error::LabError;
use crate::experiment::{Context, Experiment};
use crate::report::{Axis, Cell, Chart, Figure, Report, Series, Stroke, Table, Verdict};
use crate::stats::{TTest, probability};
use curve::{Curve, Point, Step};

/// Odd and even iterations.
pub struct OddEven;

impl Experiment for OddEven {
    fn name(&self) -> &'static str {
        "odd-even"
    }

    fn title(&self) -> &'static str {
        "The odd-even effect in chess"
    }

    fn claim(&self) -> &'static str {
        "Inside iterative deepening the step from an even to an odd depth costs much more than \
         the one from odd to even; quiescence and selectivity diminish that. Scores swing with the \
         parity of the depth, and a tempo bonus remedies it (Chess Programming Wiki, \"Odd-Even \
         Effect\")."
    }

    fn run(&self, context: &Context<'_>) -> Result<Report, LabError> {
        let curves = curves(context)?;
        let mut findings = findings::growth(&curves);
        findings.extend(findings::swings(&curves));
        findings.extend(findings::predictions(&curves));
        Ok(Report {
            tables: vec![
                growth_table(&curves.all),
                nodes_table(&curves.all),
                swing_table(&curves.all),
                prediction_table(&curves.all),
            ],
            figures: vec![
                Figure::Chart(growth_chart(&curves.all)),
                Figure::Chart(score_chart(&curves.all)),
            ],
            verdict: Verdict::of(
                format!(
                    "{}; the tempo bonus that levels its scores on these positions is {} \
                     centipawns, and {} with quiescence.",
                    shows(curves.all[PLAIN].asymmetry()),
                    curves.tempo,
                    curves.quiescent_tempo
                ),
                findings,
            ),
        })
    }
}

fn shows(asymmetry: Option<f64>) -> &'static str {
    match asymmetry {
        Some(asymmetry) if asymmetry > 1.0 => "Plain alpha-beta shows the effect",
        Some(_) => "Plain alpha-beta does not show the effect",
        None => "Too little was measured to see the effect in plain alpha-beta",
    }
}

/// All searches. The first four are the textbook ones, with tempo 0 and with the tempo that levels
/// their scores.
struct Curves {
    all: Vec<Curve>,
    tempo: i32,
    quiescent_tempo: i32,
}

const PLAIN: usize = 0;
const PLAIN_TUNED: usize = 1;
const QUIESCENT: usize = 2;
const QUIESCENT_TUNED: usize = 3;
const ENGINE: usize = 4;

fn curves(context: &Context<'_>) -> Result<Curves, LabError> {
    let depth = context.sized(4, 6);
    let some = context.positions(context.sized(10, 60))?;
    let many = context.positions(context.sized(10, 200))?;
    let plain = searches::plain(&some, depth, 0, context);
    let tempo = levelling_tempo(&plain);
    let tuned = searches::plain(&some, depth, tempo, context);
    let quiescent = searches::quiescent(&some, depth, 0, context);
    let quiescent_tempo = levelling_tempo(&quiescent);
    let quiescent_tuned = searches::quiescent(&some, depth, quiescent_tempo, context);
    let nodes = context.sized(15_000, 300_000);
    let mut all = vec![plain, tuned, quiescent, quiescent_tuned];
    for (name, config) in configs(context)? {
        all.push(searches::engine(&name, config, &many, nodes, context)?);
    }
    Ok(Curves {
        all,
        tempo,
        quiescent_tempo,
    })
}

/// The tempo bonus that takes the swing away: a bonus t for the side to move lifts scores at even
/// depths by t and lowers them at odd depths by t, so the swing falls by 2t.
fn levelling_tempo(curve: &Curve) -> i32 {
    let swings = curve.swings();
    (swings.iter().sum::<f64>() / swings.len().max(1) as f64 / 2.0).round() as i32
}

/// Rule and strength, in the config's 64ths, of the couplings that are compared with none.
const COUPLINGS: [(&str, CouplingRule, i32); 6] = [
    ("engine, k = 1/4, rule paper", CouplingRule::Paper, 16),
    ("engine, k = 1/2, rule paper", CouplingRule::Paper, 32),
    ("engine, k = 1, rule paper", CouplingRule::Paper, 64),
    ("engine, k = 1/4, rule forcing", CouplingRule::Forcing, 16),
    ("engine, k = 1/2, rule forcing", CouplingRule::Forcing, 32),
    ("engine, k = 1, rule forcing", CouplingRule::Forcing, 64),
];

/// The engine of the run's config, with the classical evaluation with and without tempo, with the
/// iteration steps of two plies and of 7/8 ply (their iterations are counted, not their plies), with
/// one price for all moves, and with coupled budgets.
fn configs(context: &Context<'_>) -> Result<Vec<(String, Config)>, LabError> {
    let sized = |config: &Config| {
        let mut config = small(config);
        config.engine.hash = 16;
        config
    };
    let preset = |name: &str| {
        let config = Config::preset(name).map_err(LabError::engine)?;
        Ok::<Config, LabError>(sized(&config))
    };
    let own = sized(&context.config);
    let mut classical = own.clone();
    classical.eval.kind = EvalKind::Classical;
    let mut without_tempo = classical.clone();
    without_tempo.eval.tempo = 0;
    let own_name = format!("engine, {}", context.config_name);
    let mut configs = Vec::new();
    if own != classical {
        configs.push(("engine, classical evaluation", classical));
    }
    configs.extend([
        ("engine, classical, tempo 0", without_tempo),
        ("engine, lexcentrique (two plies)", preset("lexcentrique")?),
        ("engine, bebe (two plies, no quiescence)", preset("bebe")?),
        ("engine, cyrus68k (7/8 ply)", preset("cyrus68k")?),
        ("engine, integer-ply", preset("integer-ply")?),
    ]);
    configs.extend(COUPLINGS.map(|(name, rule, coupling)| {
        let mut coupled = own.clone();
        coupled.extensions.coupling = coupling;
        coupled.extensions.coupling_rule = rule;
        (name, coupled)
    }));
    let named = configs
        .into_iter()
        .map(|(name, config)| (name.to_owned(), config));
    Ok(iter::once((own_name, own.clone())).chain(named).collect())
}

fn growth_table(all: &[Curve]) -> Table {
    let mut table = Table::new(
        "growth",
        "Growth of the nodes of an iteration over the one before (geometric means); branching is \
         the mean of the two, asymmetry their ratio",
        &[
            "search",
            "positions",
            "odd to even",
            "even to odd",
            "branching",
            "asymmetry",
        ],
    );
    let cell = |value: Option<f64>| value.map_or(Cell::Empty, |value| Cell::real(value, 2));
    for curve in all {
        table.row([
            curve.name.as_str().into(),
            curve.positions.len().into(),
            cell(curve.growth(Step::ToEven)),
            cell(curve.growth(Step::ToOdd)),
            cell(curve.branching()),
            cell(curve.asymmetry()),
        ]);
    }
    table
}

fn nodes_table(all: &[Curve]) -> Table {
    let mut table = Table::new(
        "nodes",
        "Nodes of each iteration, summed over the positions that reached it",
        &["depth", "plain alpha-beta", "with quiescence", "engine"],
    );
    let deepest = [PLAIN, QUIESCENT, ENGINE].map(|curve| all[curve].depth());
    for depth in 1..=deepest.into_iter().max().unwrap_or(0) {
        let cell = |curve: usize| match all[curve].nodes_at(depth) {
            0 => Cell::Empty,
            nodes => nodes.into(),
        };
        table.row([depth.into(), cell(PLAIN), cell(QUIESCENT), cell(ENGINE)]);
    }
    table
}

fn swing_table(all: &[Curve]) -> Table {
    let mut table = Table::new(
        "swing",
        "Scores at odd iterations above those at even ones, in centipawns",
        &["search", "mean swing", "95 % from", "to", "t"],
    );
    for curve in all {
        let [mean, from, to, t] = curve.swing_cells();
        table.row([curve.name.as_str().into(), mean, from, to, t]);
    }
    table
}

fn prediction_table(all: &[Curve]) -> Table {
    let mut table = Table::new(
        "prediction",
        "Predicting the next iteration's nodes: mean error of one growth factor and of one for \
         each parity (logarithms; factors learned on the other half of the positions)",
        &[
            "search",
            "positions",
            "one factor",
            "by parity",
            "t of the difference",
            "p",
        ],
    );
    for curve in all {
        let errors = curve.prediction_errors();
        let mean = |pick: fn(&(f64, f64)) -> f64| {
            errors.iter().map(pick).sum::<f64>() / errors.len().max(1) as f64
        };
        let Ok(test) = saving(curve) else { continue };
        table.row([
            curve.name.as_str().into(),
            errors.len().into(),
            Cell::real(mean(|e| e.0), 3),
            Cell::real(mean(|e| e.1), 3),
            Cell::real(test.t, 2),
            probability(test.p_two_tails).into(),
        ]);
    }
    table
}

fn saving(curve: &Curve) -> Result<TTest, LabError> {
    let saved: Vec<f64> = curve
        .prediction_errors()
        .iter()
        .map(|(one, parity)| one - parity)
        .collect();
    TTest::of(&saved)
}

fn growth_chart(all: &[Curve]) -> Chart {
    let line = |index: usize, stroke| {
        let curve = &all[index];
        let points = (2..=curve.depth()).filter_map(|depth| {
            let (before, here) = (curve.nodes_at(depth - 1), curve.nodes_at(depth));
            // Where positions drop out at the node limit the sums no longer belong together.
            let complete = curve.positions.iter().all(|points| points.len() >= depth);
            (complete && before > 0).then(|| (depth as f64, here as f64 / before as f64))
        });
        Series::new(&curve.name, stroke, points.collect())
    };
    Chart {
        title: "Growth of the iterations".to_owned(),
        x: Axis::linear("iteration"),
        y: Axis::linear("nodes over the iteration before"),
        series: vec![
            line(PLAIN, Stroke::Solid),
            line(QUIESCENT, Stroke::Solid),
            line(ENGINE, Stroke::Dashed),
        ],
    }
}

fn score_chart(all: &[Curve]) -> Chart {
    let line = |index: usize, stroke| {
        let curve = &all[index];
        let steady: Vec<&Vec<Point>> = curve
            .positions
            .iter()
            .filter(|points| points.iter().all(|point| point.score.is_some()))
            .collect();
        let mean = |depth: usize| {
            let scores = steady.iter().map(|points| points.get(depth - 1)?.score);
            let sum: i64 = scores.sum::<Option<i64>>()?;
            Some((depth as f64, sum as f64 / steady.len() as f64))
        };
        let points = (1..=curve.depth()).filter_map(mean);
        Series::new(&curve.name, stroke, points.collect())
    };
    Chart {
        title: "Mean score by iteration (positions without decisive scores)".to_owned(),
        x: Axis::linear("iteration"),
        y: Axis::linear("centipawns for the side to move"),
        series: vec![
            line(PLAIN, Stroke::Solid),
            line(PLAIN_TUNED, Stroke::Dashed),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn single_equal_and_finished_positions_are_no_failure() {
        const QUIET: &str = "8/8/4k3/8/4P3/4K3/8/8 w - - 0 1\n";
        const MATE: &str = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n";
        let dir = tempfile::tempdir().unwrap();
        let suite = dir.path().join("suite.epd");
        for text in [QUIET.to_owned(), QUIET.repeat(4), MATE.to_owned()] {
            fs::write(&suite, &text).unwrap();
            let context = Context {
                suite: Some(suite.clone()),
                ..Context::quick(1)
            };
            let verdict = OddEven.run(&context).unwrap().verdict;
            let texts: Vec<&str> = verdict.findings.iter().map(|f| f.text.as_str()).collect();
            let skipped = texts
                .iter()
                .filter(|text| text.contains("too few different"));
            assert_eq!(skipped.count(), 2, "{texts:?}");
            assert!(!texts.iter().any(|text| text.contains("NaN")), "{texts:?}");
        }
    }

    #[test]
    fn the_config_of_the_run_is_the_first_engine() {
        let mut context = Context::quick(1);
        assert_eq!(configs(&context).unwrap()[0].0, "engine, default");
        context.config = Config::preset("integer-ply").unwrap();
        context.config_name = "integer-ply".to_owned();
        let (name, config) = configs(&context).unwrap().swap_remove(0);
        assert_eq!(name, "engine, integer-ply");
        assert_eq!(config.hash(), context.config.hash());
    }

    #[test]
    fn the_summary_says_what_was_found() {
        assert!(shows(Some(2.31)).ends_with("shows the effect"));
        assert!(shows(Some(0.9)).contains("does not show"));
        assert!(shows(None).starts_with("Too little"));
    }
}
