//! Under which key a position is kept in the table.

use sextant_board::{Move, Piece, Position};

/// Up to this clock a position's key is its table key; above, positions of different clock buckets
/// are kept apart, because the fifty-move rule makes them different.
const CLOCK_BUCKETS_FROM: u16 = 14;
/// An odd number that spreads small ones over all bits of a key (the golden ratio).
const CLOCK_SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The key under which a position is kept in the table.
#[inline]
pub(crate) fn tt_key(pos: &Position) -> u64 {
    at_clock(pos.key(), pos.clock())
}

/// The key of exact mode: every half-move clock has its own, for it moves the evaluation.
#[inline]
pub(crate) fn exact_tt_key(pos: &Position) -> u64 {
    pos.key() ^ u64::from(pos.clock()).wrapping_mul(CLOCK_SPREAD)
}

/// The table key after a move that was not made yet, right for most moves: to ask for its entry
/// early.
#[inline]
pub(crate) fn tt_key_guess(pos: &Position, mv: Move) -> u64 {
    let board = pos.board();
    let zeroing =
        board.pieces(Piece::Pawn).has(mv.from) || board.colors(!pos.side_to_move()).has(mv.to);
    at_clock(pos.key_guess(mv), if zeroing { 0 } else { pos.clock() + 1 })
}

#[inline]
fn at_clock(key: u64, clock: u16) -> u64 {
    if clock < CLOCK_BUCKETS_FROM {
        return key;
    }
    key ^ (u64::from(clock / 8) + 1).wrapping_mul(CLOCK_SPREAD)
}
