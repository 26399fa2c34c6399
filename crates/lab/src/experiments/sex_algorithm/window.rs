//! Costs that depend on the window: the paper found that they make trouble at the root and that a
//! move's value then depends on the window. Both are counted.

use std::collections::HashMap;

use sextant_board::{Move, Ply, Score};
use sextant_search::{Bound, Leave, Node, Observer};

use super::contenders::{SX, moderate_prices};
use crate::experiments::prelude::*;

/// Costs with the window rule: above, inside and below the window.
const COSTS: [i32; 3] = [5 * SX, 8 * SX, 11 * SX];

/// What the two bounds of a position at one draft are known to be.
#[derive(Clone, Copy)]
struct Known {
    lower: Score,
    upper: Score,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    nodes: u64,
    root_changes: u64,
    /// Searches of the root beyond one an iteration.
    repeated: u64,
    /// Results that could be compared with an opposite bound at the same draft.
    compared: u64,
    /// ... and contradicted it.
    contradicted: u64,
}

/// Remembers every result of a search without ever forgetting, and looks for contradictions.
#[derive(Default)]
struct Memory {
    path: Vec<(u64, i32)>,
    known: HashMap<(u64, i32), Known>,
    /// Best moves of the last search of the root and of the last iteration.
    best: Option<Move>,
    best_before: Option<Move>,
    counts: Counts,
}

impl Observer for Memory {
    fn enter(&mut self, node: &Node<'_>) {
        let ply = node.ply.index();
        self.counts.repeated += u64::from(ply == 0);
        self.path.truncate(ply);
        self.path.push((node.pos.key(), node.depth.raw()));
    }

    fn leave(&mut self, leave: &Leave) {
        if leave.ply == Ply::ROOT {
            self.best = leave.best;
        }
        let Some(&place) = self.path.get(leave.ply.index()) else {
            return;
        };
        // Mates are counted from the root, so equal positions at other plies have other scores.
        if leave.score.is_decisive() {
            return;
        }
        let nothing = Known {
            lower: -Score::INFINITE,
            upper: Score::INFINITE,
        };
        let known = self.known.entry(place).or_insert(nothing);
        let is_lower = leave.bound != Bound::Upper;
        let is_upper = leave.bound != Bound::Lower;
        let comparable = is_lower && known.upper != Score::INFINITE
            || is_upper && known.lower != -Score::INFINITE;
        let wrong = is_lower && leave.score > known.upper || is_upper && leave.score < known.lower;
        self.counts.compared += u64::from(comparable);
        self.counts.contradicted += u64::from(wrong);
        if wrong {
            *known = nothing; // What follows is compared with the newer result.
        }
        if is_lower {
            known.lower = known.lower.max(leave.score);
        }
        if is_upper {
            known.upper = known.upper.min(leave.score);
        }
    }

    fn iteration(&mut self, _depth: u32, _nodes: u64) {
        let is_change = self.best_before.is_some() && self.best_before != self.best;
        self.counts.root_changes += u64::from(is_change);
        self.best_before = self.best;
        // One search of the root is no repetition.
        self.counts.repeated = self.counts.repeated.saturating_sub(1);
    }
}

/// Costs off or on, on all positions.
pub(super) type WindowRun = Run<&'static str, Counts>;

/// The moderate prices as they are, and moved by the window.
fn configs(base: &Config) -> Result<[(&'static str, Config); 2], Failure> {
    let mut off = moderate_prices(base)?;
    // What looks at a node twice, or changes its depth after it was entered, would blur the count.
    off.extensions.singular_enabled = false;
    off.search.iir = false;
    off.search.hindsight = false;
    let mut on = off.clone();
    let e = &mut on.extensions;
    e.window_costs = true;
    [e.window_above, e.window_inside, e.window_below] = COSTS;
    Ok([("off", off), ("on", on)])
}

pub(super) fn run(context: &Context) -> Result<Vec<WindowRun>, Failure> {
    let positions = context.positions(context.sized(6, 100))?;
    let limits = to_nodes(context.sized(4_000, 60_000));
    let count = |engine: &mut FreshEngine, position: &Position| {
        let (outcome, memory) = engine.watch(position, &limits, Memory::default());
        Counts {
            nodes: outcome.nodes,
            ..memory.counts
        }
    };
    let one = |(name, config): (&'static str, Config)| {
        let what = format!("window costs {name}");
        Run::measure(&what, name, &config, &positions, count)
    };
    configs(&context.config)?.into_iter().map(one).collect()
}

/// Share of the comparable results that contradict an earlier one, in percent.
fn contradicted(run: &WindowRun) -> f64 {
    100.0 * run.rate(|counts| counts.contradicted, |counts| counts.compared)
}

pub(super) fn table(runs: &[WindowRun]) -> Table {
    let title = "Costs that depend on the window (5, 8, 11 SX above, inside, below): changes of the \
                 best move between iterations, repeated searches, results at equal draft that \
                 contradict earlier ones";
    table!("window-costs", title, runs, |run| {
        "window costs" => run.variant,
        "positions" => run.each.len(),
        "nodes" => run.sum(|counts| counts.nodes),
        "root changes" => run.sum(|counts| counts.root_changes),
        "root searched again" => run.sum(|counts| counts.repeated),
        "compared" => run.sum(|counts| counts.compared),
        "contradicted" => run.sum(|counts| counts.contradicted),
        "contradicted (%)" => real(contradicted(run), 2),
    })
}

pub(super) fn findings(runs: &[WindowRun]) -> [Finding; 2] {
    let (off, on) = (&runs[0], &runs[1]);
    let compare = |pick: fn(&Counts) -> f64| TTest::of(on.excess(off, pick));
    let finding = |test: Option<TTest>, text| {
        let significant = test.is_some_and(|test| test.significant());
        Finding::by_test(significant, test.is_some_and(|test| test.mean > 0.0), text)
    };
    let p = |test: Option<TTest>| test.map_or_else(|| "no difference".to_owned(), |test| test.p());
    let rate = compare(|counts| counts.contradicted as f64 / counts.compared.max(1) as f64);
    let changes = compare(|counts| counts.root_changes as f64);
    let sum = |count: fn(&Counts) -> u64| (on.sum(count), off.sum(count));
    let (changed_on, changed_off) = sum(|counts| counts.root_changes);
    [
        finding(
            rate,
            format!(
                "With costs that depend on the window {:.1} % of the results contradict earlier \
                 ones at equal draft, without such costs {:.1} % ({}).",
                contradicted(on),
                contradicted(off),
                p(rate)
            ),
        ),
        finding(
            changes,
            format!(
                "The best move changed {changed_on} times between iterations with such costs and \
                 {changed_off} times without ({}).",
                p(changes)
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_opposite_bounds_can_contradict() {
        let mut memory = Memory::default();
        memory.path.push((1, 128));
        for (score, bound, compared, contradicted) in [
            (10, Bound::Lower, 0, 0),
            (30, Bound::Lower, 0, 0),
            (40, Bound::Upper, 1, 0),
            (20, Bound::Upper, 2, 1),
            (25, Bound::Exact, 3, 2),
            (25, Bound::Lower, 4, 2),
        ] {
            memory.leave(&Leave {
                ply: Ply::ROOT,
                bound,
                score: Score::new(score),
                best: None,
                cut_by: 0,
                moves: 1,
            });
            let found = (memory.counts.compared, memory.counts.contradicted);
            assert_eq!(found, (compared, contradicted), "{score} {bound:?}");
        }
    }
}
