//! The unit of a match: two games of one opening, in which the players change colors.

use sextant_board::{Color, Position};

use crate::game::Record;

/// One of the two players of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The one whose results are counted.
    First,
    Second,
}

/// Two games of one opening: the first player has White, then Black.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Number of the pair, from 0.
    pub index: u64,
    /// Where both games began.
    pub opening: Position,
    pub games: [Record; 2],
}

impl Pair {
    /// Half points of the first player, 0 to 4.
    #[must_use]
    pub fn half_points(&self) -> usize {
        let [with_white, with_black] = &self.games;
        with_white.result.half_points(Color::White) + with_black.result.half_points(Color::Black)
    }
}
