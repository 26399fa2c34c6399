//! Experiment 3: negamax and iterative deepening, after Eppstein's lecture notes.

pub mod figures;
pub mod growth;
pub mod in_chess;
pub mod in_engine;
pub mod tic_tac_toe;

use crate::error::LabError;
use crate::experiment::{Context, Experiment};
use crate::report::{Cell, Figure, Finding, Report, Table, Verdict};
use in_chess::Growth;
use tic_tac_toe::Counts;

/// Lecture notes, run.
pub struct Negamax;

impl Experiment for Negamax {
    fn name(&self) -> &'static str {
        "negamax"
    }

    fn title(&self) -> &'static str {
        "Negamax and iterative deepening"
    }

    fn claim(&self) -> &'static str {
        "Depth-first negamax evaluates a game tree while holding one path, where breadth-first \
         holds all of it; it visits 1 + b + ... + b^d nodes, hardly more than the last level; a \
         machine twice as fast gains log 2 / log b plies; alpha-beta brings b down to about its \
         square root and so searches twice as deep; repeating the shallow searches of iterative \
         deepening costs little and helps the move order (Eppstein, ICS 180, 17 April 1997)."
    }

    fn run(&self, context: &Context<'_>) -> Result<Report, LabError> {
        let counts = Counts::take();
        let (sums, sums_equal) = growth::sums_table(context.sized(100_000, 3_000_000));
        let (twice, uniform_ratio) = twice_as_deep();
        let chess = Growth::measure(context)?;
        let engine = in_engine::run(context)?;
        let mut findings = findings(&counts, sums_equal, uniform_ratio, &chess);
        findings.extend(in_engine::findings(&engine));
        let mut figures = figures::trees(context.seed);
        figures.push(Figure::Chart(growth::doubling_chart()));
        figures.push(Figure::Chart(chess.chart()));
        Ok(Report {
            tables: vec![
                counts.table(),
                counts.memory_table(),
                sums,
                growth::doubling_table(),
                twice,
                chess.table(),
                chess.branching_table(),
                in_engine::table(&engine),
            ],
            figures,
            verdict: Verdict::of(
                summary(
                    counts.as_known() && sums_equal,
                    chess.depth_ratio(&chess.deepened),
                ),
                findings,
            ),
        })
    }
}

/// From here on we call it twice as deep: 2 itself is a limit.
const TWICE: f64 = 1.9;

fn summary(exact: bool, ratio: f64) -> String {
    let counts = if exact { "exact" } else { "not all exact" };
    let twice = if ratio > TWICE { "" } else { ", not twice" };
    format!(
        "The counts are {counts}. In chess alpha-beta gets {ratio:.2} times as deep as \
         negamax{twice}."
    )
}

fn findings(counts: &Counts, sums: bool, uniform_ratio: f64, chess: &Growth) -> Vec<Finding> {
    let held = counts.full.deepest_path;
    let stored = counts.breadth.stored();
    let overhead = chess.deepening_overhead();
    let against = chess.deepening_against_direct();
    let mut findings = vec![
        Finding::tested(
            counts.as_known(),
            "Tic-tac-toe is a draw by every algorithm; 549,946 nodes, 255,168 games, 5,478 \
             positions, 765 up to symmetry.",
        ),
        Finding::tested(
            held == 10 && stored == 549_946,
            format!("Depth first held {held} positions at once, breadth first {stored}."),
        ),
        Finding::tested(
            sums,
            "Negamax visits exactly 1 + b + ... + b^d nodes on uniform trees, close to \
             b/(b-1) times the last level.",
        ),
        Finding::tested(
            uniform_ratio > TWICE,
            format!(
                "With perfect order on uniform trees the nodes of negamax to depth 32 take \
                 alpha-beta at least {uniform_ratio:.2} times as deep; at depth 4 it is about 1.5 \
                 times: twice as deep is the limit, not the rule."
            ),
        ),
        Finding::tested(
            overhead < 1.5,
            format!(
                "In chess all iterations together cost {overhead:.2} times the last one; the \
                 effective branching factor is {:.1} for negamax and {:.1} for ordered alpha-beta.",
                chess.effective(&chess.negamax),
                chess.effective(&chess.captures_first)
            ),
        ),
        Finding::tested(
            against < 1.0,
            format!(
                "What shallow iterations give to move ordering: all iterations together took \
                 {against:.2} times the nodes of one direct search to the same depth."
            ),
        ),
    ];
    let ratio = chess.depth_ratio(&chess.deepened);
    let text = format!(
        "In chess, by effective branching factors, alpha-beta gets {:.2} times as deep as negamax \
         with moves as generated, {:.2} times with captures first and {ratio:.2} times with the \
         best moves of earlier iterations; 2 is the limit of perfect order.",
        chess.depth_ratio(&chess.unordered),
        chess.depth_ratio(&chess.captures_first),
    );
    findings.push(if ratio > TWICE {
        Finding::tested(true, text)
    } else {
        Finding::partly(text)
    });
    findings
}

/// For the nodes of a whole tree of depth d: how deep perfect order takes alpha-beta, in the
/// limit of large d. Returns the least of the ratios at the greatest d.
fn twice_as_deep() -> (Table, f64) {
    let mut table = Table::new(
        "twice",
        "Depth that alpha-beta with perfect order reaches on the nodes of negamax to depth d",
        &["b", "d", "depth reached", "ratio"],
    );
    let mut least = f64::INFINITY;
    for b in [3_u32, 10, 30] {
        for d in [2, 4, 8, 16, 32] {
            let b = f64::from(b);
            let reached = perfect_depth(b, whole_nodes(b, d));
            let ratio = reached / f64::from(d);
            if d == 32 {
                least = least.min(ratio);
            }
            table.row([
                Cell::real(b, 0),
                d.into(),
                Cell::real(reached, 2),
                Cell::real(ratio, 3),
            ]);
        }
    }
    (table, least)
}

fn whole_nodes(b: f64, d: u32) -> f64 {
    (0..=d).map(|i| b.powi(i as i32)).sum()
}

/// Leaves of the minimal tree of depth `n`, as a real number because it soon has many digits.
fn minimal_level(b: f64, n: u32) -> f64 {
    b.powi(n.div_ceil(2) as i32) + b.powi((n / 2) as i32) - 1.0
}

/// The depth at which the minimal tree has `budget` nodes, interpolated between whole plies.
fn perfect_depth(b: f64, budget: f64) -> f64 {
    let (mut nodes, mut depth) = (1.0, 0);
    loop {
        let next = nodes + minimal_level(b, depth + 1);
        if next > budget {
            return f64::from(depth) + (budget / nodes).ln() / (next / nodes).ln();
        }
        (nodes, depth) = (next, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Window;
    use crate::game::uniform::{Order, UniformTree};
    use crate::textbook::alpha_beta::AlphaBeta;
    use crate::textbook::observer::Tally;
    use crate::textbook::ordering::AsGenerated;
    use crate::textbook::quiescence::Evaluate;

    #[test]
    fn the_summary_says_what_was_found() {
        assert_eq!(
            summary(true, 1.68),
            "The counts are exact. In chess alpha-beta gets 1.68 times as deep as negamax, not \
             twice."
        );
        let other = summary(false, 1.95);
        assert!(other.contains("not all exact") && other.ends_with("deep as negamax."));
    }

    #[test]
    fn the_minimal_tree_has_the_minimal_leaves_on_each_of_its_levels() {
        for (b, depth) in [(3, 10), (10, 6), (30, 4)] {
            let tree = UniformTree::new(b, depth, Order::BestFirst).unwrap();
            let mut search = AlphaBeta {
                order: AsGenerated,
                horizon: Evaluate,
                observer: Tally::default(),
            };
            search.search(&tree, Window::FULL, depth);
            let nodes = search.observer.nodes as f64;
            let levels: f64 = (0..=depth).map(|n| minimal_level(f64::from(b), n)).sum();
            assert_eq!(nodes, levels, "b {b}");
            assert!((perfect_depth(f64::from(b), nodes) - f64::from(depth)).abs() < 1e-9);
        }
    }

    #[test]
    fn the_ratio_of_depths_rises_towards_two_and_stays_below() {
        for b in [3.0, 10.0, 30.0] {
            let ratio = |d| perfect_depth(b, whole_nodes(b, d)) / f64::from(d);
            assert!(
                ratio(4) < ratio(8) && ratio(8) < ratio(32) && ratio(32) < 2.0,
                "b {b}"
            );
        }
    }
}
