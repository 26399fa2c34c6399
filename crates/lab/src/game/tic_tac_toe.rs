//! Tic-tac-toe: small enough to search to the end, large enough to be worth it.

use super::{Game, Value};

/// The squares are numbered row by row, 0 to 8; each player owns a set of nine bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct TicTacToe {
    mover: u16,
    opponent: u16,
}

const ALL: u16 = 0b111_111_111;
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

impl TicTacToe {
    fn lost(self) -> bool {
        LINES.iter().any(|&line| line & !self.opponent == 0)
    }

    /// The smallest key among the eight turned and mirrored copies of this position: equal for
    /// positions that are the same but for symmetry.
    pub(crate) fn symmetric_key(&self) -> u64 {
        let mut position = *self;
        let mut smallest = u64::MAX;
        for _ in 0..2 {
            for _ in 0..4 {
                position = position.map(quarter_turn);
                smallest = smallest.min(position.key());
            }
            position = position.map(mirror);
        }
        smallest
    }

    fn map(self, square_map: fn(u16) -> u16) -> TicTacToe {
        let move_all = |set: u16| {
            (0..9)
                .filter(|square| set >> square & 1 == 1)
                .map(|s| 1 << square_map(s))
                .sum()
        };
        TicTacToe {
            mover: move_all(self.mover),
            opponent: move_all(self.opponent),
        }
    }
}

fn quarter_turn(square: u16) -> u16 {
    let (row, column) = (square / 3, square % 3);
    column * 3 + (2 - row)
}

fn mirror(square: u16) -> u16 {
    square / 3 * 3 + (2 - square % 3)
}

impl Game for TicTacToe {
    type Move = u8;

    fn moves(&self) -> Vec<u8> {
        if self.lost() {
            return Vec::new();
        }
        let free = ALL & !(self.mover | self.opponent);
        (0..9).filter(|square| free >> square & 1 == 1).collect()
    }

    fn play(&self, square: u8) -> TicTacToe {
        TicTacToe {
            mover: self.opponent,
            opponent: self.mover | 1 << square,
        }
    }

    fn evaluate(&self) -> Value {
        Value(if self.lost() { -1 } else { 0 })
    }

    fn outcome(&self, _ply: u32) -> Value {
        self.evaluate()
    }

    fn key(&self) -> u64 {
        u64::from(self.mover) | u64::from(self.opponent) << 9
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(squares: &[u8]) -> TicTacToe {
        squares
            .iter()
            .fold(TicTacToe::default(), |position, &square| {
                position.play(square)
            })
    }

    #[test]
    fn a_full_line_ends_the_game_for_the_side_that_must_move_next() {
        let won = after(&[0, 3, 1, 4, 2]);
        assert!(won.moves().is_empty());
        assert_eq!(won.evaluate(), Value(-1));
    }

    #[test]
    fn all_four_corners_are_one_position_up_to_symmetry() {
        let keys: Vec<u64> = [0, 2, 6, 8]
            .iter()
            .map(|&c| after(&[c]).symmetric_key())
            .collect();
        assert!(keys.iter().all(|&key| key == keys[0]));
        assert_ne!(after(&[4]).symmetric_key(), keys[0]);
    }
}
