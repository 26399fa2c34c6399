//! The hand-made evaluation: a compact tapered sum in integers, fitted to the engine's own games.
//!
//! All terms are sums of weights, White's minus Black's, in a middlegame and an endgame half. With
//! `phase` from 24 (all pieces) to 0 (none) and `scale` from [`endgame`], the value for White is
//!
//! ```text
//! (mg * phase + eg * (24 - phase) * scale / 64) / 24
//! ```
//!
//! in integers, each division rounding towards zero (which keeps the colors symmetric).

mod pair;
mod pawns;
mod pieces;
mod psq;
mod table;
mod threats;

use pair::Pair;
use pawns::Structure;
use pieces::Attacks;
use sextant_board::{Board, Color, Delta, MAX_PLY, Piece, Position};

use crate::{
    endgame,
    pawn_table::{self, PawnTable},
};

/// What follows the moves: the accumulator of material and piece-square values by ply, from White's
/// point of view, and the pawn table.
#[derive(Clone, Debug)]
pub(crate) struct Accumulators {
    stack: Box<[Pair; MAX_PLY + 2]>,
    ply: usize,
    pawns: PawnTable<pawns::Entry>,
}

impl Accumulators {
    pub(crate) fn new() -> Accumulators {
        Accumulators {
            stack: Box::new([Pair::ZERO; MAX_PLY + 2]),
            ply: 0,
            pawns: PawnTable::new(&pawns::Entry::EMPTY),
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
            sum = sum - psq::value(placed);
        }
        for placed in delta.added.iter().flatten() {
            sum += psq::value(placed);
        }
        self.ply += 1;
        self.stack[self.ply] = sum;
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
        let key = pawn_table::key(pos);
        let entry = self.pawns.get(key, || pawns::Entry::of(board));
        let mut sides = [Pair::ZERO; Color::NUM];
        tally_dynamic(board, &entry.structure, &mut sides);
        let sum = self.stack[self.ply] + entry.sum + sides[0] - sides[1];
        let strong = match sum.eg() {
            1.. => Color::White,
            _ => Color::Black,
        };
        taper(sum, phase(board), endgame::scale(board, strong))
    }
}

/// Phase of a board with all its pieces.
const PHASE_ONE: i32 = 24;

/// The game phase: [`PHASE_ONE`] with all pieces on the board, 0 with pawns and kings only.
#[inline]
fn phase(board: &Board) -> i32 {
    let count = |piece| board.pieces(piece).len() as i32;
    let minors = count(Piece::Knight) + count(Piece::Bishop);
    (minors + 2 * count(Piece::Rook) + 4 * count(Piece::Queen)).min(PHASE_ONE)
}

#[inline]
fn taper(sum: Pair, phase: i32, scale: i32) -> i32 {
    let eg = sum.eg() * (PHASE_ONE - phase) * scale / endgame::SCALE_ONE;
    (sum.mg() * phase + eg) / PHASE_ONE
}

/// All terms that must be computed afresh in every position: neither piece-square nor pawns.
#[inline]
fn tally_dynamic(board: &Board, structure: &Structure, sums: &mut [Pair; Color::NUM]) {
    let mut attacks = Attacks::of_pawns_and_kings(board);
    let [white, black] = sums;
    // Side by side, not in a loop: compiled for each color, nothing asks at run time which it is.
    pieces::tally(board, structure, &mut attacks, Color::White, white);
    pieces::tally(board, structure, &mut attacks, Color::Black, black);
    tally_side(board, structure, &attacks, Color::White, white);
    tally_side(board, structure, &attacks, Color::Black, black);
}

/// What needs the attacks of both sides.
#[inline(always)]
fn tally_side(board: &Board, structure: &Structure, attacks: &Attacks, us: Color, sum: &mut Pair) {
    threats::tally_king(board, attacks, us, sum);
    threats::tally(board, attacks, us, sum);
    threats::tally_passed(board, structure, attacks, us, sum);
}
