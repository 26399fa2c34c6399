//! Syzygy tables of any bytes: probes of all kinds answer or give an error, within bounds and
//! without a panic. The first byte chooses the table that the rest of the input stands for; the
//! others are sound.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use sextant_board::{Random, parse_fen};
use sextant_syzygy::{Material, Options, TableId, TableKind, TableSource, Tablebase};

macro_rules! tables {
    ($($name:literal)*) => {
        [$(
            ($name, TableKind::Wdl, include_bytes!(concat!("../../syzygy/testdata/", $name, ".rtbw")).as_slice()),
            ($name, TableKind::Dtz, include_bytes!(concat!("../../syzygy/testdata/", $name, ".rtbz")).as_slice()),
        )*]
    };
}

static TABLES: [(&str, TableKind, &[u8]); 16] =
    tables! { "KRvK" "KQvK" "KPvK" "KNNvK" "KRvKR" "KQvKQ" "KBvKN" "KPvKP" };

/// Probes an input gets.
const PROBES: u64 = 8;

/// A FEN with these men on random squares, which most often is a legal position.
fn random_fen(name: &str, seed: u64) -> String {
    let mut random = Random::of_item(7, seed);
    let mut squares = [b'1'; 64];
    let (white, black) = name.split_once('v').expect("two sides");
    for man in white
        .bytes()
        .chain(black.bytes().map(|man| man.to_ascii_lowercase()))
    {
        loop {
            let square = random.below(64);
            let on_the_edge = !(8..56).contains(&square);
            if squares[square] == b'1' && !(on_the_edge && man.eq_ignore_ascii_case(&b'p')) {
                squares[square] = man;
                break;
            }
        }
    }
    let ranks: Vec<_> = squares.chunks(8).map(String::from_utf8_lossy).collect();
    format!(
        "{} {} - - {} 1",
        ranks.join("/"),
        ["w", "b"][random.below(2)],
        random.below(100)
    )
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    let chosen = usize::from(choice) % TABLES.len();
    let sources = TABLES
        .iter()
        .enumerate()
        .map(|(index, &(name, kind, sound))| {
            let material = Material::parse(name).expect("a name");
            let source: Arc<dyn TableSource> = match index == chosen {
                true => Arc::new(bytes.to_vec()),
                false => Arc::new(sound),
            };
            (TableId { material, kind }, source)
        });
    let tables = Tablebase::of_sources(sources, &Options::default());
    let fens = (0..PROBES).map(|seed| random_fen(TABLES[chosen].0, seed));
    for position in fens.flat_map(|fen| parse_fen(&fen)) {
        let board = position.board();
        let _ = tables.probe_wdl(board).map_err(|error| error.to_string());
        let _ = tables.dtz(board).map_err(|error| error.to_string());
        let _ = tables.look_ahead(board);
        let _ = tables
            .main_line(board, 2)
            .map_err(|error| error.to_string());
    }
    let (name, kind, _) = TABLES[chosen];
    let material = Material::parse(name).expect("a name");
    let _ = tables.verify(TableId { material, kind });
    assert!(tables.take_failures().iter().all(|text| text.len() < 4096));
});
