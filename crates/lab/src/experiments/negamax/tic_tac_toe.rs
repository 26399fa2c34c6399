//! Tic-tac-toe searched to the end: without a table, with one, and up to symmetry.

use std::collections::HashMap;

use crate::game::tic_tac_toe::TicTacToe;
use crate::game::{Game, Value};
use crate::report::{Cell, Table};
use crate::textbook::breadth_first::{BreadthFirst, breadth_first};
use crate::textbook::minimax::minimax;
use crate::textbook::negamax::negamax;
use crate::textbook::observer::Tally;
use crate::textbook::solving::solve;

/// Nodes of the full game tree: every sequence of moves, finished or not.
pub const NODES: u64 = 549_946;
/// Leaves of the full game tree: different games.
pub const GAMES: u64 = 255_168;
/// Different positions that can arise.
pub const POSITIONS: usize = 5_478;
/// Different positions up to turning and mirroring the board.
pub const UP_TO_SYMMETRY: usize = 765;
/// A game is over after nine moves at most.
const ALL_PLIES: u32 = 9;

/// Everything that was counted about tic-tac-toe.
#[derive(Clone, Debug)]
pub struct Counts {
    /// Value of the empty board by each of the algorithms; all must be equal.
    pub values: Vec<(&'static str, Value)>,
    /// What negamax visits.
    pub full: Tally,
    /// Positions in the table of the solver.
    pub positions: usize,
    /// The same up to symmetry.
    pub up_to_symmetry: usize,
    /// What breadth-first search holds.
    pub breadth: BreadthFirst,
}

impl Counts {
    /// Counts everything; takes a fraction of a second.
    #[must_use]
    pub fn take() -> Counts {
        let start = TicTacToe::default();
        let mut full = Tally::default();
        let mut plain = HashMap::new();
        let mut symmetric = HashMap::new();
        let breadth = breadth_first(&start, ALL_PLIES);
        let values = vec![
            ("minimax", minimax(&start, ALL_PLIES, &mut ())),
            ("negamax", negamax(&start, ALL_PLIES, &mut full)),
            (
                "negamax with a table",
                solve(&start, &TicTacToe::key, &mut plain),
            ),
            (
                "negamax with a table up to symmetry",
                solve(&start, &TicTacToe::symmetric_key, &mut symmetric),
            ),
            ("breadth first", breadth.value),
        ];
        Counts {
            values,
            full,
            positions: plain.len(),
            up_to_symmetry: symmetric.len(),
            breadth,
        }
    }

    /// Whether every figure is the known one and every algorithm says draw.
    #[must_use]
    pub fn as_known(&self) -> bool {
        self.values.iter().all(|&(_, value)| value == Value::ZERO)
            && (self.full.nodes, self.full.leaves) == (NODES, GAMES)
            && (self.positions, self.up_to_symmetry) == (POSITIONS, UP_TO_SYMMETRY)
    }

    /// The figures as a table.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = Table::new(
            "tic-tac-toe",
            "Tic-tac-toe, searched to the end",
            &["what", "counted", "known"],
        );
        for &(algorithm, value) in &self.values {
            table.row([
                format!("value, {algorithm}").into(),
                value.0.into(),
                0_i64.into(),
            ]);
        }
        let counted: [(&str, Cell, Cell); 4] = [
            (
                "nodes of the full tree",
                self.full.nodes.into(),
                NODES.into(),
            ),
            (
                "leaves of the full tree (games)",
                self.full.leaves.into(),
                GAMES.into(),
            ),
            (
                "positions in the table",
                self.positions.into(),
                POSITIONS.into(),
            ),
            (
                "positions up to symmetry",
                self.up_to_symmetry.into(),
                UP_TO_SYMMETRY.into(),
            ),
        ];
        for (what, counted, known) in counted {
            table.row([what.into(), counted, known]);
        }
        table
    }

    /// Positions held at once, depth first against breadth first, and their bytes.
    #[must_use]
    pub fn memory_table(&self) -> Table {
        let mut table = Table::new(
            "memory",
            "Tic-tac-toe: positions in memory at once, when looking so many plies ahead",
            &[
                "plies",
                "depth first",
                "breadth first",
                "bytes depth first",
                "bytes breadth first",
            ],
        );
        let size = size_of::<TicTacToe>();
        let mut stored = 0;
        for (plies, level) in (0_usize..).zip(&self.breadth.levels) {
            stored += level;
            let path = plies + 1;
            table.row([
                plies.into(),
                path.into(),
                stored.into(),
                (path * size).into(),
                (stored * size).into(),
            ]);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tic_tac_toe_is_a_draw_and_every_count_is_the_known_one() {
        let counts = Counts::take();
        assert!(counts.values.iter().all(|&(_, value)| value == Value::ZERO));
        assert_eq!(counts.full.nodes, 549_946);
        assert_eq!(counts.full.leaves, 255_168);
        assert_eq!(counts.positions, 5_478);
        assert_eq!(counts.up_to_symmetry, 765);
        assert!(counts.as_known());
    }

    #[test]
    fn depth_first_holds_one_path_and_breadth_first_everything() {
        let counts = Counts::take();
        assert_eq!(counts.full.deepest_path, 10);
        assert_eq!(counts.breadth.stored() as u64, NODES);
        let levels = [
            1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872,
        ];
        assert_eq!(counts.breadth.levels, levels);
    }
}
