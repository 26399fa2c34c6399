//! Perft: counting the leaves of the legal move tree, the usual proof of a move generator.

use std::hint::black_box;

use crate::{
    movegen::{MoveSets, count_legal},
    position::Position,
};

/// The number of legal lines of `depth` plies from `pos`, made as the search makes them: with keys
/// and deltas. The last ply is counted, not made.
///
/// ```
/// use sextant_board::{Position, perft};
/// assert_eq!(perft(&Position::startpos(), 3), 8_902);
/// ```
#[must_use]
pub fn perft(pos: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return count_legal(pos.board()) as u64;
    }
    let mut nodes = 0;
    for &set in MoveSets::generate(pos).as_slice() {
        for mv in set {
            let mut after = pos.clone();
            // A tree walk has no use for the delta, but what is measured must make it.
            black_box(after.play(mv));
            nodes += perft(&after, depth - 1);
        }
    }
    nodes
}
