//! What attacks and defends each piece, where pieces can go, and which are pinned.

use sextant_board::{
    BitBoard, Color, Piece,
    cozy_chess::{get_between_rays, get_bishop_rays, get_rook_rays},
};

use super::{Found, scene::Scene, structure};

/// Attacked pieces.
const ATTACKED: usize = structure::END;
/// The least piece that attacks a piece: a king, queen, rook, minor piece or pawn.
const ATTACKERS: usize = 5;
/// Whether something defends it, and a pawn.
const DEFENDERS: usize = 3;
/// All pieces but kings.
const KINDS: [Piece; 5] = [
    Piece::Pawn,
    Piece::Knight,
    Piece::Bishop,
    Piece::Rook,
    Piece::Queen,
];
/// Squares that knights, bishops, rooks and queens can go to and no pawn attacks, in pairs.
///
/// Before it are five kinds of attacked pieces on 64 squares for each attacker and defender.
const MOBILITY: usize = ATTACKED + ATTACKERS * DEFENDERS * KINDS.len() * 64;
/// Classes of it, the last for all that are larger.
const MOBILITIES: usize = 8;
/// Pinned pieces by kind, of the other side, then of the side whose king they shield.
const PINS: usize = MOBILITY + 4 * MOBILITIES;
/// Behind what this file numbers.
pub(super) const END: usize = PINS + 2 * Piece::NUM;

/// Where the pieces of `color` can go and no pawn attacks them.
#[inline(always)]
pub(super) fn safe(scene: &Scene<'_>, color: Color) -> BitBoard {
    !scene.all[color as usize] & !scene.attacks(!color, Piece::Pawn)
}

/// `to` are the [`safe`] squares that a piece attacks which is neither pawn nor king.
#[inline(always)]
pub(super) fn mobility(piece: Piece, to: BitBoard) -> usize {
    let class = (to.len() as usize / 2).min(MOBILITIES - 1);
    MOBILITY + MOBILITIES * (piece as usize - 1) + class
}

#[inline(always)]
pub(super) fn find(scene: &Scene<'_>, color: Color, found: &mut Found<impl FnMut(usize)>) {
    let defended = [scene.attacked(color), scene.attacks(color, Piece::Pawn)];
    let pieces = scene.all[color as usize] & !scene.pieces(color, Piece::King);
    // One loop over all kinds: they are asked for in any case, and where loops end is hard to
    // foretell.
    for square in pieces & scene.attacked(!color) {
        let attacker = scene.least_attacker(!color, square) - 1;
        let defender: usize = defended.map(|by| usize::from(by.has(square))).iter().sum();
        let state = DEFENDERS * attacker + defender;
        let kind = scene.kind(color, square);
        found.add_at(color, ATTACKED + 64 * (KINDS.len() * state + kind), square);
    }
    pins(scene, color, found);
}

/// Pieces that alone stand between the king and a slider of the other side.
#[inline(always)]
fn pins(scene: &Scene<'_>, color: Color, found: &mut Found<impl FnMut(usize)>) {
    let king = scene.kings[color as usize];
    let queens = scene.pieces(!color, Piece::Queen);
    let diagonal = (scene.pieces(!color, Piece::Bishop) | queens) & get_bishop_rays(king);
    let straight = (scene.pieces(!color, Piece::Rook) | queens) & get_rook_rays(king);
    for slider in diagonal | straight {
        let between = get_between_rays(king, slider) & scene.occupied;
        if between.len() != 1 {
            continue;
        }
        let is_own = between.is_subset(scene.all[color as usize]);
        let side = if is_own { color } else { !color };
        let is_pinned = |&piece: &Piece| between.is_subset(scene.pieces(side, piece));
        if let Some(piece) = KINDS.into_iter().find(is_pinned) {
            let number = PINS + Piece::NUM * usize::from(is_own) + piece as usize;
            found.add(color, number);
        }
    }
}
