//! Seven men: no real file was at hand, so two made here, in which every position of a side to move
//! has the same value.

use std::fs;

use sextant_syzygy::{Material, TableId, TableKind, Wdl};

use crate::common::{folder, native};

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
