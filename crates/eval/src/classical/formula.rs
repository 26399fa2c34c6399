//! The classical evaluation put together.
//!
//! All terms are sums of weights, White's minus Black's, in a middlegame and an endgame half. With
//! `phase` from 24 (all pieces) to 0 (none) and `scale` from [`endgame`], the value for White is
//!
//! ```text
//! (mg * phase + eg * (24 - phase) * scale / 64) / 24
//! ```
//!
//! in integers, each division rounding towards zero (which keeps the colors symmetric).

use sextant_board::{Board, Color, Piece};

use super::{
    endgame, king,
    pair::Pair,
    pawns::Structure,
    pieces::{self, Attacks},
    threats,
};

/// Phase of a board with all its pieces.
const PHASE_ONE: i32 = 24;

/// The game phase: [`PHASE_ONE`] with all pieces on the board, 0 with pawns and kings only.
#[inline]
pub(crate) fn phase(board: &Board) -> i32 {
    let count = |piece| board.pieces(piece).len() as i32;
    let minors = count(Piece::Knight) + count(Piece::Bishop);
    (minors + 2 * count(Piece::Rook) + 4 * count(Piece::Queen)).min(PHASE_ONE)
}

/// How much of the endgame half counts, in 64ths.
#[inline]
pub(crate) fn scale(board: &Board, eg: i32) -> i32 {
    let strong = if eg > 0 { Color::White } else { Color::Black };
    endgame::scale(board, strong)
}

#[inline]
pub(crate) fn taper(sum: Pair, phase: i32, scale: i32) -> i32 {
    let eg = sum.eg() * (PHASE_ONE - phase) * scale / endgame::SCALE_ONE;
    (sum.mg() * phase + eg) / PHASE_ONE
}

/// All terms that must be computed afresh in every position: neither piece-square nor pawns.
#[inline]
pub(crate) fn tally_dynamic(board: &Board, structure: &Structure, sums: &mut [Pair; Color::NUM]) {
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
    king::tally(board, attacks, us, sum);
    threats::tally(board, attacks, us, sum);
    threats::tally_passed(board, structure, attacks, us, sum);
}
