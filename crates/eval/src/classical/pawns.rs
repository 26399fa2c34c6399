//! Pawn structure and the king's pawn cover: all that depends on pawns and kings only, and is
//! therefore cached.

use sextant_board::{BitBoard, Board, Color, Piece, Rank, Square};

use super::{
    pair::Pair,
    table::{
        BACKWARD, CONNECTED, DOUBLED, ISOLATED, PASSED, PASSED_OWN_KING, PASSED_THEIR_KING,
        SHELTER, STORM,
    },
};
use crate::bits;

/// Sets that other terms need and that follow from the pawns alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Structure {
    /// Passed pawns of both sides.
    pub(crate) passed: BitBoard,
    /// By color: squares that its pawns attack or may attack after advancing.
    pub(crate) reach: [BitBoard; Color::NUM],
}

pub(crate) fn structure(board: &Board) -> Structure {
    let pawns = Color::ALL.map(|us| board.colored_pieces(us, Piece::Pawn));
    let reach = Color::ALL.map(|us| {
        let attacks = bits::pawn_attacks(us, pawns[us as usize]);
        attacks | bits::ahead(us, attacks)
    });
    let passed = Color::ALL.map(|us| {
        let (ours, theirs) = (pawns[us as usize], pawns[!us as usize]);
        let guarded = reach[!us as usize] | bits::ahead(!us, theirs | ours);
        ours & !guarded
    });
    Structure {
        passed: passed[0] | passed[1],
        reach,
    }
}

/// The structure terms of one side.
#[inline(always)]
pub(crate) fn tally(board: &Board, structure: &Structure, us: Color, sum: &mut Pair) {
    let ours = board.colored_pieces(us, Piece::Pawn);
    let theirs = board.colored_pieces(!us, Piece::Pawn);
    let their_attacks = bits::pawn_attacks(!us, theirs);
    for square in ours {
        let pawn = square.bitboard();
        let rank = bits::rank_of(us, square);
        let neighbors = ours & square.file().adjacent();
        let open = usize::from((bits::ahead(us, pawn) & (ours | theirs)).is_empty());
        let stop = bits::forward(us, pawn);
        if neighbors.is_empty() {
            *sum += ISOLATED[open];
        } else if !(neighbors & (bits::beside(pawn) | bits::beside(bits::forward(!us, pawn))))
            .is_empty()
        {
            *sum += CONNECTED[rank];
        } else if structure_behind(us, square, neighbors).is_empty()
            && !(stop & (their_attacks | theirs)).is_empty()
        {
            *sum += BACKWARD[open];
        }
        if !(bits::ahead(us, pawn) & ours).is_empty() {
            *sum += DOUBLED[0];
        }
        if structure.passed.has(square) {
            passed(board, us, square, sum);
        }
    }
    cover(us, board.king(us), ours, theirs, sum);
}

/// The neighbors level with or behind the pawn: those that may yet support it.
fn structure_behind(us: Color, square: Square, neighbors: BitBoard) -> BitBoard {
    neighbors & !bits::ahead(us, square.rank().bitboard())
}

/// Rank of a passed pawn and the race of the kings to it.
fn passed(board: &Board, us: Color, square: Square, sum: &mut Pair) {
    let rank = bits::rank_of(us, square);
    *sum += PASSED[rank];
    if rank >= Rank::Fourth as usize
        && let Some(stop) = bits::forward(us, square.bitboard()).next_square()
    {
        *sum += PASSED_OWN_KING[bits::distance(board.king(us), stop)];
        *sum += PASSED_THEIR_KING[bits::distance(board.king(!us), stop)];
    }
}

/// The pawns before the king: own shelter and their storm on each of three files.
fn cover(us: Color, king: Square, ours: BitBoard, theirs: BitBoard, sum: &mut Pair) {
    let king_rank = bits::rank_of(us, king);
    let level = king.rank().bitboard();
    let front = level | bits::ahead(us, level);
    for file in bits::three_files(king.file()) & Rank::First.bitboard() {
        let column = file.file().bitboard() & front;
        let gap = |pawns: BitBoard| bits::nearest(us, pawns & column).map(|rank| rank - king_rank);
        let shelter = match gap(ours & !level) {
            Some(gap) => gap.clamp(1, 3) - 1,
            None => 3,
        };
        *sum += SHELTER[shelter];
        *sum += STORM[gap(theirs).map_or(4, |gap| gap.min(3))];
    }
}

/// What the pawn table keeps of one structure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) structure: Structure,
    /// All terms of this file, White minus Black.
    pub(crate) sum: Pair,
}

impl Entry {
    /// That of a board without pawns.
    pub(crate) const EMPTY: Entry = Entry {
        structure: Structure {
            passed: BitBoard::EMPTY,
            reach: [BitBoard::EMPTY; Color::NUM],
        },
        sum: Pair::ZERO,
    };

    /// The terms and sets of a board.
    pub(crate) fn of(board: &Board) -> Entry {
        let structure = structure(board);
        let [mut white, mut black] = [Pair::ZERO; Color::NUM];
        tally(board, &structure, Color::White, &mut white);
        tally(board, &structure, Color::Black, &mut black);
        Entry {
            structure,
            sum: white - black,
        }
    }
}
