//! What is near the kings: attackers, weak squares, safe checks, pawns in front.

use sextant_board::{
    BitBoard, Color, File, Piece,
    cozy_chess::{get_bishop_moves, get_knight_moves, get_rook_moves},
};

use super::{Found, pawns, scene::Scene};
use crate::bits;

/// Classes of numbers, the last for all that are larger.
const CLASSES: usize = 8;
/// Pieces (no pawns) that attack the king or a square beside it.
const ATTACKERS: usize = pawns::END;
/// Such squares that are attacked and that the king defends at most.
const WEAK: usize = ATTACKERS + CLASSES;
/// Checks by knights, bishops, rooks and queens on squares that nobody defends: none, one or more.
const SAFE_CHECKS: usize = WEAK + CLASSES;
const CHECK_CLASSES: usize = 3;
/// On the king's file and those beside it, how far the next own pawn and the next of the other side
/// are away, in ranks.
const SHELTER: usize = SAFE_CHECKS + 4 * CHECK_CLASSES;
/// How far the kings are apart.
const KINGS: usize = SHELTER + 2 * 3 * CLASSES;
/// Behind what this file numbers.
pub(super) const END: usize = KINGS + CLASSES;

/// Does a piece of `color` that attacks this attack the other king or a square beside it?
#[inline(always)]
pub(super) fn is_attacker(scene: &Scene<'_>, color: Color, attacks: BitBoard) -> bool {
    !attacks.is_disjoint(ring(scene, !color))
}

/// `attackers` is the number of pieces that attack the king of `color`.
#[inline(always)]
pub(super) fn find(scene: &Scene<'_>, color: Color, attackers: usize, found: &mut Found<'_>) {
    found.add(color, ATTACKERS + attackers.min(CLASSES - 1));
    let weak = ring(scene, color) & scene.attacked(!color) & !scene.attacked_by_pieces(color);
    found.add(color, WEAK + (weak.len() as usize).min(CLASSES - 1));
    safe_checks(scene, color, found);
    shelter(scene, color, found);
    let [white, black] = scene.kings;
    found.add(color, KINGS + bits::distance(white, black));
}

/// The king's square and those beside it.
#[inline(always)]
fn ring(scene: &Scene<'_>, color: Color) -> BitBoard {
    scene.attacks(color, Piece::King) | scene.pieces(color, Piece::King)
}

/// Checks that the pieces of `color` can give.
#[inline(always)]
fn safe_checks(scene: &Scene<'_>, color: Color, found: &mut Found<'_>) {
    let king = scene.kings[!color as usize];
    let diagonal = get_bishop_moves(king, scene.occupied);
    let straight = get_rook_moves(king, scene.occupied);
    let ways = [
        (Piece::Knight, get_knight_moves(king)),
        (Piece::Bishop, diagonal),
        (Piece::Rook, straight),
        (Piece::Queen, diagonal | straight),
    ];
    let safe = !scene.all[color as usize] & !scene.attacked(!color);
    for (kind, (piece, from)) in ways.into_iter().enumerate() {
        let checks = (scene.attacks(color, piece) & from & safe).len() as usize;
        let class = checks.min(CHECK_CLASSES - 1);
        found.add(color, SAFE_CHECKS + CHECK_CLASSES * kind + class);
    }
}

/// The pawns in front of a king and beside it, or that there are none.
#[inline(always)]
fn shelter(scene: &Scene<'_>, color: Color, found: &mut Found<'_>) {
    let king = scene.kings[color as usize];
    let level = king.rank().bitboard();
    let in_front = level | bits::ahead(color, level);
    let rank = bits::rank_of(color, king);
    let file = king.file() as usize;
    for (kind, side) in [color, !color].into_iter().enumerate() {
        let pawns = scene.pieces(side, Piece::Pawn) & in_front;
        for at in 0..3 {
            // From the edge of the board to its middle.
            let beside = if file < 4 { file + at } else { file + 2 - at };
            let column = BitBoard(File::A.bitboard().0 << (beside.wrapping_sub(1) & 7));
            let pawns = pawns & column;
            let ranks = match color {
                Color::White => pawns.0.trailing_zeros() / 8,
                Color::Black => pawns.0.leading_zeros() / 8,
            };
            let nearest = if pawns.is_empty() {
                CLASSES - 1
            } else {
                ranks as usize - rank
            };
            let is_there = (1..=8).contains(&beside);
            found.add_if(
                is_there,
                color,
                SHELTER + CLASSES * (3 * kind + at) + nearest,
            );
        }
    }
}
