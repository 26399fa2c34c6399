//! Tables with mutated bytes never crash whoever probes them, with either backend, and never go on for ever.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Rng, bundled, random_position};
use sextant_syzygy::{Backend, Material, SyzygyError, Tablebase};

const TABLES: [&str; 5] = ["KQvKR", "KPvKP", "KRvKR", "KPvK", "KBvKN"];
const ROUNDS: u64 = 400;

fn folder() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    for entry in fs::read_dir(bundled()).unwrap() {
        let from = entry.unwrap().path();
        fs::copy(&from, path.join(from.file_name().unwrap())).unwrap();
    }
    path
}

/// Changes a few bytes, half of the time in the header, where they do most.
fn mutate(rng: &mut Rng, bytes: &mut [u8]) {
    let header = rng.below(2) == 0;
    let end = if header {
        bytes.len().min(400)
    } else {
        bytes.len()
    };
    for _ in 0..1 + rng.below(6) {
        let at = 4 + rng.below(end - 4);
        bytes[at] = match rng.below(3) {
            0 => bytes[at] ^ 1 << rng.below(8),
            1 => rng.next() as u8,
            _ => [0, 255, 128, 127][rng.below(4)],
        };
    }
}

fn probe_all(tables: &Tablebase, rng: &mut Rng, name: &str) {
    let material = Material::parse(name).unwrap();
    for _ in 0..60 {
        if let Some(board) = random_position(rng, material) {
            let _ = tables.probe_wdl(&board);
            let _ = tables.dtz(&board);
        }
    }
    let board = std::iter::repeat_with(|| random_position(rng, material))
        .flatten()
        .next()
        .unwrap();
    let _ = tables.probe_root(&board, false, true);
    let _ = tables.main_line(&board, 40);
    let _ = tables.pyrrhic_root(&board);
}

#[test]
fn mutated_tables_crash_nobody() {
    let folder = folder();
    let list = folder.to_str().unwrap();
    for round in 0..ROUNDS {
        let mut rng = Rng::new(round);
        let name = TABLES[rng.below(TABLES.len())];
        let path = folder.join(format!("{name}.{}", ["rtbw", "rtbz"][rng.below(2)]));
        let original = fs::read(&path).unwrap();
        let mut bytes = original.clone();
        mutate(&mut rng, &mut bytes);
        fs::write(&path, &bytes).unwrap();
        println!("seed {round}: {}", path.display());
        probe_all(
            &Tablebase::open(list, Backend::Native).unwrap(),
            &mut rng,
            name,
        );
        match Tablebase::open(list, Backend::Pyrrhic) {
            Ok(tables) => probe_all(&tables, &mut rng, name),
            Err(error) => assert!(matches!(error, SyzygyError::PyrrhicFile { .. }), "{error}"),
        }
        fs::write(&path, &original).unwrap();
    }
}
