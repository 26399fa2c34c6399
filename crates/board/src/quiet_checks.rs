//! Quiet moves that give check, found without generating the other quiet moves.

use cozy_chess::{
    BitBoard, File, Move, Piece, Rank, Square, get_bishop_moves, get_knight_moves, get_line_rays,
    get_pawn_quiets, get_rook_moves,
};

use crate::{checks::CheckSquares, movegen::MoveSets, position::Position};

/// Calls `f` with the moves of [`MoveSets::quiet_checks`], in no particular order. `checks` must
/// belong to `pos`.
///
/// A check that a piece gives from where it arrives is found from the squares that check; positions
/// in which there may be another kind (discovered, by castling, by promotion) are left to the
/// general generator, and so are those in which few moves are legal.
#[inline]
pub fn generate_quiet_checks(pos: &Position, checks: &CheckSquares, mut f: impl FnMut(Move)) {
    if pos.in_check() || may_check_otherwise(pos, checks) {
        return MoveSets::generate(pos).quiet_checks(pos, checks, f);
    }
    let board = pos.board();
    let us = pos.side_to_move();
    let occupied = board.occupied();
    let ours = |piece| board.colored_pieces(us, piece);
    let goals = |piece| checks.direct(piece) & !occupied;
    let diagonal = |from| get_bishop_moves(from, occupied);
    let straight = |from| get_rook_moves(from, occupied);
    let mut emit = |from: Square, mut to: BitBoard| {
        if board.pinned().has(from) {
            to &= get_line_rays(board.king(us), from);
        }
        for to in to {
            f(Move {
                from,
                to,
                promotion: None,
            });
        }
    };
    for from in ours(Piece::Pawn) {
        emit(
            from,
            get_pawn_quiets(from, us, occupied) & goals(Piece::Pawn),
        );
    }
    for from in ours(Piece::Knight) {
        emit(from, get_knight_moves(from) & goals(Piece::Knight));
    }
    for from in ours(Piece::Bishop) {
        emit(from, diagonal(from) & goals(Piece::Bishop));
    }
    for from in ours(Piece::Rook) {
        emit(from, straight(from) & goals(Piece::Rook));
    }
    for from in ours(Piece::Queen) {
        emit(
            from,
            (diagonal(from) | straight(from)) & goals(Piece::Queen),
        );
    }
}

/// May a check be discovered, or given by castling or by an underpromotion?
#[inline]
fn may_check_otherwise(pos: &Position, checks: &CheckSquares) -> bool {
    let board = pos.board();
    let us = pos.side_to_move();
    let promoting = Rank::Seventh.relative_to(us).bitboard();
    // A castling rook arrives on the f-file or d-file of the first rank.
    let from_castling =
        File::D.bitboard() | File::F.bitboard() | Rank::First.relative_to(us).bitboard();
    let rights = board.castle_rights(us);
    let may_castle = rights.short.is_some() || rights.long.is_some();
    !checks.discoverers().is_empty()
        || !board.colored_pieces(us, Piece::Pawn).is_disjoint(promoting)
        || may_castle && from_castling.has(checks.king())
}
