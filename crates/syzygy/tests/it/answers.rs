//! The answers are right: by the truth files, by shakmaty-syzygy and pyrrhic-rs, independent
//! decoders used as black boxes, and on tables of seven men that are made here.

use std::{fs, thread};

use cozy_chess::{Board, Piece};
use sextant_syzygy::{Backend, Material, SyzygyError, TableKind, Tablebase, Wdl};

use crate::common::{
    Oracle, PYRRHIC, all_shared, bundled, folder, id, material, native, place_all,
    random_positions, truth,
};

#[test]
fn truth_files() {
    let Some(paths) = all_shared() else { return };
    let tables = native(&paths);
    for (board, row) in ["truth_34.jsonl", "truth_5.jsonl"]
        .into_iter()
        .flat_map(truth)
    {
        let wdl = Wdl::ALL[(row["wdl"].as_i64().unwrap() + 2) as usize];
        let dtz = row["dtz"].as_i64().unwrap() as i32;
        let found_dtz = tables.dtz(&board).map(|dtz| dtz.plies);
        assert_eq!(
            (tables.probe_wdl(&board), found_dtz),
            (Ok(wdl), Ok(dtz)),
            "{row}"
        );
    }
}

#[test]
fn every_table_carries_its_checksum() {
    for paths in [Some(bundled()), all_shared()].into_iter().flatten() {
        let tables = native(&paths);
        for (id, _) in tables.inventory().tables() {
            assert_eq!(tables.verify(id), Some(Ok(())), "{id}");
        }
    }
}

#[test]
fn every_third_three_man_position() {
    let tables = native(&bundled());
    let compare_all = |materials: &[Material]| {
        let oracle = Oracle::open(&bundled());
        let boards = materials.iter().flat_map(|&material| place_all(material));
        // A step that shares no factor with the squares meets all of them.
        boards
            .step_by(3)
            .inspect(|board| oracle.compare(&tables, board))
            .count()
    };
    let materials = Material::all(3);
    let (some, others) = materials.split_at(materials.len() / 2);
    let seen: usize = thread::scope(|scope| {
        let some = scope.spawn(|| compare_all(some));
        compare_all(others) + some.join().unwrap()
    });
    assert!(seen > 300_000, "{seen}");
}

#[test]
fn random_positions_of_four_and_five_men() {
    let Some(paths) = all_shared() else { return };
    let tables = native(&paths);
    let oracle = Oracle::open(&paths);
    let five = ["KNNvKP", "KRNvKR"].map(material);
    for (materials, count) in [(Material::all(4), 100_000), (five.to_vec(), 20_000)] {
        for board in random_positions(0x5e47, materials).take(count) {
            oracle.compare(&tables, &board);
        }
    }
}

#[test]
fn en_passant_positions() {
    let Some(paths) = all_shared() else { return };
    let tables = native(&paths);
    let oracle = Oracle::open(&paths);
    let mut seen = 0;
    for board in random_positions(0xe9, vec![material("KPvKP")]) {
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
        if seen >= 50_000 {
            return;
        }
    }
}

#[test]
fn backends_agree_on_wdl_and_pyrrhic_opens_once_at_a_time() {
    let _turn = PYRRHIC.lock().unwrap();
    let ours = native(&bundled());
    let materials = ["KQvKR", "KRvKR", "KPvKP", "KBvKN", "KPvK", "KQvK"].map(material);
    for seed in 0..3 {
        let pyrrhic = Tablebase::open(bundled(), Backend::Pyrrhic).unwrap();
        let second = Tablebase::open(bundled(), Backend::Pyrrhic);
        assert!(matches!(second, Err(SyzygyError::PyrrhicBusy)));
        for board in random_positions(seed, materials.to_vec()).take(7_000) {
            let wdl = ours.probe_wdl(&board);
            assert_eq!(wdl, pyrrhic.probe_wdl(&board), "{board}");
            assert_eq!(ours.dtz(&board), pyrrhic.dtz(&board), "{board}");
        }
    }
}

#[test]
fn threads_share_one_instance_and_instances_share_a_process() {
    let (tables, other) = (&native(&bundled()), &native(&bundled()));
    std::thread::scope(|scope| {
        for seed in 0..4 {
            scope.spawn(move || {
                for board in random_positions(seed, vec![material("KQvKR")]).take(3_000) {
                    assert_eq!(tables.dtz(&board), other.dtz(&board));
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
        let found = tables.probe_wdl(&fen.parse::<Board>().unwrap());
        assert_eq!(found, Ok(expected), "{fen}");
    }
    // The made checksums are zero: verification notices.
    let id = id("KPPPPPvK", TableKind::Wdl);
    assert!(tables.verify(id).unwrap().is_err());
}
