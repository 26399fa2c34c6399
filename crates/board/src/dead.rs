//! Positions that nobody can win.

use cozy_chess::{BitBoard, Board, Piece};

/// Can neither side mate, whatever both play? True for bare kings, for a single knight, and for
/// any bishops that all stand on squares of one color. (Blocked positions can be dead too; those
/// are not looked for.)
#[inline]
#[must_use]
pub fn is_insufficient_material(board: &Board) -> bool {
    let majors_and_pawns =
        board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !majors_and_pawns.is_empty() {
        return false;
    }
    let knights = board.pieces(Piece::Knight);
    let bishops = board.pieces(Piece::Bishop);
    if knights.is_empty() {
        bishops.is_subset(BitBoard::LIGHT_SQUARES) || bishops.is_subset(BitBoard::DARK_SQUARES)
    } else {
        bishops.is_empty() && knights.len() == 1
    }
}
