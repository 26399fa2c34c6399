//! The index of five to seven men, for which real files are few or not at hand: it must stay below
//! the number of positions, be the same for positions that a symmetry of the board maps on each
//! other, and differ for all others.

use std::collections::HashMap;

use cozy_chess::{Board, BoardBuilder, Color, Piece, Square};
use sextant_board::Random;

use super::{Perspective, PieceList, Shape};
use crate::{material::Material, pieces::Pieces};

type List = Vec<(Color, Piece)>;

/// Men in an order that a table could list them in, with the ranks of its groups last first.
fn list_order(shape: &Shape, material: Material) -> List {
    let mut men: List = Vec::new();
    let mut take = |color, piece| {
        men.extend((0..material.count(color, piece)).map(|_| (color, piece)));
    };
    if material.has_pawns() {
        take(shape.pawn_color, Piece::Pawn);
        take(!shape.pawn_color, Piece::Pawn);
    }
    let others = [
        Piece::King,
        Piece::Queen,
        Piece::Rook,
        Piece::Bishop,
        Piece::Knight,
    ];
    // Single men first, so that the leading three are single; kings first of all.
    for single in [true, false] {
        for piece in others {
            for color in Color::ALL {
                if (material.count(color, piece) == 1) == single {
                    take(color, piece);
                }
            }
        }
    }
    men
}

fn nibble((color, piece): (Color, Piece)) -> u8 {
    1 + piece as u8 + if color == Color::Black { 8 } else { 0 }
}

fn place(men: &List, squares: &[Square], mover: Color) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    builder.side_to_move = mover;
    for (&(color, piece), &square) in men.iter().zip(squares) {
        let slot = builder.square_mut(square);
        if slot.is_some() {
            return None;
        }
        *slot = Some((piece, color));
    }
    builder.build().ok()
}

/// The squares of a position in the least of its symmetric forms.
fn canonical(men: &List, squares: &[Square], pawns: bool) -> Vec<(u8, u8)> {
    let symmetries = if pawns { 2 } else { 8 };
    let images = (0..symmetries).map(|symmetry: u8| {
        let image = |square: Square| {
            let mut square = square as u8;
            square ^= if symmetry & 1 != 0 { 7 } else { 0 };
            square ^= if symmetry & 2 != 0 { 56 } else { 0 };
            if symmetry & 4 != 0 {
                (square & 7) << 3 | square >> 3
            } else {
                square
            }
        };
        let mut placed: Vec<(u8, u8)> = men
            .iter()
            .zip(squares)
            .map(|(&man, &square)| (nibble(man), image(square)))
            .collect();
        placed.sort_unstable();
        placed
    });
    images.min().unwrap_or_default()
}

/// Every way to move one man of a random position, with the index it has: (list, index) to
/// canonical position.
fn check(name: &str) {
    let material = Material::parse(name).unwrap();
    let shape = Shape::new(material);
    let men = list_order(&shape, material);
    let nibbles: Vec<u8> = men.iter().copied().map(nibble).collect();
    let ranks: &[u8] = if shape.second_pawns > 0 {
        &[1, 0]
    } else {
        &[0]
    };
    let lists: Vec<PieceList> = (0..shape.lists())
        .map(|file| PieceList::build(&shape, file, ranks, &nibbles).unwrap())
        .collect();
    let mut random = Random::new(1);
    let mut known: HashMap<(usize, u64), Vec<(u8, u8)>> = HashMap::new();
    let mut seen = 0;
    while seen < 20_000 {
        let base: Vec<_> = men
            .iter()
            .map(|_| Square::index(random.below(64)))
            .collect();
        for moved in 0..men.len() {
            for square in Square::ALL {
                let mut squares = base.clone();
                squares[moved] = square;
                let Some(board) = place(&men, &squares, Color::White) else {
                    continue;
                };
                let placed = Pieces::from(&board);
                let perspective = Perspective::new(&placed, false, material.has_pawns());
                let list = shape.list_of(&perspective);
                let Some(index) = lists[list].index(&perspective) else {
                    continue;
                };
                assert!(index < lists[list].size(), "{name} {board}");
                let form = canonical(&men, &squares, material.has_pawns());
                let first = known.entry((list, index)).or_insert_with(|| form.clone());
                assert_eq!(
                    *first, form,
                    "{name} {board}: two positions share index {index}"
                );
                seen += 1;
            }
        }
    }
    let mut forms: Vec<_> = known.values().collect();
    forms.sort_unstable();
    forms.dedup();
    // One position may have two indexes only where the symmetry leaves a choice (a leading pawn
    // with a mirror twin, or three men of whom none decides); that is rare.
    assert!(
        forms.len() * 100 >= known.len() * 97,
        "{name}: {} of {}",
        forms.len(),
        known.len()
    );
}

#[test]
fn five_to_seven_men() {
    for name in [
        "KRNvKR", "KNNvKN", "KNNvKNN", "KQRBvKRN", "KQRBvKNN", "KBBBvKNN", "KNNNNNvK", "KQPvKP",
        "KPPvKPP", "KPPPvKPP", "KPPPPvKP", "KPPPPPvK", "KRPPvKRP", "KNNPvKNN",
    ] {
        check(name);
    }
}
