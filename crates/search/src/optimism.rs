//! Optimism: the static evaluation leans towards the side that stands better at the root. All
//! evaluations shift alike; what changes is their worth against a draw, which that side avoids and
//! the other one seeks. Stockfish's idea.

use sextant_board::Color;

/// What is added to the static evaluation of each side to move, in centipawns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Optimism([i32; Color::NUM]);

impl Optimism {
    /// A shift in favor of `color`.
    pub(crate) fn in_favor_of(color: Color, centipawns: i32) -> Optimism {
        let mut shifts = [-centipawns; Color::NUM];
        shifts[color as usize] = centipawns;
        Optimism(shifts)
    }

    /// The shift where `color` is to move.
    #[inline]
    pub(crate) fn of(self, color: Color) -> i32 {
        self.0[color as usize]
    }
}
