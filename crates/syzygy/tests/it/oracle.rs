//! Agreement with shakmaty-syzygy, an independent decoder used as a black box: every three-man
//! position, and random ones of four and five men, en passant positions over-sampled.

use cozy_chess::{Board, Color, Piece};
use sextant_board::Random;
use sextant_syzygy::Material;

use crate::common::{Oracle, bundled, men_of, native, place, random_position, shared};

/// Calls `visit` with every legal position of the material, without en passant rights.
fn for_all_positions(material: Material, mut visit: impl FnMut(&Board)) {
    let men = men_of(material);
    let mut squares = vec![0u8; men.len()];
    loop {
        for to_move in Color::ALL {
            if let Some(board) = place(&men, &squares, to_move) {
                visit(&board);
            }
        }
        let mut at = 0;
        while at < squares.len() {
            squares[at] += 1;
            if squares[at] < 64 {
                break;
            }
            squares[at] = 0;
            at += 1;
        }
        if at == squares.len() {
            return;
        }
    }
}

#[test]
fn every_three_man_position() {
    let tables = native(&bundled());
    let oracle = Oracle::open(&bundled());
    let mut seen = 0;
    for material in Material::all(3) {
        for_all_positions(material, |board| {
            oracle.compare(&tables, board);
            seen += 1;
        });
    }
    assert!(seen > 900_000, "{seen}");
}

#[test]
fn random_positions_of_four_and_five_men() {
    let Some(folder) = shared() else { return };
    let paths = format!("{0}/3-4:{0}/5", folder.display());
    let tables = native(&paths);
    let oracle = Oracle::open(&paths);
    let mut random = Random::new(0x5e47);
    let five = ["KNNvKP", "KRNvKR"].map(|name| Material::parse(name).unwrap());
    for (materials, wanted) in [(Material::all(4), 100_000), (five.to_vec(), 20_000)] {
        let mut seen = 0;
        while seen < wanted {
            let material = materials[random.below(materials.len())];
            if let Some(board) = random_position(&mut random, material) {
                oracle.compare(&tables, &board);
                seen += 1;
            }
        }
    }
}

#[test]
fn en_passant_positions() {
    let Some(folder) = shared() else { return };
    let paths = format!("{}/3-4", folder.display());
    let tables = native(&paths);
    let oracle = Oracle::open(&paths);
    let mut random = Random::new(0xe9);
    let material = Material::parse("KPvKP").unwrap();
    let mut seen = 0;
    while seen < 50_000 {
        let Some(board) = random_position(&mut random, material) else {
            continue;
        };
        board.generate_moves_for(board.pieces(Piece::Pawn), |moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play(mv);
                if child.en_passant().is_some() {
                    oracle.compare(&tables, &child);
                    seen += 1;
                }
            }
            false
        });
    }
}
