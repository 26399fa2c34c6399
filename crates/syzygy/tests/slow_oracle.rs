//! Agreement with shakmaty-syzygy, an independent decoder used as a black box: every three-man position, and random ones of
//! four and five men, en passant positions over-sampled.

mod common;

use common::{Oracle, Rng, shared};
use cozy_chess::{Board, Color, Piece};
use sextant_syzygy::{Backend, Material, Tablebase};

/// Calls `visit` with every legal position of the material, without en passant rights.
fn for_all_positions(material: Material, mut visit: impl FnMut(&Board)) {
    let men = common::men_of(material);
    let mut squares = vec![0u8; men.len()];
    loop {
        for to_move in Color::ALL {
            if let Some(board) = common::place(&men, &squares, to_move) {
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
    let tables = Tablebase::open(&common::bundled(), Backend::Native).unwrap();
    let oracle = Oracle::open(&common::bundled());
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
    let Some(folder) = shared() else {
        println!("skipped: no ../shared/data/syzygy");
        return;
    };
    let paths = format!("{0}/3-4:{0}/5", folder.display());
    let tables = Tablebase::open(&paths, Backend::Native).unwrap();
    let oracle = Oracle::open(&paths);
    let mut rng = Rng::new(0x5e47);
    let four = Material::all(4);
    let mut seen = 0;
    while seen < 200_000 {
        let material = four[rng.below(four.len())];
        if let Some(board) = common::random_position(&mut rng, material) {
            oracle.compare(&tables, &board);
            seen += 1;
        }
    }
    let five = ["KNNvKP", "KRNvKR"].map(|name| Material::parse(name).unwrap());
    let mut seen = 0;
    while seen < 20_000 {
        let material = five[rng.below(2)];
        if let Some(board) = common::random_position(&mut rng, material) {
            oracle.compare(&tables, &board);
            seen += 1;
        }
    }
}

#[test]
fn en_passant_positions() {
    let Some(folder) = shared() else {
        println!("skipped: no ../shared/data/syzygy");
        return;
    };
    let paths = format!("{}/3-4", folder.display());
    let tables = Tablebase::open(&paths, Backend::Native).unwrap();
    let oracle = Oracle::open(&paths);
    let mut rng = Rng::new(0xe9);
    let material = Material::parse("KPvKP").unwrap();
    let mut seen = 0;
    while seen < 50_000 {
        let Some(board) = common::random_position(&mut rng, material) else {
            continue;
        };
        let mut visit = |board: &Board| {
            if board.en_passant().is_some() {
                oracle.compare(&tables, board);
                seen += 1;
            }
        };
        let pawns = board.pieces(Piece::Pawn);
        board.generate_moves_for(pawns, |moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play(mv);
                visit(&child);
            }
            false
        });
    }
}
