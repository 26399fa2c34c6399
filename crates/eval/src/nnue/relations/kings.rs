//! What is near the kings: attackers, weak squares, safe checks.

use sextant_board::{
    BitBoard, Color, Piece,
    cozy_chess::{get_bishop_moves, get_knight_moves, get_rook_moves},
};

use super::{Found, pawns, scene::Scene};

/// Classes of numbers, the last for all that are larger.
const CLASSES: usize = 8;
/// Pieces (no pawns) that attack the king or a square beside it.
const ATTACKERS: usize = pawns::END;
/// Such squares that are attacked and that the king defends at most.
const WEAK: usize = ATTACKERS + CLASSES;
/// Checks by knights, bishops, rooks and queens on squares that nobody defends: none, one or more.
const SAFE_CHECKS: usize = WEAK + CLASSES;
const CHECK_CLASSES: usize = 3;
/// Behind what this file numbers.
pub(super) const END: usize = SAFE_CHECKS + 4 * CHECK_CLASSES;

/// `attackers` is the number of pieces that attack the king of `color`.
#[inline(always)]
pub(super) fn find(
    scene: &Scene<'_>,
    color: Color,
    attackers: usize,
    found: &mut Found<impl FnMut(usize)>,
) {
    found.add(color, ATTACKERS + attackers.min(CLASSES - 1));
    let weak = ring(scene, color) & scene.attacked(!color) & !scene.attacked_by_pieces(color);
    found.add(color, WEAK + (weak.len() as usize).min(CLASSES - 1));
    safe_checks(scene, color, found);
}

/// The king's square and those beside it.
#[inline(always)]
pub(super) fn ring(scene: &Scene<'_>, color: Color) -> BitBoard {
    scene.attacks(color, Piece::King) | scene.pieces(color, Piece::King)
}

/// Checks that the pieces of `color` can give.
#[inline(always)]
fn safe_checks(scene: &Scene<'_>, color: Color, found: &mut Found<impl FnMut(usize)>) {
    let king = scene.kings[!color as usize];
    let diagonal = get_bishop_moves(king, scene.occupied);
    let straight = get_rook_moves(king, scene.occupied);
    let safe = !scene.all[color as usize] & !scene.attacked(!color);
    let mut of_kind = |piece, from| {
        let checks = (scene.attacks(color, piece) & from & safe).len() as usize;
        let (kind, class) = (piece as usize - 1, checks.min(CHECK_CLASSES - 1));
        found.add(color, SAFE_CHECKS + CHECK_CLASSES * kind + class);
    };
    of_kind(Piece::Knight, get_knight_moves(king));
    of_kind(Piece::Bishop, diagonal);
    of_kind(Piece::Rook, straight);
    of_kind(Piece::Queen, diagonal | straight);
}
