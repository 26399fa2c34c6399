//! What is attacked by something cheaper, or not defended, and whether passed pawns can run.

use sextant_board::{BitBoard, Board, Color, Piece, Rank};

use super::{
    bits,
    pair::Pair,
    pawns::Structure,
    pieces::Attacks,
    table::{
        HANGING, KING_THREAT, MINOR_THREAT, PASSED_FREE, PASSED_SAFE, PAWN_THREAT, PUSH_THREAT,
        ROOK_THREAT,
    },
};

/// The threats of one side; the attacks of both sides must be complete.
#[inline(always)]
pub(crate) fn tally(board: &Board, attacks: &Attacks, us: Color, sum: &mut Pair) {
    let (own, their) = (us as usize, !us as usize);
    let by = &attacks.by[own];
    let theirs = board.colors(!us);
    let pawns = board.pieces(Piece::Pawn);
    let by_pawn = by[Piece::Pawn as usize];
    let by_minor = by[Piece::Knight as usize] | by[Piece::Bishop as usize];
    let by_rook = by[Piece::Rook as usize];

    for (i, victim) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
        .into_iter()
        .enumerate()
    {
        let targets = theirs & board.pieces(victim);
        let count = |set: BitBoard| (targets & set).len() as i32;
        *sum += PAWN_THREAT[i] * count(by_pawn);
        *sum += MINOR_THREAT[i + 1] * count(by_minor);
        *sum += ROOK_THREAT[i + 1] * count(by_rook);
    }
    // Pawns that a pawn defends are no targets.
    let loose = theirs & pawns & !attacks.by[their][Piece::Pawn as usize];
    *sum += MINOR_THREAT[0] * (loose & by_minor).len() as i32;
    *sum += ROOK_THREAT[0] * (loose & by_rook).len() as i32;

    let undefended = theirs & !attacks.any[their];
    let by_king = undefended & by[Piece::King as usize];
    *sum += KING_THREAT[0] * i32::from(!by_king.is_empty());
    let hanging = undefended & !pawns & attacks.any[own];
    *sum += HANGING[0] * hanging.len() as i32;
    push_threats(board, attacks, us, sum);
}

/// Pieces that a safe pawn step would attack.
#[inline(always)]
fn push_threats(board: &Board, attacks: &Attacks, us: Color, sum: &mut Pair) {
    let (own, their) = (us as usize, !us as usize);
    let empty = !board.occupied();
    let step = bits::forward(us, board.colored_pieces(us, Piece::Pawn)) & empty;
    let double = bits::forward(us, step & Rank::Third.relative_to(us).bitboard()) & empty;
    let safe = !attacks.by[their][Piece::Pawn as usize] & (attacks.any[own] | !attacks.any[their]);
    let targets =
        board.colors(!us) & !board.pieces(Piece::Pawn) & !attacks.by[own][Piece::Pawn as usize];
    let hit = bits::pawn_attacks(us, (step | double) & safe) & targets;
    *sum += PUSH_THREAT[0] * hit.len() as i32;
}

/// Whether the passed pawns of one side can run.
#[inline(always)]
pub(crate) fn tally_passed(
    board: &Board,
    structure: &Structure,
    attacks: &Attacks,
    us: Color,
    sum: &mut Pair,
) {
    let blocked = board.occupied();
    let unsafe_squares = attacks.any[!us as usize] | board.colors(!us);
    for square in structure.passed & board.colors(us) {
        let rank = bits::rank_of(us, square);
        let pawn = square.bitboard();
        if (bits::forward(us, pawn) & blocked).is_empty() {
            *sum += PASSED_FREE[rank];
        }
        if (bits::ahead(us, pawn) & unsafe_squares).is_empty() {
            *sum += PASSED_SAFE[rank];
        }
    }
}
