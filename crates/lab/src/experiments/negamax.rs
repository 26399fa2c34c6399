//! Experiment 3: negamax and iterative deepening, after Eppstein's lecture notes (ICS 180, 1997).

mod growth;

use growth::{Growth, TWICE};

use crate::experiments::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "negamax",
    title: "Negamax and iterative deepening",
    claim: "Depth-first negamax evaluates a game tree while holding one path, where breadth-first \
            holds all of it; it visits 1 + b + ... + b^d nodes, hardly more than the last level; a \
            machine twice as fast gains log 2 / log b plies; alpha-beta brings b down to about its \
            square root and so searches twice as deep; repeating the shallow searches of iterative \
            deepening costs little and helps the move order (Eppstein, ICS 180, 17 April 1997).",
    takes_hours: false,
    run,
};

fn run(context: &Context) -> Result<Report, Failure> {
    let chess = Growth::measure(context)?;
    let mut findings = Vec::from(settled());
    findings.extend(chess.findings());
    let ratio = chess.best_depth_ratio();
    Ok(Report {
        tables: vec![chess.table(), chess.branching_table()],
        figures: vec![chess.chart()],
        summary: format!(
            "The counts are exact, and in chess alpha-beta gets {ratio:.2} times as deep as \
             negamax{}.",
            if ratio > TWICE { "" } else { ", not twice" },
        ),
        findings,
    })
}

/// Counts and arithmetic: tests of this module.
fn settled() -> [Finding; 5] {
    [
        tested!(
            true,
            "Tic-tac-toe is a draw: 549,946 nodes, 255,168 games, 5,478 positions, 765 up to \
             symmetry."
        ),
        tested!(
            true,
            "To its end depth first holds 10 positions at once, breadth first all 549,946."
        ),
        tested!(
            true,
            "Negamax visits exactly 1 + b + ... + b^d nodes on uniform trees, close to b/(b-1) \
             times the last level."
        ),
        noted!(
            "By log 2 / log b a machine twice as fast gains 0.631 plies where there are 3 moves, \
             0.204 with 30 and 0.122 with 300."
        ),
        tested!(
            true,
            "With perfect order on uniform trees alpha-beta gets about 1.5 times as deep as \
             negamax to depth 4 and at least 1.93 times to depth 32, so twice is the limit."
        ),
    ]
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, iter};

    use super::growth::plies_gained;
    use crate::{
        game::{
            Game, Value, Window,
            uniform::{Order, UniformTree},
        },
        textbook::{AlphaBeta, as_generated, evaluate, negamax},
    };

    fn near(found: f64, known: f64, error: f64) {
        assert!((found - known).abs() < error, "{found} is not {known}");
    }

    /// The squares of the mover and of the opponent, row by row.
    #[derive(Clone, Copy)]
    struct TicTacToe(u16, u16);

    const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

    impl TicTacToe {
        fn lost(self) -> bool {
            LINES.iter().any(|&line| line & !self.1 == 0)
        }

        /// The smallest key among the turned and mirrored copies of this position.
        fn symmetric_key(&self) -> u64 {
            let quarter_turn = |square| square % 3 * 3 + (2 - square / 3);
            let mirror = |square| square / 3 * 3 + (2 - square % 3);
            let mut copy = *self;
            let keys = (0..8).map(|number| {
                copy = copy.moved(quarter_turn);
                if number == 4 {
                    copy = copy.moved(mirror);
                }
                copy.key()
            });
            keys.min().unwrap()
        }

        fn moved(self, place: fn(u16) -> u16) -> TicTacToe {
            let moved = |set: u16| {
                let squares = (0..9).filter(|square| set >> square & 1 == 1);
                squares.map(|square| 1 << place(square)).sum()
            };
            TicTacToe(moved(self.0), moved(self.1))
        }
    }

    impl Game for TicTacToe {
        type Move = u16;

        fn moves(&self) -> Vec<u16> {
            let squares = (0..9).map(|square| 1 << square);
            let free = squares.filter(|square| (self.0 | self.1) & square == 0);
            free.filter(|_| !self.lost()).collect()
        }

        fn play(&self, square: u16) -> TicTacToe {
            TicTacToe(self.1, self.0 | square)
        }

        fn key(&self) -> u64 {
            u64::from(self.0) << 9 | u64::from(self.1)
        }

        fn evaluate(&self) -> Value {
            Value(if self.lost() { -1 } else { 0 })
        }
    }

    #[test]
    fn tic_tac_toe_is_a_draw_and_breadth_first_holds_all_of_it() {
        let start = TicTacToe(0, 0);
        let mut nodes = 0;
        assert_eq!(negamax(&start, 9, &mut nodes), Value::ZERO);
        let levels = iter::successors(Some(vec![start]), |level| {
            let children = level
                .iter()
                .flat_map(|at| at.moves().into_iter().map(|mv| at.play(mv)));
            let next: Vec<_> = children.collect();
            (!next.is_empty()).then_some(next)
        });
        let levels: Vec<_> = levels.collect();
        assert_eq!(levels.len(), 10);
        let all = levels.concat();
        assert_eq!((nodes, all.len()), (549_946, 549_946));
        let games = all.iter().filter(|position| position.moves().is_empty());
        assert_eq!(games.count(), 255_168);
        for (key, count) in [
            (TicTacToe::key as fn(&TicTacToe) -> u64, 5_478),
            (TicTacToe::symmetric_key, 765),
        ] {
            assert_eq!(all.iter().map(key).collect::<HashSet<_>>().len(), count);
        }
    }

    /// All levels of a uniform tree together: 1 + b + ... + b^d.
    fn all_levels(b: u64, d: u32) -> u64 {
        (0..=d).map(|i| b.pow(i)).sum()
    }

    #[test]
    fn negamax_visits_every_level_once_and_repeating_costs_little() {
        for (b, depth) in [(2, 14), (3, 9), (10, 4), (30, 3), (300, 1)] {
            let tree = UniformTree::new(b, depth, Order::BestFirst).unwrap();
            let mut nodes = 0;
            negamax(&tree, depth, &mut nodes);
            let b = u64::from(b);
            assert_eq!(nodes, all_levels(b, depth));
            let (level, factor) = (b.pow(depth) as f64, b as f64 / (b - 1) as f64);
            near(nodes as f64 / level, factor, 1e-3);
            // Every iteration searches its tree once.
            let iterations: u64 = (0..=depth).map(|depth| all_levels(b, depth)).sum();
            near(iterations as f64 / nodes as f64, factor, 1e-3);
        }
    }

    #[test]
    fn doubling_the_speed_gains_log_two_over_log_b() {
        for (b, gained) in [(3, 0.6309), (30, 0.2038), (300, 0.1215)] {
            near(plies_gained(2.0, b as f64), gained, 1e-4);
            // Said the other way round: b times the nodes are one more ply, whatever b is.
            let factor = all_levels(b, 3) as f64 / all_levels(b, 2) as f64;
            near(plies_gained(factor, b as f64), 1.0, 0.03);
        }
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
            let mut search = AlphaBeta::new(as_generated, evaluate);
            search.search(&tree, Window::FULL, depth);
            let (b, nodes) = (f64::from(b), search.tally.nodes as f64);
            // Each level of the minimal tree has the leaves of a minimal tree.
            near(perfect_depth(b, nodes), depth.into(), 1e-9);
            let whole = |d| (0..=d).map(|i| b.powi(i)).sum();
            let [four, eight, many] = [4, 8, 32].map(|d| perfect_depth(b, whole(d)) / f64::from(d));
            assert!(four < eight && eight < many && many < 2.0, "b {b}");
            near(four, 1.6, 0.15);
            ratios.push(many);
        }
        near(ratios.into_iter().fold(2.0, f64::min), 1.93, 0.005);
    }
}
