//! Danger to a king from the pieces around it.
//!
//! Attacks are counted in units, small fixed integers; the table
//! [`KING_DANGER`](super::table::KING_DANGER) turns units into centipawns.

use sextant_board::{
    BitBoard, Board, Color, Piece,
    cozy_chess::{get_bishop_moves, get_knight_moves, get_rook_moves},
};

use super::{pair::Pair, pieces::Attacks, table::KING_DANGER};

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
pub(crate) fn tally(board: &Board, attacks: &Attacks, us: Color, sum: &mut Pair) {
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
