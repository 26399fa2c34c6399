//! The perft suites of `testdata/`.

use sextant_board::{Epd, perft};

pub(crate) const STANDARD: &str = include_str!("../../testdata/perftsuite.epd");
pub(crate) const CHESS960: &str = include_str!("../../testdata/frcperftsuite.epd");

/// Checks every row of a suite at its deepest entry of at most `most_nodes` nodes; returns how
/// many rows and nodes that were.
pub(crate) fn check(suite: &str, most_nodes: u64) -> (usize, u64) {
    let (mut rows, mut total) = (0, 0);
    for line in suite.lines().filter(|line| !line.trim().is_empty()) {
        let epd = Epd::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let deepest = epd
            .perft_counts()
            .filter(|&(_, nodes)| nodes <= most_nodes)
            .max();
        let Some((depth, nodes)) = deepest else {
            panic!("{line}: no entry of at most {most_nodes} nodes");
        };
        assert_eq!(
            perft(&epd.position, depth),
            nodes,
            "{line} at depth {depth}"
        );
        rows += 1;
        total += nodes;
    }
    (rows, total)
}
