//! Every position of the truth files has the right WDL and DTZ.

use std::fs;
use std::path::PathBuf;

use cozy_chess::Board;
use sextant_syzygy::{Backend, Dtz, Tablebase, Wdl};

/// The shared data folder next to the workspace, if this checkout has one.
fn shared() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/syzygy");
    folder.is_dir().then_some(folder)
}

fn check(file: &str) {
    let Some(folder) = shared() else {
        println!("skipped: no ../shared/data/syzygy");
        return;
    };
    let paths = format!(
        "{}:{}",
        folder.join("3-4").display(),
        folder.join("5").display()
    );
    let tables = Tablebase::open(&paths, Backend::Native).unwrap();
    let mut wrong = Vec::new();
    let text = fs::read_to_string(folder.join(file)).unwrap();
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let board: Board = row["fen"].as_str().unwrap().parse().unwrap();
        let wdl = row["wdl"].as_i64().unwrap();
        let dtz = row["dtz"].as_i64().unwrap() as i32;
        let expected = Wdl::ALL[(wdl + 2) as usize];
        let found = (
            tables.probe_wdl(&board),
            tables.dtz(&board).map(|Dtz { plies, .. }| plies),
        );
        if found != (Ok(expected), Ok(dtz)) {
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
    let Some(folder) = shared() else {
        println!("skipped: no ../shared/data/syzygy");
        return;
    };
    let paths = format!(
        "{}:{}",
        folder.join("3-4").display(),
        folder.join("5").display()
    );
    let tables = Tablebase::open(&paths, Backend::Native).unwrap();
    for (id, _) in tables.inventory().tables() {
        assert_eq!(tables.verify(id), Some(Ok(())), "{id}");
    }
}
