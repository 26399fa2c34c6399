//! Wheeler's question to the engine: a quiet move before the captures at the frontier or at a leaf.

use sextant_config::QuietFirst;
use sextant_search::Stats;

use crate::experiments::prelude::*;

const VARIANTS: [QuietFirst; 3] = [QuietFirst::Off, QuietFirst::Frontier, QuietFirst::Leaf];

#[derive(Clone, Copy, Debug, Default)]
struct Search {
    nodes: u64,
    /// Nodes left by a cut-off in the move loop, and those left by the first move.
    cut_offs: u64,
    by_first_move: u64,
}

/// One way, position by position.
#[derive(Clone, Debug)]
pub(super) struct Run {
    variant: QuietFirst,
    searches: Vec<Search>,
}

/// All three on 500 positions to the same depth, off first.
pub(super) fn run(context: &Context) -> Result<[Run; 3], Failure> {
    let positions = context.positions(context.sized(20, 500))?;
    let limits = to_depth(context.sized(6, 9));
    let one = |variant| {
        let mut config = context.config.clone();
        config.quiescence.quiet_first = variant;
        let search = |engine: &mut FreshEngine, position: &Position| {
            let (outcome, stats) = engine.watch(position, &limits, Stats::default(), &mut |_| {});
            Search {
                nodes: outcome.nodes,
                cut_offs: stats.cutoffs.iter().sum(),
                by_first_move: stats.cutoffs[0],
            }
        };
        let what = format!("engine, quiet first: {}", variant.word());
        let searches = measure(&what, &config, &positions, search)?;
        Ok::<Run, Failure>(Run { variant, searches })
    };
    let [off, frontier, leaf] = VARIANTS.map(one);
    Ok([off?, frontier?, leaf?])
}

impl Run {
    fn sum(&self, pick: fn(&Search) -> u64) -> u64 {
        self.searches.iter().map(pick).sum()
    }

    fn nodes(&self) -> u64 {
        self.sum(|search| search.nodes)
    }

    fn ratio_to(&self, other: &Run) -> f64 {
        self.nodes() as f64 / other.nodes().max(1) as f64
    }

    /// A test of the logarithms of the other's nodes over this one's: positive where this one saves.
    fn savings(&self, other: &Run) -> Option<TTest> {
        let pairs = other.searches.iter().zip(&self.searches);
        let nodes = |search: &Search| search.nodes.max(1) as f64;
        TTest::of(pairs.map(|(without, with)| (nodes(without) / nodes(with)).ln()))
    }
}

/// All runs, each tested against the first.
pub(super) fn table(runs: &[Run; 3]) -> Table {
    let off = &runs[0];
    let title = "The engine to a fixed depth with a quiet move first at the frontier (d <= 1) or at a \
                 leaf (paired t-test on log ratios of nodes against \"off\")";
    let factor = |place: usize| move |run: &Run| Some(run.savings(off)?.factors()[place]);
    Table::of("engine-variants", title, runs)
        .column("quiet first", |run| run.variant.word())
        .column("positions", |run| run.searches.len())
        .column("nodes", Run::nodes)
        .real("nodes / off", 3, |run| run.ratio_to(off))
        .real("cut-offs per node", 4, |run| {
            run.sum(|s| s.cut_offs) as f64 / run.nodes().max(1) as f64
        })
        .real("by the first move (%)", 1, |run| {
            let cut_offs = run.sum(|s| s.cut_offs).max(1) as f64;
            100.0 * run.sum(|s| s.by_first_move) as f64 / cut_offs
        })
        .real("off / it, mean", 3, factor(0))
        .real("95 % from", 3, factor(1))
        .real("to", 3, factor(2))
        .real("t", 2, |run| run.savings(off).map(|test| test.t))
        .column("p", |run| {
            run.savings(off).map(|test| probability(test.p_two_tails))
        })
        .done()
}

/// Does his result carry over?
pub(super) fn findings([off, others @ ..]: &[Run; 3]) -> Vec<Finding> {
    let tested = others.iter().filter_map(|run| {
        let test = run.savings(off)?;
        let [mean, from, to] = test.factors();
        let text = format!(
            "In the engine, quiet move first at the {}: {:.3} times the nodes to the same depth on \
             {} positions, mean saving a factor {mean:.3} ({from:.3} to {to:.3}), t = {:.2}, {}.",
            run.variant.word(),
            run.ratio_to(off),
            test.count,
            test.t,
            probability(test.p_two_tails)
        );
        Some(Finding::by_test(test.significant(), test.mean > 0.0, text))
    });
    let why = noted!(
        "Why it need not carry over: the engine's quiescence stands pat before any move, so a node \
         that a quiet move could leave cheaply has been left already, and a capture that wins \
         material refutes more than a quiet move does."
    );
    tested.chain([why]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{experiment::quick, report::Outcome};

    #[test]
    fn a_saving_that_may_be_chance_is_undecided() {
        let run = |variant, nodes: [u64; 4]| Run {
            variant,
            searches: Vec::from(nodes.map(|nodes| Search {
                nodes,
                ..Search::default()
            })),
        };
        for (nodes, expected) in [
            ([50, 51, 52, 53], Outcome::Holds),
            ([200, 201, 202, 203], Outcome::Fails),
            ([50, 202, 99, 120], Outcome::Undecided),
            ([50, 199, 99, 90], Outcome::Undecided),
        ] {
            let [off, leaf] = [run(QuietFirst::Off, [100; 4]), run(QuietFirst::Leaf, nodes)];
            let findings = findings(&[off, leaf.clone(), leaf]);
            assert_eq!(findings[0].outcome, Some(expected), "{nodes:?}");
        }
    }

    #[test]
    fn the_variants_are_other_searches_of_the_same_positions() {
        let runs = run(&quick(1)).unwrap();
        assert!(runs.iter().all(|run| run.searches.len() == 20));
        let [off, frontier, leaf] = runs.each_ref().map(Run::nodes);
        assert!(off != frontier && off != leaf, "{off} {frontier} {leaf}");
        assert_eq!(findings(&runs).len(), 3);
    }
}
