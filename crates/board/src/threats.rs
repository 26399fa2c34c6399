//! What the opponent attacks.

use cozy_chess::{
    BitBoard, Color, File, Piece, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

use crate::position::Position;

/// Squares that the opponent of the side to move attacks, cumulated by the attacker's worth.
///
/// Pieces block lines, kings too; a piece that is pinned attacks all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threats {
    /// Squares attacked by pawns.
    pub pawn: BitBoard,
    /// Attacked by pawns, knights or bishops.
    pub minor: BitBoard,
    /// Attacked by pawns, knights, bishops or rooks.
    pub rook: BitBoard,
    /// Squares attacked by anything, kings included.
    pub all: BitBoard,
}

impl Threats {
    /// The threats against the side to move.
    #[inline]
    #[must_use]
    pub fn against(pos: &Position) -> Threats {
        let board = pos.board();
        let them = !pos.side_to_move();
        let theirs = board.colors(them);
        let occupied = board.occupied();
        let pawn = pawn_attacks(theirs & board.pieces(Piece::Pawn), them);
        let mut minor = pawn;
        for square in theirs & board.pieces(Piece::Knight) {
            minor |= get_knight_moves(square);
        }
        for square in theirs & board.pieces(Piece::Bishop) {
            minor |= get_bishop_moves(square, occupied);
        }
        let mut rook = minor;
        for square in theirs & board.pieces(Piece::Rook) {
            rook |= get_rook_moves(square, occupied);
        }
        let mut all = rook | get_king_moves(board.king(them));
        for square in theirs & board.pieces(Piece::Queen) {
            all |= get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
        }
        Threats {
            pawn,
            minor,
            rook,
            all,
        }
    }
}

/// The squares that `pawns` of `color` attack, all at once.
#[inline]
fn pawn_attacks(pawns: BitBoard, color: Color) -> BitBoard {
    let west = pawns.0 & !File::A.bitboard().0;
    let east = pawns.0 & !File::H.bitboard().0;
    BitBoard(match color {
        Color::White => west << 7 | east << 9,
        Color::Black => west >> 9 | east >> 7,
    })
}
