//! Wheeler's question to the engine: a quiet move before the captures at the frontier or at a leaf.

use sextant_board::Position;
use sextant_config::{Config, QuietFirst};
use sextant_search::Stats;

use crate::engine::{Subject, to_depth};
use crate::error::LabError;
use crate::experiment::Context;
use crate::report::{Cell, Finding, Table};
use crate::stats::{TTest, probability};

/// The engine's three ways.
const VARIANTS: [QuietFirst; 3] = [QuietFirst::Off, QuietFirst::Frontier, QuietFirst::Leaf];

/// One search.
#[derive(Clone, Copy, Debug)]
struct Search {
    nodes: u64,
    /// Nodes left by a cut-off in the move loop, and those left by the first move.
    cut_offs: u64,
    by_first_move: u64,
}

/// One way, position by position.
#[derive(Clone, Debug)]
pub struct Run {
    variant: QuietFirst,
    searches: Vec<Search>,
}

/// All three on 500 positions to the same depth.
///
/// # Errors
/// When the positions or the engine cannot be had.
pub fn run(context: &Context<'_>) -> Result<Vec<Run>, LabError> {
    let boards = context.positions(context.sized(20, 500))?;
    let depth = context.sized(6, 9);
    let one = |variant| {
        let what = format!("engine, quiet first: {}", QuietFirst::word(variant));
        context.progress.begin(boards.len() as u64, &what);
        let mut subject = Subject::new(&config(&context.config, variant))?;
        let search = |board: &cozy_chess::Board| {
            let position = Position::new(board.clone());
            let (outcome, stats) =
                subject.watch(&position, &to_depth(depth), Stats::default(), &mut |_| {});
            context.progress.step();
            Search {
                nodes: outcome.nodes,
                cut_offs: stats.cutoffs.iter().sum(),
                by_first_move: stats.cutoffs[0],
            }
        };
        Ok(Run {
            variant,
            searches: boards.iter().map(search).collect(),
        })
    };
    VARIANTS.into_iter().map(one).collect()
}

fn config(base: &Config, variant: QuietFirst) -> Config {
    let mut config = base.clone();
    config.quiescence.quiet_first = variant;
    config
}

impl Run {
    fn sum(&self, pick: fn(&Search) -> u64) -> u64 {
        self.searches.iter().map(pick).sum()
    }

    fn ratio_to(&self, other: &Run) -> f64 {
        self.sum(|s| s.nodes) as f64 / other.sum(|s| s.nodes).max(1) as f64
    }

    /// Logarithms of the other's nodes over this one's: positive where this one saves.
    fn savings(&self, other: &Run) -> Result<TTest, LabError> {
        let pairs = other.searches.iter().zip(&self.searches);
        let logs = pairs
            .map(|(without, with)| (without.nodes.max(1) as f64 / with.nodes.max(1) as f64).ln());
        TTest::of(&logs.collect::<Vec<_>>())
    }
}

/// All runs, each tested against the first.
#[must_use]
pub fn table(runs: &[Run]) -> Table {
    let mut table = Table::new(
        "engine-variants",
        "The engine to a fixed depth with a quiet move first at the frontier (d <= 1) or at a leaf \
         (paired t-test on log ratios of nodes against \"off\")",
        &[
            "quiet first",
            "positions",
            "nodes",
            "nodes / off",
            "cut-offs per node",
            "by the first move (%)",
            "off / it, mean",
            "95 % from",
            "to",
            "t",
            "p",
        ],
    );
    for run in runs {
        let test = runs.first().and_then(|off| run.savings(off).ok());
        let real = |pick: fn(&TTest) -> f64, decimals| {
            test.as_ref()
                .map_or(Cell::Empty, |test| Cell::real(pick(test), decimals))
        };
        let nodes = run.sum(|s| s.nodes);
        let cut_offs = run.sum(|s| s.cut_offs);
        let first = run.sum(|s| s.by_first_move);
        table.row([
            run.variant.word().into(),
            run.searches.len().into(),
            nodes.into(),
            Cell::real(runs.first().map_or(1.0, |off| run.ratio_to(off)), 3),
            Cell::real(cut_offs as f64 / nodes.max(1) as f64, 4),
            Cell::real(100.0 * first as f64 / cut_offs.max(1) as f64, 1),
            real(|t| t.mean.exp(), 3),
            real(|t| t.interval.0.exp(), 3),
            real(|t| t.interval.1.exp(), 3),
            real(|t| t.t, 2),
            test.as_ref()
                .map_or(Cell::Empty, |test| probability(test.p_two_tails).into()),
        ]);
    }
    table
}

/// Does his result carry over?
#[must_use]
pub fn findings(runs: &[Run]) -> Vec<Finding> {
    let Some((off, others)) = runs.split_first() else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for run in others {
        let Ok(test) = run.savings(off) else { continue };
        findings.push(Finding::by_test(
            test.significant(),
            test.mean > 0.0,
            format!(
                "In the engine, quiet move first at the {}: {:.3} times the nodes to the same \
                 depth on {} positions, mean saving a factor {:.3} ({:.3} to {:.3}), t = {:.2}, {}.",
                run.variant.word(),
                run.ratio_to(off),
                test.count,
                test.mean.exp(),
                test.interval.0.exp(),
                test.interval.1.exp(),
                test.t,
                probability(test.p_two_tails)
            ),
        ));
    }
    findings.push(Finding::noted(
        "Why it need not carry over: the engine's quiescence stands pat before any move, so a node \
         that a quiet move could leave cheaply has been left already, and a capture that wins \
         material refutes more than a quiet move does.",
    ));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Outcome;

    #[test]
    fn a_saving_that_may_be_chance_is_undecided() {
        let run = |variant, nodes: [u64; 4]| Run {
            variant,
            searches: nodes
                .map(|nodes| Search {
                    nodes,
                    cut_offs: 0,
                    by_first_move: 0,
                })
                .to_vec(),
        };
        let off = run(QuietFirst::Off, [100; 4]);
        let outcome = |nodes| {
            let runs = [off.clone(), run(QuietFirst::Leaf, nodes)];
            findings(&runs)[0].outcome.unwrap()
        };
        assert_eq!(outcome([50, 51, 52, 53]), Outcome::Holds);
        assert_eq!(outcome([200, 201, 202, 203]), Outcome::Fails);
        assert_eq!(outcome([50, 202, 99, 120]), Outcome::Undecided);
        assert_eq!(outcome([50, 199, 99, 90]), Outcome::Undecided);
    }

    #[test]
    fn the_variants_are_other_searches_of_the_same_positions() {
        let runs = run(&Context::quick(1)).unwrap();
        assert_eq!(runs.len(), 3);
        assert!(runs.iter().all(|run| run.searches.len() == 20));
        let nodes: Vec<u64> = runs.iter().map(|run| run.sum(|s| s.nodes)).collect();
        assert!(nodes[0] != nodes[1] && nodes[0] != nodes[2], "{nodes:?}");
        assert_eq!(findings(&runs).len(), 3);
    }
}
