//! Attack sets that several modules need.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Square, get_between_rays, get_bishop_moves, get_bishop_rays,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

/// Bishops and queens of both sides.
#[inline]
pub(crate) fn diagonal_sliders(board: &Board) -> BitBoard {
    board.pieces(Piece::Bishop) | board.pieces(Piece::Queen)
}

/// Rooks and queens of both sides.
#[inline]
pub(crate) fn straight_sliders(board: &Board) -> BitBoard {
    board.pieces(Piece::Rook) | board.pieces(Piece::Queen)
}

/// All pieces of both sides that attack `square` when `occupied` blocks the lines. Pieces that are
/// not in `occupied` may be among them: the caller masks.
#[inline]
pub(crate) fn attackers_to(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let pawns = board.pieces(Piece::Pawn);
    let white = get_pawn_attacks(square, Color::Black) & board.colors(Color::White);
    let black = get_pawn_attacks(square, Color::White) & board.colors(Color::Black);
    ((white | black) & pawns)
        | (get_knight_moves(square) & board.pieces(Piece::Knight))
        | (get_king_moves(square) & board.pieces(Piece::King))
        | (get_bishop_moves(square, occupied) & diagonal_sliders(board))
        | (get_rook_moves(square, occupied) & straight_sliders(board))
}

/// The sliders of `color` that would attack `square` on an empty board: they pin, discover and
/// x-ray.
#[inline]
pub(crate) fn snipers(board: &Board, color: Color, square: Square) -> BitBoard {
    board.colors(color)
        & ((get_bishop_rays(square) & diagonal_sliders(board))
            | (get_rook_rays(square) & straight_sliders(board)))
}

/// Does one of `snipers` see `square` when `occupied` blocks the lines?
#[inline]
pub(crate) fn sees(snipers: BitBoard, square: Square, occupied: BitBoard) -> bool {
    snipers
        .into_iter()
        .any(|sniper| get_between_rays(sniper, square).is_disjoint(occupied))
}
