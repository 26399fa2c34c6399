//! What helps or stops passed pawns, and what pawns mean to rooks and bishops.

use sextant_board::{Color, Piece, Square, cozy_chess::get_rook_moves};

use super::{Found, pieces, scene::Scene, structure};
use crate::bits::{self, DARK};

/// A passed pawn by its rank: nothing stands in its way; no square of the way is attacked; it is
/// defended; a rook or queen of its side stands behind it; one of the other side does.
const PASSED: usize = pieces::END;
/// Rooks on files without own pawns, on their square.
const OPEN_FILES: usize = PASSED + 5 * 8;
/// A pair of bishops, single ones of opposite colors, and the own pawns on the color of a single one.
const PAIR: usize = OPEN_FILES + 64;
const OPPOSITE: usize = PAIR + 1;
const ON_COLOR: usize = OPPOSITE + 1;
/// Classes of their number, the last for all that are larger.
const CLASSES: usize = 8;
/// Behind what this file numbers.
pub(super) const END: usize = ON_COLOR + CLASSES;

#[inline(always)]
pub(super) fn find(scene: &Scene<'_>, color: Color, found: &mut Found<impl FnMut(usize)>) {
    for pawn in structure::passed(scene.sides, color) {
        passed_pawn(scene, color, pawn, found);
    }
    let pawns = scene.pieces(color, Piece::Pawn);
    let on_open_files = scene.pieces(color, Piece::Rook) & !structure::files(pawns);
    found.add_on(color, OPEN_FILES, on_open_files);
    bishops(scene, color, found);
}

#[inline(always)]
fn passed_pawn(
    scene: &Scene<'_>,
    color: Color,
    pawn: Square,
    found: &mut Found<impl FnMut(usize)>,
) {
    let rank = bits::rank_of(color, pawn);
    let way = bits::ahead(color, pawn.bitboard());
    let behind = get_rook_moves(pawn, scene.occupied) & bits::ahead(!color, pawn.bitboard());
    let heavy = |side| scene.pieces(side, Piece::Rook) | scene.pieces(side, Piece::Queen);
    let is = [
        way.is_disjoint(scene.occupied),
        way.is_disjoint(scene.attacked(!color)),
        scene.attacked(color).has(pawn),
        !behind.is_disjoint(heavy(color)),
        !behind.is_disjoint(heavy(!color)),
    ];
    for (kind, is) in is.into_iter().enumerate() {
        found.add_if(is, color, PASSED + 8 * kind + rank);
    }
}

#[inline(always)]
fn bishops(scene: &Scene<'_>, color: Color, found: &mut Found<impl FnMut(usize)>) {
    let [own, others] = [color, !color].map(|color| scene.pieces(color, Piece::Bishop));
    match own.len() {
        0 => {}
        1 => {
            let same = if own.is_subset(DARK) { DARK } else { !DARK };
            let pawns = (scene.pieces(color, Piece::Pawn) & same).len() as usize;
            found.add(color, ON_COLOR + pawns.min(CLASSES - 1));
            let is_opposite = others.len() == 1 && others.is_disjoint(same);
            found.add_if(is_opposite, color, OPPOSITE);
        }
        _ => found.add(color, PAIR),
    }
}
