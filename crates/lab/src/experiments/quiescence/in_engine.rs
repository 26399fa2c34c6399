//! Wheeler's question to the engine: a quiet move before the captures at the frontier or at a leaf.

use sextant_config::QuietFirst;
use sextant_search::Stats;

use crate::experiments::prelude::*;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Search {
    nodes: u64,
    /// Nodes left by a cut-off in the move loop, and those left by the first move.
    cut_offs: u64,
    by_first_move: u64,
}

type EngineRun = Run<QuietFirst, Search>;

/// All three on 500 positions to the same depth, off first.
pub(super) fn run(context: &Context) -> Result<Vec<EngineRun>, Failure> {
    let positions = context.positions(context.sized(10, 500))?;
    let limits = to_depth(context.sized(6, 9));
    let one = |variant: QuietFirst| {
        let mut config = context.config.clone();
        config.quiescence.quiet_first = variant;
        let search = |engine: &mut FreshEngine, position: &Position| {
            let (outcome, stats) = engine.watch(position, &limits, Stats::default());
            Search {
                nodes: outcome.nodes,
                cut_offs: stats.cutoffs.iter().sum(),
                by_first_move: stats.cutoffs[0],
            }
        };
        let what = format!("engine, quiet first: {}", variant.word());
        Run::measure(&what, variant, &config, &positions, search)
    };
    let variants = [QuietFirst::Off, QuietFirst::Frontier, QuietFirst::Leaf];
    variants.into_iter().map(one).collect()
}

fn nodes(search: &Search) -> u64 {
    search.nodes
}

pub(super) fn table(runs: &[EngineRun]) -> Table {
    let off = &runs[0];
    let savings = |run: &EngineRun| run.savings(off, nodes);
    let factor = |run: &EngineRun, place: usize| Some(savings(run)?.factors()[place]);
    let title = "The engine to a fixed depth with a quiet move first at the frontier (d <= 1) or at a \
                 leaf (paired t-test on log ratios of nodes against \"off\")";
    table!("engine-variants", title, runs, |run| {
        "quiet first" => run.variant.word(),
        "positions" => run.each.len(),
        "nodes" => run.sum(nodes),
        "nodes / off" => real(run.ratio_to(off, nodes), 3),
        "cut-offs per node" => real(run.rate(|s| s.cut_offs, nodes), 4),
        "by the first move (%)" => real(100.0 * run.rate(|s| s.by_first_move, |s| s.cut_offs), 1),
        "off / it, mean" => real(factor(run, 0), 3),
        "95 % from" => real(factor(run, 1), 3),
        "to" => real(factor(run, 2), 3),
        "t" => real(savings(run).map(|test| test.t), 2),
        "p" => savings(run).map(|test| test.p()),
    })
}

pub(super) fn findings(runs: &[EngineRun]) -> Vec<Finding> {
    let off = &runs[0];
    let tested = runs[1..].iter().filter_map(|run| {
        let test = run.savings(off, nodes)?;
        let [mean, from, to] = test.factors();
        let text = format!(
            "In the engine a quiet move first at the {} changes the nodes by a mean factor of \
             {:.3} ({:.3} to {:.3}, {}).",
            run.variant.word(),
            1.0 / mean,
            1.0 / to,
            1.0 / from,
            test.p()
        );
        Some(Finding::by_test(test.significant(), test.mean > 0.0, text))
    });
    let why = noted!(
        "The engine's quiescence stands pat before any move, so it has left a node already that a \
         quiet move could leave cheaply."
    );
    tested.chain([why]).collect()
}
