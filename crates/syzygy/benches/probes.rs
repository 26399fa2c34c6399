//! WDL and DTZ probes of random positions: native, pyrrhic-rs behind our checks, and
//! shakmaty-syzygy.
//!
//! `cargo bench -p sextant-syzygy`; with tables of ../shared/data/syzygy/3-4 if they are there,
//! else with the bundled ones.

#[path = "../tests/it/common.rs"]
#[allow(dead_code, reason = "the tests share more than the bench needs")]
mod common;

use common::{Oracle, bundled, native, random_positions, shared};
use cozy_chess::Board;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use sextant_syzygy::{Backend, Material, Options, TableId, TableKind, Tablebase};

const POSITIONS: usize = 50_000;

fn paths() -> String {
    shared().map_or_else(bundled, |folder| format!("{}/3-4", folder.display()))
}

/// Random positions of four men of the materials that have both tables.
fn positions() -> Vec<Board> {
    let tables = native(&paths());
    let has = |material, kind| tables.inventory().get(TableId { material, kind }).is_some();
    let materials: Vec<Material> = Material::all(4)
        .into_iter()
        .filter(|&material| TableKind::ALL.iter().all(|&kind| has(material, kind)))
        .collect();
    let boards = random_positions(1, materials).filter(|board| tables.dtz(board).is_ok());
    boards.take(POSITIONS).collect()
}

fn main() {
    divan::main();
}

/// Probes all positions; every one must be answered.
fn each(bencher: Bencher<'_, '_>, probe: impl Fn(&Board) -> bool) {
    let boards = positions();
    let answered = || {
        boards
            .iter()
            .filter(|board| probe(black_box(board)))
            .count()
    };
    assert_eq!(answered(), POSITIONS);
    bencher
        .counter(ItemsCount::new(POSITIONS))
        .bench_local(answered);
}

/// Tables kept whole, read page by page, or read by pyrrhic-rs.
fn tables(how: &str) -> Tablebase {
    let mut options = Options::default();
    match how {
        "pages" => options.whole_bytes = 0,
        "pyrrhic" => options.backend = Backend::Pyrrhic,
        _ => {}
    }
    Tablebase::open_with(paths(), &options).expect("tables open")
}

#[divan::bench(args = ["native", "pages", "pyrrhic"])]
fn wdl(bencher: Bencher<'_, '_>, how: &str) {
    let tables = tables(how);
    each(bencher, |board| tables.wdl(board).is_some());
}

#[divan::bench(args = ["native", "pages"])]
fn dtz(bencher: Bencher<'_, '_>, how: &str) {
    let tables = tables(how);
    each(bencher, |board| tables.dtz(board).is_ok());
}

#[divan::bench]
fn wdl_and_dtz_shakmaty(bencher: Bencher<'_, '_>) {
    let oracle = Oracle::open(&paths());
    each(bencher, |board| oracle.probe(board).is_some());
}

#[divan::bench]
fn open(bencher: Bencher<'_, '_>) {
    let paths = paths();
    bencher.bench_local(|| native(black_box(&paths)));
}
