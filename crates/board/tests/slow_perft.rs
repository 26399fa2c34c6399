//! Perft, deep: every row of both suites to its deepest entry under 20 million nodes, and the
//! seven usual positions further.

#[path = "common/suites.rs"]
mod suites;

use sextant_board::{parse_fen, perft};

const MOST_NODES: u64 = 20_000_000;

#[test]
fn standard_suite() {
    let (rows, nodes) = suites::check(suites::STANDARD, MOST_NODES);
    assert_eq!(rows, 126);
    println!("{rows} rows, {nodes} nodes");
}

#[test]
fn chess960_suite() {
    let (rows, nodes) = suites::check(suites::CHESS960, MOST_NODES);
    assert_eq!(rows, 960);
    println!("{rows} rows, {nodes} nodes");
}

/// Counts that the Chess Programming Wiki's perft page gives for its positions.
#[test]
fn the_seven_usual_positions() {
    for (fen, depth, nodes) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            6,
            119_060_324,
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            5,
            193_690_690,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            5,
            15_833_292,
        ),
        (
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            5,
            15_833_292,
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            5,
            89_941_194,
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            5,
            164_075_551,
        ),
    ] {
        let pos = parse_fen(fen).unwrap();
        assert_eq!(perft(&pos, depth), nodes, "{fen} at depth {depth}");
    }
}
