//! Every position of the truth files has the right WDL and DTZ.

use std::fs;

use cozy_chess::Board;
use sextant_syzygy::Wdl;

use crate::common::{native, shared};

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
