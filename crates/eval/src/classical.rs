//! The hand-made evaluation: a compact tapered sum in integers, fitted to the engine's own games.

mod formula;
mod king;
mod pair;
mod pawns;
mod pieces;
mod psq;
mod table;
mod threats;

use pair::Pair;
use sextant_board::{Board, Color, Delta, MAX_PLY, Position};

// For the files of this folder.
use crate::{bits, endgame};

/// What follows the moves: the accumulator of material and piece-square values by ply, from White's
/// point of view, and the pawn table.
#[derive(Clone, Debug)]
pub(crate) struct Accumulators {
    stack: Box<[Pair; MAX_PLY + 2]>,
    ply: usize,
    pawns: pawns::PawnTable,
}

impl Accumulators {
    pub(crate) fn new() -> Accumulators {
        Accumulators {
            stack: Box::new([Pair::ZERO; MAX_PLY + 2]),
            ply: 0,
            pawns: pawns::PawnTable::new(),
        }
    }

    pub(crate) fn reset(&mut self, board: &Board) {
        self.ply = 0;
        self.stack[0] = psq::total(board);
    }

    #[inline]
    pub(crate) fn push(&mut self, delta: &Delta) {
        let mut sum = self.stack[self.ply];
        for placed in delta.removed.iter().flatten() {
            sum -= psq::value(placed);
        }
        for placed in delta.added.iter().flatten() {
            sum += psq::value(placed);
        }
        self.ply += 1;
        self.stack[self.ply] = sum;
    }

    #[inline]
    pub(crate) fn push_null(&mut self) {
        self.ply += 1;
        self.stack[self.ply] = self.stack[self.ply - 1];
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        self.ply -= 1;
    }

    /// The value of the position that the moves led to, in centipawns for White.
    #[inline]
    pub(crate) fn value(&mut self, pos: &Position) -> i32 {
        let board = pos.board();
        debug_assert_eq!(self.stack[self.ply], psq::total(board));
        let entry = self.pawns.get(pos);
        let mut sides = [Pair::ZERO; Color::NUM];
        formula::tally_dynamic(board, &entry.structure, &mut sides);
        let sum = self.stack[self.ply] + entry.sum + sides[0] - sides[1];
        let scale = formula::scale(board, sum.eg());
        formula::taper(sum, formula::phase(board), scale)
    }
}
