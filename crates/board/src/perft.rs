//! Perft: counting the leaves of the legal move tree, the usual proof of a move generator.

use std::hint::black_box;

use cozy_chess::{Board, Move};

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

/// [`perft`] of the position after each legal move, in generation order.
#[must_use]
pub fn perft_divide(pos: &Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    MoveSets::generate(pos)
        .iter()
        .map(|mv| (mv, perft(&pos.make(mv).0, depth - 1)))
        .collect()
}

/// The same count on a plain board through [`MoveSets`], without keys and deltas.
#[must_use]
pub fn perft_plain(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return count_legal(board) as u64;
    }
    let mut nodes = 0;
    for &set in MoveSets::of_board(board).as_slice() {
        for mv in set {
            let mut after = board.clone();
            after.play_unchecked(mv);
            nodes += perft_plain(&after, depth - 1);
        }
    }
    nodes
}

/// The same count with `cozy-chess` alone: the yardstick of the benchmark.
#[must_use]
pub fn perft_bare(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            nodes += perft_bare(&after, depth - 1);
        }
        false
    });
    nodes
}
