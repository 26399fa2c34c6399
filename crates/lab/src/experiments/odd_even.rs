//! Experiment 2: the odd-even effect in chess, after the Chess Programming Wiki.

mod curve;
mod findings;

use cozy_chess::Board;
use sextant_config::{CouplingRule, EvalKind};
use sextant_search::{Event, Stats};

use crate::experiments::prelude::*;
use crate::{
    game::{
        Value,
        chess::{Chess, MATE},
    },
    textbook::{
        deepening::deepen,
        horizon::{Evaluate, Horizon, Quiescence},
        ordering::{CapturesFirst, Remembering},
        tally::Tally,
    },
};
use curve::{Curve, Parity, Point};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "odd-even",
    title: "The odd-even effect in chess",
    claim: "Inside iterative deepening the step from an even to an odd depth costs much more than \
            the one from odd to even; quiescence and selectivity diminish that. Scores swing with \
            the parity of the depth, and a tempo bonus remedies it (Chess Programming Wiki, \
            \"Odd-Even Effect\").",
    run,
};

fn run(context: &Context) -> Result<Report, Failure> {
    let curves = Curves::measure(context)?;
    let mut findings = findings::growth(&curves);
    findings.extend(findings::swings(&curves));
    Ok(Report {
        tables: vec![
            growth_table(&curves.all),
            nodes_table(&curves.all),
            swing_table(&curves.all),
        ],
        figures: vec![growth_chart(&curves.all), score_chart(&curves.all)],
        summary: format!(
            "{}; the tempo bonus that levels its scores on these positions is {} centipawns, and \
             {} with quiescence.",
            shows(curves.all[PLAIN].asymmetry()),
            curves.tempo,
            curves.quiescent_tempo
        ),
        findings,
    })
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

impl Curves {
    fn measure(context: &Context) -> Result<Curves, Failure> {
        let depth = context.sized(4, 6);
        let some = context.positions(context.sized(10, 60))?;
        let many = context.positions(context.sized(10, 200))?;
        let plain = |tempo| textbook("plain alpha-beta", &some, depth, tempo, &Evaluate);
        let quiescent = |tempo| textbook("with quiescence", &some, depth, tempo, &Quiescence);
        let bare = [plain(0), quiescent(0)];
        let [tempo, quiescent_tempo] = [0, 1].map(|index| leveling_tempo(&bare[index]));
        let [plain_bare, quiescent_bare] = bare;
        let tuned = [plain(tempo), quiescent(quiescent_tempo)];
        let [plain_tuned, quiescent_tuned] = tuned;
        let mut all = vec![plain_bare, plain_tuned, quiescent_bare, quiescent_tuned];
        let nodes = context.sized(15_000, 300_000);
        for (name, config) in configs(context)? {
            all.push(engine(&name, &config, &many, nodes)?);
        }
        Ok(Curves {
            all,
            tempo,
            quiescent_tempo,
        })
    }
}

/// The tempo bonus that takes the swing away: a bonus t for the side to move lifts scores at even
/// depths by t and lowers them at odd depths by t, so the swing falls by 2t.
fn leveling_tempo(curve: &Curve) -> i32 {
    let swings = curve.swings();
    (swings.iter().sum::<f64>() / swings.len().max(1) as f64 / 2.0).round() as i32
}

/// Textbook alpha-beta with this horizon and tempo bonus.
fn textbook<H: Horizon<Chess> + Clone>(
    name: &str,
    positions: &[Position],
    depth: u32,
    tempo: i32,
    horizon: &H,
) -> Curve {
    let name = format!("{name}, tempo {tempo}");
    let point = |(value, tally): (Value, Tally)| Point {
        nodes: tally.all_nodes(),
        score: Some(value.0).filter(|score| score.abs() < MATE / 2),
    };
    let search = |board: &Board| {
        let root = Chess::new(board.clone(), tempo);
        let order = Remembering::<CapturesFirst, _>::default();
        let iterations = deepen(&root, order, horizon.clone(), depth);
        iterations.into_iter().map(point).collect()
    };
    let positions = track(&name, positions).map(|position| search(position.board()));
    Curve {
        positions: positions.collect(),
        name,
    }
}

/// The engine with a config; every position gets an empty table and so many nodes.
fn engine(
    name: &str,
    config: &Config,
    positions: &[Position],
    nodes: u64,
) -> Result<Curve, Failure> {
    let mut engine = FreshEngine::with_hash(config, 16)?;
    let search = |position: &Position| {
        let mut scores = Vec::new();
        let mut note = |event: Event| {
            if let Event::Info(info) = event {
                let score = (!info.score.is_decisive()).then(|| i64::from(info.score.raw()));
                scores.push((info.depth, score));
            }
        };
        let (_, stats) = engine.watch(position, &to_nodes(nodes), Stats::default(), &mut note);
        let mut before = 0;
        let points = stats.iterations.iter().map(|iteration| {
            let nodes = iteration.nodes - before;
            before = iteration.nodes;
            let mut told = scores.iter().rev();
            let score = told.find(|(depth, _)| *depth == iteration.depth);
            let score = score.and_then(|(_, score)| *score);
            Point { nodes, score }
        });
        points.collect()
    };
    Ok(Curve {
        name: name.to_owned(),
        positions: track(name, positions).map(search).collect(),
    })
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
fn configs(context: &Context) -> Result<Vec<(String, Config)>, Failure> {
    let preset = |name: &str| Config::preset(name).map_err(Failure::work);
    let own = &context.config;
    let mut classical = own.clone();
    classical.eval.kind = EvalKind::Classical;
    let mut without_tempo = classical.clone();
    without_tempo.eval.tempo = 0;
    let mut configs = Vec::new();
    if *own != classical {
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
    let first = (format!("engine, {}", context.config_name), own.clone());
    Ok([first].into_iter().chain(named).collect())
}

fn growth_table(all: &[Curve]) -> Table {
    let title = "Growth of the nodes of an iteration over the one before (geometric means); \
                 branching is the mean of the two, asymmetry their ratio";
    Table::of("growth", title, all)
        .column("search", |curve| curve.name.as_str())
        .column("positions", |curve| curve.positions.len())
        .real("odd to even", 2, |curve| curve.growth(Parity::Even))
        .real("even to odd", 2, |curve| curve.growth(Parity::Odd))
        .real("branching", 2, Curve::branching)
        .real("asymmetry", 2, Curve::asymmetry)
        .done()
}

fn nodes_table(all: &[Curve]) -> Table {
    let deepest = [PLAIN, QUIESCENT, ENGINE].map(|curve| all[curve].depth());
    let depths: Vec<usize> = (1..=deepest.into_iter().max().unwrap_or(0)).collect();
    let nodes = |curve: usize, depth| Some(all[curve].nodes_at(depth)).filter(|&nodes| nodes > 0);
    let title = "Nodes of each iteration, summed over the positions that reached it";
    Table::of("nodes", title, &depths)
        .column("depth", |&depth| depth)
        .column("plain alpha-beta", |&depth| nodes(PLAIN, depth))
        .column("with quiescence", |&depth| nodes(QUIESCENT, depth))
        .column("engine", |&depth| nodes(ENGINE, depth))
        .done()
}

fn swing_table(all: &[Curve]) -> Table {
    let title = "Scores at odd iterations above those at even ones, in centipawns";
    let tested = |curve| (curve, Curve::swing(curve));
    let rows: Vec<(&Curve, Option<TTest>)> = all.iter().map(tested).collect();
    Table::of("swing", title, &rows)
        .column("search", |row| row.0.name.as_str())
        .real("mean swing", 1, |row| row.1.map(|test| test.mean))
        .real("95 % from", 1, |row| row.1.map(|test| test.interval.0))
        .real("to", 1, |row| row.1.map(|test| test.interval.1))
        .real("t", 2, |row| row.1.map(|test| test.t))
        .done()
}

/// Nodes of each iteration over the one before, where no position has dropped out at its node limit:
/// there the sums no longer belong together.
fn growth_chart(all: &[Curve]) -> Figure {
    let growth = |index: usize| {
        let curve: &Curve = &all[index];
        let complete = |depth: &usize| curve.positions.iter().all(|points| points.len() >= *depth);
        let nodes = |depth| curve.nodes_at(depth) as f64;
        let depths = (2..=curve.depth()).filter(complete);
        let points = depths.map(|depth| (depth as f64, nodes(depth) / nodes(depth - 1)));
        points.collect::<Vec<_>>()
    };
    Figure::new(
        "Growth of the iterations",
        "iteration",
        "nodes over the iteration before",
    )
    .line(&all[PLAIN].name, growth(PLAIN))
    .line(&all[QUIESCENT].name, growth(QUIESCENT))
    .dashed(&all[ENGINE].name, growth(ENGINE))
}

fn score_chart(all: &[Curve]) -> Figure {
    let scores = |index: usize| {
        let curve: &Curve = &all[index];
        let is_steady = |points: &&Vec<Point>| points.iter().all(|point| point.score.is_some());
        let steady: Vec<&Vec<Point>> = curve.positions.iter().filter(is_steady).collect();
        let mean = |depth: usize| {
            let scores = steady.iter().map(|points| points.get(depth - 1)?.score);
            let sum: i64 = scores.sum::<Option<i64>>()?;
            Some((depth as f64, sum as f64 / steady.len() as f64))
        };
        (1..=curve.depth()).filter_map(mean).collect::<Vec<_>>()
    };
    let title = "Mean score by iteration (positions without decisive scores)";
    Figure::new(title, "iteration", "centipawns for the side to move")
        .line(&all[PLAIN].name, scores(PLAIN))
        .dashed(&all[PLAIN_TUNED].name, scores(PLAIN_TUNED))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::experiment::quick;

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
                ..quick(1)
            };
            let findings = run(&context).unwrap().findings;
            let is_sound = |finding: &Finding| !finding.text.contains("NaN");
            assert!(findings.iter().all(is_sound), "{findings:?}");
        }
    }

    #[test]
    fn the_config_of_the_run_is_the_first_engine() {
        for name in ["default", "integer-ply"] {
            let context = Context {
                config: Config::preset(name).unwrap(),
                config_name: name.to_owned(),
                ..quick(1)
            };
            let (first, config) = configs(&context).unwrap().swap_remove(0);
            assert_eq!(first, format!("engine, {name}"));
            assert_eq!(config, context.config);
        }
    }

    #[test]
    fn the_summary_says_what_was_found() {
        assert!(shows(Some(2.31)).ends_with("shows the effect"));
        assert!(shows(Some(0.9)).contains("does not show"));
        assert!(shows(None).starts_with("Too little"));
    }
}
