//! Pieces: mobility, files, outposts, and the attack sets that king safety and threats use.

use sextant_board::{
    BitBoard, Board, Color, Piece, Rank, Square,
    cozy_chess::{get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves},
};

use super::{
    pair::Pair,
    pawns::Structure,
    table::{
        BISHOP_PAIR, BISHOP_PAWNS, MOBILITY_BISHOP, MOBILITY_KNIGHT, MOBILITY_QUEEN, MOBILITY_ROOK,
        OUTPOST, ROOK_FILE,
    },
};
use crate::bits;

/// Who attacks what; arrays by color of the attacker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attacks {
    /// By kind of piece.
    pub(crate) by: [[BitBoard; Piece::NUM]; Color::NUM],
    pub(crate) any: [BitBoard; Color::NUM],
    /// By two pieces or more.
    pub(crate) twice: [BitBoard; Color::NUM],
    /// Attack units against the other side's king (see [`super::threats`]).
    pub(crate) units: [i32; Color::NUM],
}

/// Attack units of a piece that attacks at least one square of the king's ring, by kind.
const ATTACKER: [i32; Piece::NUM] = [0, 2, 2, 3, 4, 0];

impl Attacks {
    /// Pawns and kings, which need no look at other pieces.
    pub(crate) fn of_pawns_and_kings(board: &Board) -> Attacks {
        let mut attacks = Attacks {
            by: [[BitBoard::EMPTY; Piece::NUM]; Color::NUM],
            any: [BitBoard::EMPTY; Color::NUM],
            twice: [BitBoard::EMPTY; Color::NUM],
            units: [0; Color::NUM],
        };
        for us in Color::ALL {
            let pawns = board.colored_pieces(us, Piece::Pawn);
            let by_pawn = bits::pawn_attacks(us, pawns);
            let by_king = get_king_moves(board.king(us));
            let side = us as usize;
            attacks.by[side][Piece::Pawn as usize] = by_pawn;
            attacks.by[side][Piece::King as usize] = by_king;
            attacks.any[side] = by_pawn | by_king;
            attacks.twice[side] = bits::double_pawn_attacks(us, pawns) | (by_pawn & by_king);
        }
        attacks
    }

    #[inline(always)]
    fn note(&mut self, us: Color, piece: Piece, reach: BitBoard, ring: BitBoard) {
        let side = us as usize;
        self.twice[side] |= self.any[side] & reach;
        self.any[side] |= reach;
        self.by[side][piece as usize] |= reach;
        let hits = (reach & ring).len() as i32;
        if hits > 0 {
            self.units[side] += ATTACKER[piece as usize] + hits;
        }
    }
}

/// The squares around a king, and the rank before them.
pub(crate) fn ring(us: Color, king: Square) -> BitBoard {
    let around = get_king_moves(king) | king.bitboard();
    around | bits::forward(us, around)
}

/// The piece terms of one side; fills in its attacks.
#[inline(always)]
pub(crate) fn tally(
    board: &Board,
    structure: &Structure,
    attacks: &mut Attacks,
    us: Color,
    sum: &mut Pair,
) {
    let ours = board.colors(us);
    let pawns = board.colored_pieces(us, Piece::Pawn);
    let occupied = board.occupied();
    let their_pawn_attacks = attacks.by[!us as usize][Piece::Pawn as usize];
    // Blocked pawns, and the king, are in the way; other own pieces will move on.
    let blocked = pawns & bits::forward(!us, occupied);
    let area = !(their_pawn_attacks | blocked | board.king(us).bitboard());
    let ring = ring(!us, board.king(!us));
    let outposts = attacks.by[us as usize][Piece::Pawn as usize]
        & !structure.reach[!us as usize]
        & bits::ranks(us, Rank::Fourth, Rank::Sixth);

    let knights = ours & board.pieces(Piece::Knight);
    for square in knights {
        let reach = get_knight_moves(square);
        attacks.note(us, Piece::Knight, reach, ring);
        *sum += MOBILITY_KNIGHT[(reach & area).len() as usize];
    }
    let bishops = ours & board.pieces(Piece::Bishop);
    // Sliders look through own queens (bishops) and own rooks and queens (rooks).
    let queens = board.pieces(Piece::Queen) & ours;
    let rooks = ours & board.pieces(Piece::Rook);
    for square in bishops {
        let reach = get_bishop_moves(square, occupied & !queens);
        attacks.note(us, Piece::Bishop, reach, ring);
        *sum += MOBILITY_BISHOP[(reach & area).len() as usize];
        let same_color = if bits::DARK.has(square) {
            bits::DARK
        } else {
            !bits::DARK
        };
        *sum += BISHOP_PAWNS[0] * (pawns & same_color).len() as i32;
    }
    if !(bishops & bits::DARK).is_empty() && !(bishops & !bits::DARK).is_empty() {
        *sum += BISHOP_PAIR[0];
    }
    *sum += OUTPOST[0] * (knights & outposts).len() as i32;
    *sum += OUTPOST[1] * (bishops & outposts).len() as i32;

    let their_pawns = board.colored_pieces(!us, Piece::Pawn);
    for square in rooks {
        let reach = get_rook_moves(square, occupied & !(queens | rooks));
        attacks.note(us, Piece::Rook, reach, ring);
        *sum += MOBILITY_ROOK[(reach & area).len() as usize];
        let file = square.file().bitboard();
        if (file & pawns).is_empty() {
            *sum += ROOK_FILE[usize::from((file & their_pawns).is_empty())];
        }
    }
    for square in queens {
        let reach = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
        attacks.note(us, Piece::Queen, reach, ring);
        *sum += MOBILITY_QUEEN[(reach & area).len() as usize];
    }
}
