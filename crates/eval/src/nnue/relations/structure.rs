//! How pawns and kings stand to each other. No other piece matters, so that a search meets the same
//! structures again and again.

use sextant_board::{BitBoard, Color, File, Piece, Rank, Square};

use super::{Found, scene::Sides};
use crate::bits;

/// States of a pawn on its square: passed, isolated, doubled (an own pawn in front), backward (not
/// defended by pawns, and one attacks the square in front), blocked by a pawn.
const STATES: usize = 0;
/// Distances of the own and of the other king from a passed pawn, by its rank.
const KING_DISTANCES: usize = STATES + 5 * 64;
/// Passed pawns that the other king cannot catch, by their rank.
const RUNNERS: usize = KING_DISTANCES + 2 * 64;
/// On the king's file and those beside it, how far the next own pawn and the next of the other side
/// are away, in ranks.
const SHELTER: usize = RUNNERS + 8;
/// Classes of this distance, the last for no pawn.
const CLASSES: usize = 8;
/// How far the kings are apart.
const KINGS: usize = SHELTER + 2 * 3 * CLASSES;
/// Behind what this file numbers.
pub(super) const END: usize = KINGS + 8;

/// A side's pawns and king.
#[derive(Clone, Copy, Debug)]
struct Side {
    color: Color,
    pawns: BitBoard,
    king: Square,
}

/// Nothing if a side has no king.
pub(super) fn find(sides: &Sides, found: &mut Found<impl FnMut(usize)>) {
    let side = |color| {
        sides.king(color).map(|king| Side {
            color,
            pawns: sides.pieces(color, Piece::Pawn),
            king,
        })
    };
    let (Some(white), Some(black)) = (side(Color::White), side(Color::Black)) else {
        return;
    };
    for (own, other) in [(white, black), (black, white)] {
        pawns(own, other, found);
        shelter(own, other, found);
        found.add(own.color, KINGS + bits::distance(own.king, other.king));
    }
}

/// The pawns of `color` that no pawn of the other side stands in front of, or beside the way of.
#[inline(always)]
pub(super) fn passed(sides: &Sides, color: Color) -> BitBoard {
    passed_of(
        sides.pieces(color, Piece::Pawn),
        sides.pieces(!color, Piece::Pawn),
        color,
    )
}

#[inline(always)]
fn passed_of(pawns: BitBoard, others: BitBoard, color: Color) -> BitBoard {
    let in_front = bits::ahead(!color, others);
    pawns & !in_front & !bits::beside(in_front)
}

fn pawns(own: Side, other: Side, found: &mut Found<impl FnMut(usize)>) {
    let Side { color, pawns, .. } = own;
    let passed = passed_of(pawns, other.pawns, color);
    let attacked_stops = bits::forward(!color, bits::pawn_attacks(!color, other.pawns));
    let states = [
        passed,
        pawns & !bits::beside(files(pawns)),
        pawns & bits::ahead(!color, pawns),
        pawns & attacked_stops & !bits::pawn_attacks(color, pawns),
        pawns & bits::forward(!color, pawns | other.pawns),
    ];
    for (state, squares) in states.into_iter().enumerate() {
        found.add_on(color, STATES + 64 * state, squares);
    }
    for pawn in passed {
        let rank = bits::rank_of(color, pawn);
        for (side, king) in [own.king, other.king].into_iter().enumerate() {
            let number = KING_DISTANCES + 64 * side + 8 * rank + bits::distance(king, pawn);
            found.add(color, number);
        }
        let promotion = Square::new(pawn.file(), Rank::Eighth.relative_to(color));
        let is_far = bits::distance(other.king, promotion) > bits::distance(pawn, promotion);
        found.add_if(is_far, color, RUNNERS + rank);
    }
}

/// All squares of the files on which there is something.
#[inline(always)]
pub(super) fn files(set: BitBoard) -> BitBoard {
    set | bits::ahead(Color::White, set) | bits::ahead(Color::Black, set)
}

/// The pawns in front of a king and beside it, or that there are none.
fn shelter(own: Side, other: Side, found: &mut Found<impl FnMut(usize)>) {
    let Side { color, king, .. } = own;
    let level = king.rank().bitboard();
    let in_front = level | bits::ahead(color, level);
    // From the edge of the board to its middle.
    let inwards = if king.file() < File::E { 1 } else { -1 };
    for (at, offset) in [-inwards, 0, inwards].into_iter().enumerate() {
        let Some(beside) = king.try_offset(offset, 0) else {
            continue;
        };
        let column = beside.file().bitboard() & in_front;
        for (kind, pawns) in [own.pawns, other.pawns].into_iter().enumerate() {
            let nearest = bits::nearest(color, pawns & column);
            let class = nearest.map_or(CLASSES - 1, |rank| rank - bits::rank_of(color, king));
            found.add(color, SHELTER + CLASSES * (3 * kind + at) + class);
        }
    }
}
