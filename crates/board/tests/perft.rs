//! Perft over both suites, shallow: every row in seconds. `slow_perft.rs` goes deeper.

#[path = "common/suites.rs"]
mod suites;

use sextant_board::{Position, parse_fen, perft, perft_bare, perft_divide, perft_plain};

#[test]
fn standard_suite() {
    let (rows, _) = suites::check(suites::STANDARD, 1_000_000);
    assert_eq!(rows, 126);
}

#[test]
fn chess960_suite() {
    let (rows, _) = suites::check(suites::CHESS960, 100_000);
    assert_eq!(rows, 960);
}

#[test]
fn all_ways_of_counting_agree() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let pos = parse_fen(fen).unwrap();
    for (depth, nodes) in [1, 48, 2_039, 97_862].into_iter().enumerate() {
        let depth = depth as u32;
        assert_eq!(perft(&pos, depth), nodes);
        assert_eq!(perft_bare(pos.board(), depth), nodes);
        assert_eq!(perft_plain(pos.board(), depth), nodes);
        let divided: u64 = perft_divide(&pos, depth).iter().map(|&(_, n)| n).sum();
        assert_eq!(divided, if depth == 0 { 0 } else { nodes });
    }
    assert_eq!(perft_divide(&Position::startpos(), 2).len(), 20);
}
