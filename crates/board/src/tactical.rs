//! Noisy moves and quiet checks, found without generating the other moves.

use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_line_rays, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};

use crate::{
    attacks::pawn_attacks_to_one_side,
    checks::CheckSquares,
    movegen::{MoveSets, emit, noisy_pawn_moves},
    moves::plain,
    position::Position,
};

/// Calls `f` with the moves of [`MoveSets::noisy`] without generating the others.
#[inline]
pub fn generate_noisy(pos: &Position, mut f: impl FnMut(Piece, Move)) {
    if pos.in_check() {
        // Few moves are legal, and the pins and blocks are already worked out there.
        MoveSets::generate(pos).noisy(pos, f);
        return;
    }
    let board = pos.board();
    let us = pos.side_to_move();
    let ours = board.colors(us);
    let theirs = board.colors(!us);
    let occupied = ours | theirs;
    let king = board.king(us);
    let along_pin = |from| along_pin(board, us, from);
    pawn_captures(pos, &mut f);
    // A pinned knight never stays on its line.
    for from in ours & board.pieces(Piece::Knight) & !board.pinned() {
        emit(Piece::Knight, from, get_knight_moves(from) & theirs, &mut f);
    }
    for from in ours & board.pieces(Piece::Bishop) {
        let to = get_bishop_moves(from, occupied) & theirs & along_pin(from);
        emit(Piece::Bishop, from, to, &mut f);
    }
    for from in ours & board.pieces(Piece::Rook) {
        let to = get_rook_moves(from, occupied) & theirs & along_pin(from);
        emit(Piece::Rook, from, to, &mut f);
    }
    for from in ours & board.pieces(Piece::Queen) {
        let to = get_bishop_moves(from, occupied) | get_rook_moves(from, occupied);
        emit(Piece::Queen, from, to & theirs & along_pin(from), &mut f);
    }
    for to in get_king_moves(king) & theirs {
        let mv = plain(king, to);
        if board.is_legal(mv) {
            f(Piece::King, mv);
        }
    }
}

/// Where a piece may go for all that pins say.
#[inline]
fn along_pin(board: &Board, us: Color, from: Square) -> BitBoard {
    if board.pinned().has(from) {
        get_line_rays(board.king(us), from)
    } else {
        BitBoard::FULL
    }
}

fn pawn_captures(pos: &Position, f: &mut impl FnMut(Piece, Move)) {
    let board = pos.board();
    let us = pos.side_to_move();
    let theirs = board.colors(!us);
    let about_to_promote = Rank::Seventh.relative_to(us).bitboard();
    let pawns = board.colored_pieces(us, Piece::Pawn);
    // All that are free to move at once; the few others one by one.
    let special = pawns & (board.pinned() | about_to_promote);
    for east in [false, true] {
        for to in pawn_attacks_to_one_side(us, pawns & !special, east) & theirs {
            let from = Square::index(capture_origin(us, to, east));
            f(Piece::Pawn, plain(from, to));
        }
    }
    for from in special {
        let mut to = get_pawn_attacks(from, us) & theirs;
        if about_to_promote.has(from) {
            to |= get_pawn_quiets(from, us, board.occupied());
        }
        noisy_pawn_moves(from, to & along_pin(board, us, from), theirs, f);
    }
    if let Some(file) = board.en_passant() {
        let to = Square::new(file, Rank::Sixth.relative_to(us));
        for from in get_pawn_attacks(to, !us) & board.colored_pieces(us, Piece::Pawn) {
            let mv = plain(from, to);
            if board.is_legal(mv) {
                f(Piece::Pawn, mv);
            }
        }
    }
}

/// Where the pawn stood that captured on `to` in that direction.
#[inline]
fn capture_origin(us: Color, to: Square, east: bool) -> usize {
    let to = to as usize;
    match (us, east) {
        (Color::White, false) => to - 7,
        (Color::White, true) => to - 9,
        (Color::Black, false) => to + 9,
        (Color::Black, true) => to + 7,
    }
}

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
    let mut checks_by = |piece, from, reach| {
        let to = reach & checks.direct(piece) & !occupied & along_pin(board, us, from);
        emit(piece, from, to, &mut |_, mv| f(mv));
    };
    for from in ours(Piece::Pawn) {
        checks_by(Piece::Pawn, from, get_pawn_quiets(from, us, occupied));
    }
    for from in ours(Piece::Knight) {
        checks_by(Piece::Knight, from, get_knight_moves(from));
    }
    for from in ours(Piece::Bishop) {
        checks_by(Piece::Bishop, from, get_bishop_moves(from, occupied));
    }
    for from in ours(Piece::Rook) {
        checks_by(Piece::Rook, from, get_rook_moves(from, occupied));
    }
    for from in ours(Piece::Queen) {
        let reach = get_bishop_moves(from, occupied) | get_rook_moves(from, occupied);
        checks_by(Piece::Queen, from, reach);
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
