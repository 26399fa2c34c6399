//! A list of scored moves that gives the best one first.

use arrayvec::ArrayVec;
use sextant_board::{MAX_MOVES, Move};
use wide::i32x8;

/// Low bits of a key: which move it belongs to.
const INDEX_BITS: u32 = 9;
const INDEX_MASK: i32 = (1 << INDEX_BITS) - 1;
const _: () = assert!(MAX_MOVES <= 1 << INDEX_BITS);

/// The key of a move that is no longer in the list.
const TAKEN: i32 = i32::MIN;

/// Moves and, apart from them, their scores: finding the best is then a maximum over plain
/// integers, several at a time. One step of a selection sort at a time is enough, for most nodes are
/// cut off after a few moves.
///
/// A key is the score with the move's place in the list in its low bits, counted backwards, so that
/// of equal scores the first pushed comes first.
pub(super) struct MoveList {
    keys: ArrayVec<i32, MAX_MOVES>,
    moves: ArrayVec<Move, MAX_MOVES>,
}

impl MoveList {
    pub(super) fn new() -> MoveList {
        MoveList {
            keys: ArrayVec::new(),
            moves: ArrayVec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.moves.clear();
    }

    /// `score` must be within ± 2^21.
    #[inline]
    pub(super) fn push(&mut self, mv: Move, score: i32) {
        debug_assert!(score.abs() < 1 << (31 - INDEX_BITS - 1));
        let place = self.moves.len() as i32;
        self.keys.push((score << INDEX_BITS) | (INDEX_MASK - place));
        self.moves.push(mv);
    }

    /// The best move that is left, and its score.
    #[inline]
    pub(super) fn take_best(&mut self) -> Option<(Move, i32)> {
        let best = largest(&self.keys);
        if best == TAKEN {
            return None;
        }
        let place = (INDEX_MASK - (best & INDEX_MASK)) as usize;
        self.keys[place] = TAKEN;
        Some((self.moves[place], best >> INDEX_BITS))
    }

    /// Drops every move that is not in `wanted`.
    pub(super) fn keep(&mut self, wanted: &[Move]) {
        if wanted.is_empty() {
            return self.clear();
        }
        for (key, mv) in self.keys.iter_mut().zip(&self.moves) {
            if !wanted.contains(mv) {
                *key = TAKEN;
            }
        }
    }
}

/// The largest key, [`TAKEN`] if there is none.
///
/// Eight lanes by name: left to itself, a compiler for AVX-512 compares sixteen blocks at once, whose
/// keys it has to gather.
#[inline]
fn largest(keys: &[i32]) -> i32 {
    let Some(last) = keys.last_chunk() else {
        return keys.iter().fold(TAKEN, |a, &b| a.max(b));
    };
    // The last block overlaps the one before it, which does a maximum no harm.
    let mut best = i32x8::new(*last);
    for &block in keys.as_chunks().0 {
        best = best.max(i32x8::new(block));
    }
    best.reduce_max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(count: usize) -> Vec<Move> {
        let start = sextant_board::MoveSets::generate(&sextant_board::Position::startpos());
        start.iter().take(count).collect()
    }

    #[test]
    fn the_best_comes_first_and_the_first_of_equals() {
        let moves = moves(20);
        let scores = [5, -3, 5, 400_000, -518_000, 0, 0, 5, 7, 1];
        let mut list = MoveList::new();
        for (i, &mv) in moves.iter().enumerate() {
            list.push(mv, scores[i % scores.len()]);
        }
        let mut expected: Vec<usize> = (0..moves.len()).collect();
        expected.sort_by_key(|&i| -scores[i % scores.len()]);
        for i in expected {
            assert_eq!(list.take_best(), Some((moves[i], scores[i % scores.len()])));
        }
        assert_eq!(list.take_best(), None);
    }

    #[test]
    fn only_what_is_wanted_and_not_yet_taken_is_kept() {
        let moves = moves(12);
        let mut list = MoveList::new();
        for (i, &mv) in moves.iter().enumerate() {
            list.push(mv, i as i32);
        }
        assert_eq!(list.take_best(), Some((moves[11], 11)));
        list.keep(&[moves[2], moves[11], moves[7]]);
        assert_eq!(list.take_best(), Some((moves[7], 7)));
        assert_eq!(list.take_best(), Some((moves[2], 2)));
        assert_eq!(list.take_best(), None);
        list.push(moves[0], 1);
        list.keep(&[]);
        assert_eq!(list.take_best(), None);
    }
}
