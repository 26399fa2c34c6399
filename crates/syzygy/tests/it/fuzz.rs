//! Tables with mutated bytes never crash whoever probes them, with either backend, and never go on
//! forever.

use std::{fs, path::PathBuf};

use sextant_board::Random;
use sextant_syzygy::{Backend, Material, SyzygyError, Tablebase};

use crate::common::{PYRRHIC, bundled, folder, native, random_position};

const TABLES: [&str; 5] = ["KQvKR", "KPvKP", "KRvKR", "KPvK", "KBvKN"];
const ROUNDS: u64 = 400;

fn copies() -> PathBuf {
    let path = folder("fuzz");
    for entry in fs::read_dir(bundled()).unwrap() {
        let from = entry.unwrap().path();
        fs::copy(&from, path.join(from.file_name().unwrap())).unwrap();
    }
    path
}

/// Changes a few bytes, half of the time in the header, where they do most.
fn mutate(random: &mut Random, bytes: &mut [u8]) {
    let header = random.below(2) == 0;
    let end = bytes.len().min(if header { 400 } else { usize::MAX });
    for _ in 0..1 + random.below(6) {
        let at = 4 + random.below(end - 4);
        bytes[at] = match random.below(3) {
            0 => bytes[at] ^ 1 << random.below(8),
            1 => random.next_u64() as u8,
            _ => [0, 255, 128, 127][random.below(4)],
        };
    }
}

fn probe_all(tables: &Tablebase, random: &mut Random, name: &str) {
    let material = Material::parse(name).unwrap();
    for _ in 0..60 {
        if let Some(board) = random_position(random, material) {
            let _ = tables.probe_wdl(&board);
            let _ = tables.dtz(&board);
        }
    }
    let board = std::iter::repeat_with(|| random_position(random, material))
        .flatten()
        .next()
        .unwrap();
    let _ = tables.probe_root(&board, false, true);
    let _ = tables.main_line(&board, 40);
}

#[test]
fn mutated_tables_crash_nobody() {
    let _turn = PYRRHIC.lock().unwrap();
    let folder = copies();
    let list = folder.to_str().unwrap();
    for round in 0..ROUNDS {
        let mut random = Random::new(round);
        let name = TABLES[random.below(TABLES.len())];
        let path = folder.join(format!("{name}.{}", ["rtbw", "rtbz"][random.below(2)]));
        let original = fs::read(&path).unwrap();
        let mut bytes = original.clone();
        mutate(&mut random, &mut bytes);
        fs::write(&path, &bytes).unwrap();
        println!("seed {round}: {}", path.display());
        probe_all(&native(list), &mut random, name);
        match Tablebase::open(list, Backend::Pyrrhic) {
            Ok(tables) => probe_all(&tables, &mut random, name),
            Err(error) => assert!(matches!(error, SyzygyError::PyrrhicFile { .. }), "{error}"),
        }
        fs::write(&path, &original).unwrap();
    }
}
