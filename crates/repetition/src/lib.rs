//! Repetition detection for a game-tree search, from 64-bit position keys alone.
//!
//! A search asks at every node whether the position has been on the board before. Looking through
//! the keys of the game and of the line answers that exactly, at a cost that grows with the
//! half-move clock. Ronald de Man's remedy is a counting Bloom filter: a small table of counters
//! indexed by the low bits of the key, incremented on entering a node and decremented on leaving.
//! A counter that holds nobody else proves that there is no repetition; only a shared counter (a
//! *maybe*) is settled by the exact scan. So the answer is always exact; the filter only decides
//! how often the scan runs.
//!
//! With `n` other positions in the filter and `2^b` counters, a position that repeats nothing
//! finds its counter shared with probability `1 - (1 - 2^-b)^n`, about `n / 2^b`: a clock of 50
//! and 14 bits raise a false alarm once in 330 queries.
//!
//! ```
//! use sextant_repetition::History;
//!
//! // A game of three positions; each key comes with its half-move clock, the last is the root.
//! let mut history = History::new(14)?;
//! history.set_game([(0xA0, 0), (0xB1, 1), (0xC2, 2)]);
//!
//! // The search shuffles: two moves out, two moves back.
//! history.enter(0xD3, 3);
//! history.enter(0xE4, 4);
//! history.enter(0xF5, 5);
//! assert!(!history.is_repetition());
//! assert!(!history.would_repeat(0xC2), "the root counts as a game position: once is not enough");
//! history.enter(0xC2, 6);
//! assert_eq!(history.occurrences(), 1);
//! assert!(!history.is_repetition());
//!
//! // 0xD3 arose inside the search, so a second occurrence is scored as a draw.
//! assert!(history.would_repeat(0xD3));
//! history.enter(0xD3, 7);
//! assert!(history.is_repetition());
//!
//! for _ in 0..5 {
//!     history.leave();
//! }
//! assert_eq!(history.plies(), 0);
//! # Ok::<(), sextant_repetition::FilterBitsError>(())
//! ```
//!
//! # What the caller supplies
//!
//! * Keys that are equal exactly when the rules call two positions the same: side to move and
//!   castling rights included, the en-passant file only when a capture on it is legal.
//! * The half-move clock of each position, 0 after a capture or a pawn move.
//!
//! # The rules it answers by
//!
//! * A position that arose *after the root* is a draw on its second occurrence: if a side could
//!   go there once it can go there again, so nothing is gained by waiting for the third.
//! * A position of the game, the root included, is a draw on its third occurrence.
//! * Nothing before an irreversible move or a null move repeats with anything after it.

#![warn(missing_docs)]

mod counting;
mod history;

pub use counting::{FILTER_BITS, FilterBitsError};
pub use history::{Alarms, History, SEARCH_PLIES};

/// Whether a position with this half-move clock falls under the fifty-move rule, the other draw
/// that hangs on the clock.
///
/// Checkmate takes precedence: a move that mates on the hundredth half-move wins. Keys do not show
/// mate, so the caller must make sure, before it scores the draw, that the side to move is not in
/// check or has a legal move.
///
/// ```
/// use sextant_repetition::is_fifty;
/// assert_eq!([0, 99, 100, u16::MAX].map(is_fifty), [false, false, true, true]);
/// ```
#[inline]
pub const fn is_fifty(clock: u16) -> bool {
    clock >= 100
}
