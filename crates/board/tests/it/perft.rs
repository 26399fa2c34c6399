//! Perft over the suites of `testdata/`.

use sextant_board::{Epd, Position, perft};

/// Checks every row of a suite at its deepest entry of at most `most_nodes` nodes.
fn check(suite: &str, rows: usize, most_nodes: u64) {
    assert_eq!(suite.lines().count(), rows);
    for line in suite.lines() {
        let epd = Epd::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let counts = epd.perft_counts();
        let deepest = counts.filter(|&(_, nodes)| nodes <= most_nodes).max();
        let (depth, nodes) = deepest.expect(line);
        assert_eq!(
            perft(&epd.position, depth),
            nodes,
            "{line} at depth {depth}"
        );
    }
}

#[test]
fn standard_suite() {
    check(
        include_str!("../../testdata/perftsuite.epd"),
        126,
        5_000_000,
    );
}

#[test]
fn chess960_suite() {
    check(
        include_str!("../../testdata/frcperftsuite.epd"),
        960,
        1_000_000,
    );
}

/// The positions of the Chess Programming Wiki's perft page, deep.
#[test]
fn usual_positions() {
    check(include_str!("../../testdata/usual.epd"), 7, 200_000_000);
}

#[test]
fn no_move_is_one_line() {
    assert_eq!(perft(&Position::startpos(), 0), 1);
    assert_eq!(perft(&Position::startpos(), 1), 20);
}
