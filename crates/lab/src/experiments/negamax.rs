//! Experiment 3: negamax and iterative deepening, after Eppstein's lecture notes (ICS 180, 1997).

mod growth;

use std::collections::HashMap;

use growth::{Growth, TWICE};

use crate::experiments::prelude::*;
use crate::{
    game::{
        tic_tac_toe::TicTacToe,
        uniform::{Order, UniformTree},
    },
    textbook::{
        Tally,
        exhaustive::{breadth_first, minimax, negamax, solve},
    },
};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "negamax",
    title: "Negamax and iterative deepening",
    claim: "Depth-first negamax evaluates a game tree while holding one path, where breadth-first \
            holds all of it; it visits 1 + b + ... + b^d nodes, hardly more than the last level; a \
            machine twice as fast gains log 2 / log b plies; alpha-beta brings b down to about its \
            square root and so searches twice as deep; repeating the shallow searches of iterative \
            deepening costs little and helps the move order (Eppstein, ICS 180, 17 April 1997).",
    run,
};

fn run(context: &Context) -> Result<Report, Failure> {
    let (counts, findings) = tic_tac_toe();
    let mut findings = Vec::from(findings);
    let (sums, sums_equal) = sums_table(context.sized(100_000, 3_000_000));
    let chess = Growth::measure(context)?;
    let engine = growth::in_engine(context)?;
    findings.extend(uniform_findings(sums_equal));
    let are_exact = findings
        .iter()
        .all(|one| one.outcome != Some(Outcome::Fails));
    findings.extend(chess.findings());
    findings.push(growth::engine_finding(&engine));
    let ratio = chess.best_depth_ratio();
    Ok(Report {
        tables: vec![
            counts,
            sums,
            chess.table(),
            chess.branching_table(),
            growth::engine_table(&engine),
        ],
        figures: vec![chess.chart()],
        summary: format!(
            "The counts are {}. In chess alpha-beta gets {ratio:.2} times as deep as negamax{}.",
            if are_exact { "exact" } else { "not all exact" },
            if ratio > TWICE { "" } else { ", not twice" },
        ),
        findings,
    })
}

fn uniform_findings(sums_equal: bool) -> [Finding; 3] {
    [
        tested!(
            sums_equal,
            "Negamax visits exactly 1 + b + ... + b^d nodes on uniform trees, close to b/(b-1) \
             times the last level."
        ),
        // These two are arithmetic: tests of this module.
        noted!(
            "By log 2 / log b a machine twice as fast gains 0.631 plies where there are 3 moves, \
             0.204 with 30 and 0.122 with 300."
        ),
        tested!(
            true,
            "With perfect order on uniform trees the nodes of negamax to depth 32 take alpha-beta at \
             least 1.93 times as deep; at depth 4 it is about 1.5 times: twice as deep is the limit, \
             not the rule."
        ),
    ]
}

/// Nodes of the full tree of tic-tac-toe, which are all sequences of moves.
const NODES: i64 = 549_946;

/// Tic-tac-toe, searched to the end: each count beside the known number, and what that says.
fn tic_tac_toe() -> (Table, [Finding; 2]) {
    const PLIES: u32 = 9;
    let start = TicTacToe::default();
    let (value, full) = negamax(&start, PLIES);
    let (breadth, levels) = breadth_first(&start, PLIES);
    let (mut plain, mut symmetric) = (HashMap::new(), HashMap::new());
    let tabled = solve(&start, &TicTacToe::key, &mut plain);
    let folded = solve(&start, &TicTacToe::symmetric_key, &mut symmetric);
    let count = |name, count: u64, known| (name, count as i64, known);
    let rows = [
        ("value, minimax", minimax(&start, PLIES).0, 0),
        ("value, negamax", value.0, 0),
        ("value, negamax with a table", tabled.0, 0),
        ("value, negamax with a table up to symmetry", folded.0, 0),
        ("value, breadth first", breadth.0, 0),
        count("nodes of the full tree", full.nodes, NODES),
        count("leaves of the full tree (games)", full.leaves, 255_168),
        count("positions in the table", plain.len() as u64, 5_478),
        count("positions up to symmetry", symmetric.len() as u64, 765),
    ];
    let (held, stored) = (full.by_ply.len(), levels.iter().sum::<usize>());
    let findings = [
        tested!(
            rows.iter().all(|row| row.1 == row.2),
            "Tic-tac-toe is a draw by every algorithm; 549,946 nodes, 255,168 games, 5,478 \
             positions, 765 up to symmetry."
        ),
        tested!(
            held == 10 && stored as i64 == NODES,
            "Depth first held {held} positions at once, breadth first {stored}."
        ),
    ];
    let table = table!("tic-tac-toe", "Tic-tac-toe, searched to the end", rows, |row| {
        "what" => row.0,
        "counted" => row.1,
        "known" => row.2,
    });
    (table, findings)
}

/// All levels of a uniform tree together: 1 + b + ... + b^d.
fn all_levels(b: u64, d: u32) -> u64 {
    (0..=d).map(|i| b.pow(i)).sum()
}

/// What a whole iterative deepening costs against its last iteration, where nothing is cut off
/// and nothing learned: every level's tree is searched once.
fn deepening_overhead(b: u64, d: u32) -> f64 {
    let all: u64 = (0..=d).map(|i| all_levels(b, i)).sum();
    all as f64 / all_levels(b, d) as f64
}

/// The sums, by formula and as negamax visits them, and whether all were equal.
fn sums_table(cap: u64) -> (Table, bool) {
    let visited = |b: u32| {
        let d = (1..).take_while(|&d| u64::from(b).pow(d) <= cap).last();
        let d = d.unwrap_or(1);
        let tree = UniformTree::new(b, d, Order::BestFirst)?;
        Some((u64::from(b), d, negamax(&tree, d).1))
    };
    let factors = [2, 3, 10, 30, 40, 300].into_iter();
    let rows: Vec<_> = factors.filter_map(visited).collect();
    let is_sum = |nodes, leaves, b: u64, d| nodes == all_levels(b, d) && leaves == b.pow(d);
    let mut each = rows.iter();
    let equal = each.all(|(b, d, tally)| is_sum(tally.nodes, tally.leaves, *b, *d));
    let title = "All levels against the last one, at the deepest feasible depth d";
    let level = |row: &(u64, u32, Tally)| row.0.pow(row.1);
    let table = table!("sums", title, rows, |row| {
        "b" => row.0,
        "d" => row.1,
        "b^d" => level(row),
        "1 + b + ... + b^d" => all_levels(row.0, row.1),
        "negamax nodes" => row.2.nodes,
        "sum / b^d" => real(all_levels(row.0, row.1) as f64 / level(row) as f64, 4),
        "b / (b-1)" => real(row.0 as f64 / (row.0 - 1) as f64, 4),
        "all iterations / last" => real(deepening_overhead(row.0, row.1), 4),
    });
    (table, equal)
}

#[cfg(test)]
mod tests {
    use super::growth::plies_gained;
    use super::*;
    use crate::{
        game::Window,
        textbook::alpha_beta::{AlphaBeta, AsGenerated, Evaluate},
    };

    fn near(found: f64, known: f64, error: f64) {
        assert!((found - known).abs() < error, "{found} is not {known}");
    }

    #[test]
    fn tic_tac_toe_is_a_draw_and_breadth_first_holds_all_of_it() {
        let findings = tic_tac_toe().1;
        assert!(
            findings
                .iter()
                .all(|one| one.outcome == Some(Outcome::Holds))
        );
    }

    #[test]
    fn negamax_visits_every_level_once() {
        assert!(sums_table(30_000).1);
        assert_eq!(all_levels(3, 4), 121);
    }

    #[test]
    fn doubling_the_speed_gains_log_two_over_log_b_and_repeating_costs_little() {
        for (b, gained) in [(3, 0.6309), (30, 0.2038), (300, 0.1215)] {
            near(plies_gained(2.0, b as f64), gained, 1e-4);
            // Said the other way round: b times the nodes are one more ply, whatever b is.
            let factor = all_levels(b, 3) as f64 / all_levels(b, 2) as f64;
            near(plies_gained(factor, b as f64), 1.0, 0.03);
        }
        near(deepening_overhead(40, 6), 40.0 / 39.0, 1e-3);
        near(deepening_overhead(2, 20), 2.0, 1e-3);
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

    #[test]
    fn the_ratio_of_depths_rises_towards_two_and_stays_below() {
        let mut ratios = Vec::new();
        for (b, depth) in [(3, 10), (10, 6), (30, 4)] {
            let tree = UniformTree::new(b, depth, Order::BestFirst).unwrap();
            let mut search = AlphaBeta::new(AsGenerated, Evaluate);
            search.search(&tree, Window::FULL, depth);
            let b = f64::from(b);
            // Each level of the minimal tree has the leaves of a minimal tree.
            near(
                perfect_depth(b, search.tally.nodes as f64),
                depth.into(),
                1e-9,
            );
            let whole = |d| (0..=d).map(|i| b.powi(i)).sum();
            let [four, eight, many] = [4, 8, 32].map(|d| perfect_depth(b, whole(d)) / f64::from(d));
            assert!(four < eight && eight < many && many < 2.0, "b {b}");
            near(four, 1.6, 0.15);
            ratios.push(many);
        }
        near(ratios.into_iter().fold(2.0, f64::min), 1.93, 0.005);
    }
}
