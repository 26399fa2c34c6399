//! Perft: counting the leaves of the legal move tree, the usual proof of a move generator.

use cozy_chess::{Board, Move};

use crate::{movegen::MoveSets, position::Position};

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
    let sets = MoveSets::generate(pos);
    if depth == 1 {
        return sets.count() as u64;
    }
    sets.iter()
        .map(|mv| perft(&pos.make(mv).0, depth - 1))
        .sum()
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
    let sets = MoveSets::of_board(board);
    if depth == 1 {
        return sets.count() as u64;
    }
    sets.iter()
        .map(|mv| {
            let mut after = board.clone();
            after.play_unchecked(mv);
            perft_plain(&after, depth - 1)
        })
        .sum()
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
