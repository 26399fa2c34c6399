//! The answers are right: by the truth files, by shakmaty-syzygy and pyrrhic-rs, independent decoders
//! used as black boxes, and on tables of seven men that are made here.

use std::fs;

use cozy_chess::{Board, Color, Piece};
use sextant_board::Random;
use sextant_syzygy::{Backend, Material, SyzygyError, TableId, TableKind, Tablebase, Wdl};

use crate::common::{
    Oracle, PYRRHIC, bundled, folder, men_of, native, place, random_position, shared,
};

fn check(file: &str) {
    let Some(folder) = shared() else { return };
    let tables = native(&format!("{0}/3-4:{0}/5", folder.display()));
    let mut wrong = Vec::new();
    let text = fs::read_to_string(folder.join(file)).unwrap();
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let board: Board = row["fen"].as_str().unwrap().parse().unwrap();
        let wdl = Wdl::ALL[(row["wdl"].as_i64().unwrap() + 2) as usize];
        let dtz = row["dtz"].as_i64().unwrap() as i32;
        let found_dtz = tables.dtz(&board).map(|dtz| dtz.plies);
        let found = (tables.probe_wdl(&board), found_dtz);
        if found != (Ok(wdl), Ok(dtz)) {
            wrong.push(format!("{row}: {found:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn three_and_four_men() {
    check("truth_34.jsonl");
}

#[test]
fn five_men() {
    check("truth_5.jsonl");
}

#[test]
fn every_shared_table_carries_its_checksum() {
    let Some(folder) = shared() else { return };
    let tables = native(&format!("{0}/3-4:{0}/5", folder.display()));
    for (id, _) in tables.inventory().tables() {
        assert_eq!(tables.verify(id), Some(Ok(())), "{id}");
    }
}

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

fn is_shared<T: Send + Sync>(_: &T) {}

#[test]
fn backends_agree_on_wdl() {
    let _turn = PYRRHIC.lock().unwrap();
    let ours = native(&bundled());
    let pyrrhic = Tablebase::open(&bundled(), Backend::Pyrrhic).unwrap();
    is_shared(&ours);
    let mut random = Random::new(7);
    let materials = ["KQvKR", "KRvKR", "KPvKP", "KBvKN", "KPvK", "KQvK"];
    let mut seen = 0;
    while seen < 20_000 {
        let material = Material::parse(materials[random.below(materials.len())]).unwrap();
        if let Some(board) = random_position(&mut random, material) {
            let wdl = ours.probe_wdl(&board);
            assert_eq!(wdl, pyrrhic.probe_wdl(&board), "{board}");
            assert_eq!(ours.dtz(&board), pyrrhic.dtz(&board), "{board}");
            seen += 1;
        }
    }
}

#[test]
fn a_second_pyrrhic_is_refused_and_reopening_works() {
    let _turn = PYRRHIC.lock().unwrap();
    for _ in 0..3 {
        let first = Tablebase::open(&bundled(), Backend::Pyrrhic).unwrap();
        let second = Tablebase::open(&bundled(), Backend::Pyrrhic);
        assert!(matches!(second, Err(SyzygyError::PyrrhicBusy)));
        let board = "8/8/8/8/8/2k5/8/K6q w - - 0 1".parse().unwrap();
        assert!(first.wdl(&board).is_some());
    }
}

#[test]
fn threads_share_one_instance_and_instances_share_a_process() {
    let tables = native(&bundled());
    let other = native(&bundled());
    let material = Material::parse("KQvKR").unwrap();
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let (tables, other) = (&tables, &other);
            scope.spawn(move || {
                let mut random = Random::new(seed);
                for _ in 0..5_000 {
                    if let Some(board) = random_position(&mut random, material) {
                        assert_eq!(tables.dtz(&board), other.dtz(&board));
                    }
                }
            });
        }
    });
}

/// A WDL table whose first side always wins and whose second always loses.
fn constant_table(men: &[u8], pawns: bool) -> Vec<u8> {
    let mut bytes = vec![0x71, 0xe8, 0x23, 0x5d, 0x71 | u8::from(pawns) << 1];
    let lists = if pawns { 4 } else { 1 };
    for _ in 0..lists {
        // The leading group's rank, then the men, for both sides alike.
        bytes.push(0);
        bytes.extend(men.iter().map(|man| man | man << 4));
    }
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    for _ in 0..lists {
        bytes.extend([0x80, 4, 0x80, 0]);
    }
    bytes.resize(bytes.len().next_multiple_of(64) + 16, 0);
    bytes
}

#[test]
fn seven_men_are_probed_for_both_sides_and_colors() {
    let folder = folder("seven");
    // White P N B R Q K are 1 to 6, Black's 9 to 14.
    let pieces = constant_table(&[6, 14, 5, 4, 3, 10, 10], false);
    fs::write(folder.join("KQRBvKNN.rtbw"), pieces).unwrap();
    let pawns = constant_table(&[1, 1, 1, 1, 1, 6, 14], true);
    fs::write(folder.join("KPPPPPvK.rtbw"), pawns).unwrap();
    let tables = native(folder.to_str().unwrap());
    assert_eq!(tables.max_men(), 7);
    for (fen, expected) in [
        ("n6n/8/8/8/3k4/8/8/KQRB4 w - - 0 1", Wdl::Win),
        ("n6n/8/8/8/3k4/8/8/KQRB4 b - - 0 1", Wdl::Loss),
        ("N6N/8/8/8/3K4/8/8/kqrb4 b - - 0 1", Wdl::Win),
        ("N6N/8/8/8/3K4/8/8/kqrb4 w - - 0 1", Wdl::Loss),
        ("4k3/8/8/8/8/8/PPPPP3/K7 w - - 0 1", Wdl::Win),
        ("4k3/8/8/8/8/8/3PPPPP/K7 b - - 0 1", Wdl::Loss),
        ("4K3/ppppp3/8/8/8/8/8/k7 b - - 0 1", Wdl::Win),
    ] {
        let found = tables.probe_wdl(&fen.parse().unwrap());
        assert_eq!(found, Ok(expected), "{fen}");
    }
    // The made checksums are zero: verification notices.
    let id = TableId {
        material: Material::parse("KPPPPPvK").unwrap(),
        kind: TableKind::Wdl,
    };
    assert!(tables.verify(id).unwrap().is_err());
}
