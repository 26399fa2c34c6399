//! How pawns stand, which are passed and what helps or stops these, and what pawns mean to rooks
//! and bishops.

use sextant_board::{BitBoard, Color, Piece, Rank, Square, cozy_chess::get_rook_moves};

use super::{Found, pieces, scene::Scene};
use crate::bits::{self, DARK};

/// States of a pawn on its square: passed, isolated, doubled (an own pawn in front), backward (not
/// defended by pawns, and one attacks the square in front), blocked.
pub(super) const STATES: usize = pieces::END;
/// Rooks on files without own pawns, on their square.
const OPEN_FILES: usize = STATES + 5 * 64;
/// Distances of the own and of the other king from a passed pawn, by its rank.
const KING_DISTANCES: usize = OPEN_FILES + 64;
/// What else there is about a passed pawn, by its rank: nothing stands in its way; no square of the
/// way is attacked; it is defended; the other king cannot catch it; a rook or queen of its side
/// stands behind it; one of the other side does.
pub(super) const PASSED: usize = KING_DISTANCES + 2 * 64;
/// A pair of bishops, single ones of opposite colors, and the own pawns on the color of a single one.
const PAIR: usize = PASSED + 6 * 8;
const OPPOSITE: usize = PAIR + 1;
const ON_COLOR: usize = OPPOSITE + 1;
/// Classes of their number, the last for all that are larger.
const CLASSES: usize = 8;
/// Behind what this file numbers.
pub(super) const END: usize = ON_COLOR + CLASSES;

#[inline(always)]
pub(super) fn find(scene: &Scene<'_>, color: Color, found: &mut Found<'_>) {
    let [pawns, others] = [color, !color].map(|color| scene.pieces(color, Piece::Pawn));
    let passed = passed_pawns(pawns, others, color);
    let attacked_stops = bits::forward(!color, scene.attacks(!color, Piece::Pawn));
    let states = [
        passed,
        pawns & !bits::beside(files(pawns)),
        pawns & bits::ahead(!color, pawns),
        pawns & attacked_stops & !scene.attacks(color, Piece::Pawn),
        pawns & bits::forward(!color, scene.occupied),
    ];
    for pawn in pawns {
        for (state, squares) in states.into_iter().enumerate() {
            found.add_at_if(squares.has(pawn), color, STATES + 64 * state, pawn);
        }
    }
    for pawn in passed {
        passed_pawn(scene, color, pawn, found);
    }
    let on_open_files = scene.pieces(color, Piece::Rook) & !files(pawns);
    found.add_on(color, OPEN_FILES, on_open_files);
    bishops(scene, color, found);
}

/// All squares of the files on which there is something.
#[inline(always)]
fn files(set: BitBoard) -> BitBoard {
    set | bits::ahead(Color::White, set) | bits::ahead(Color::Black, set)
}

/// The pawns that no pawn of the other side stands in front of or beside the way of.
#[inline(always)]
fn passed_pawns(pawns: BitBoard, others: BitBoard, color: Color) -> BitBoard {
    let in_front = bits::ahead(!color, others);
    pawns & !in_front & !bits::beside(in_front)
}

#[inline(always)]
fn passed_pawn(scene: &Scene<'_>, color: Color, pawn: Square, found: &mut Found<'_>) {
    let rank = bits::rank_of(color, pawn);
    let [king, other_king] = [color, !color].map(|color| scene.kings[color as usize]);
    for (side, king) in [king, other_king].into_iter().enumerate() {
        let number = KING_DISTANCES + 64 * side + 8 * rank + bits::distance(king, pawn);
        found.add(color, number);
    }
    let way = bits::ahead(color, pawn.bitboard());
    let promotion = Square::new(pawn.file(), Rank::Eighth.relative_to(color));
    let seen = get_rook_moves(pawn, scene.occupied) & bits::ahead(!color, pawn.bitboard());
    let heavy = |side| scene.pieces(side, Piece::Rook) | scene.pieces(side, Piece::Queen);
    let is = [
        way.is_disjoint(scene.occupied),
        way.is_disjoint(scene.attacked(!color)),
        scene.attacked(color).has(pawn),
        bits::distance(other_king, promotion) > bits::distance(pawn, promotion),
        !seen.is_disjoint(heavy(color)),
        !seen.is_disjoint(heavy(!color)),
    ];
    for (kind, is) in is.into_iter().enumerate() {
        found.add_if(is, color, PASSED + 8 * kind + rank);
    }
}

#[inline(always)]
fn bishops(scene: &Scene<'_>, color: Color, found: &mut Found<'_>) {
    let [own, others] = [color, !color].map(|color| scene.pieces(color, Piece::Bishop));
    match own.len() {
        0 => {}
        1 => {
            let same = if own.is_subset(DARK) { DARK } else { !DARK };
            let pawns = (scene.pieces(color, Piece::Pawn) & same).len() as usize;
            found.add(color, ON_COLOR + pawns.min(CLASSES - 1));
            let is_opposite = others.len() == 1 && others.is_disjoint(same);
            found.add_if(is_opposite, color, OPPOSITE);
        }
        _ => found.add(color, PAIR),
    }
}
