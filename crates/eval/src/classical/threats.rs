//! Danger to a king, what is attacked by something cheaper or not defended, and whether passed
//! pawns can run.

use sextant_board::{
    BitBoard, Board, Color, Piece, Rank,
    cozy_chess::{get_bishop_moves, get_knight_moves, get_rook_moves},
};

use super::{
    pair::Pair,
    pawns::Structure,
    pieces::Attacks,
    table::{
        HANGING, KING_DANGER, KING_THREAT, MINOR_THREAT, PASSED_FREE, PASSED_SAFE, PAWN_THREAT,
        PUSH_THREAT, ROOK_THREAT,
    },
};
use crate::bits;

// Attacks on a king are counted in units, small fixed integers; the table `KING_DANGER` turns units
// into centipawns.

/// Units of a safe check by a knight, bishop, rook, queen.
const SAFE_CHECK: [i32; 4] = [5, 3, 6, 5];
/// Units per square at the king that is attacked, and defended by the king or queen at most.
const WEAK_SQUARE: i32 = 2;
/// Units less when the attacker has no queen.
const NO_QUEEN: i32 = 8;
/// Units that any position has for free.
const FREE: i32 = 4;

/// The danger to the king of `us`; the attacks of both sides must be complete.
#[inline(always)]
pub(crate) fn tally_king(board: &Board, attacks: &Attacks, us: Color, sum: &mut Pair) {
    let (own, their) = (us as usize, !us as usize);
    let mut units = attacks.units[their];
    if units == 0 {
        *sum += KING_DANGER[0];
        return;
    }
    let king = board.king(us);
    let occupied = board.occupied();
    // Defended by king or queen alone is hardly defended.
    let poorly = !attacks.twice[own]
        & (!attacks.any[own]
            | attacks.by[own][Piece::Queen as usize]
            | attacks.by[own][Piece::King as usize]);
    let safe = !board.colors(!us) & (!attacks.any[own] | (poorly & attacks.twice[their]));
    let diagonal = get_bishop_moves(king, occupied);
    let straight = get_rook_moves(king, occupied);
    let from = |piece: Piece, rays: BitBoard, units: i32| {
        let checks = attacks.by[their][piece as usize] & rays & safe;
        if checks.is_empty() { 0 } else { units }
    };
    units += from(Piece::Knight, get_knight_moves(king), SAFE_CHECK[0]);
    units += from(Piece::Bishop, diagonal, SAFE_CHECK[1]);
    units += from(Piece::Rook, straight, SAFE_CHECK[2]);
    units += from(Piece::Queen, diagonal | straight, SAFE_CHECK[3]);
    let near = attacks.by[own][Piece::King as usize];
    units += WEAK_SQUARE * (near & poorly & attacks.any[their]).len() as i32;
    if board.colored_pieces(!us, Piece::Queen).is_empty() {
        units -= NO_QUEEN;
    }
    let last = KING_DANGER.len() as i32 - 1;
    *sum += KING_DANGER[(units - FREE).clamp(0, last) as usize];
}

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
