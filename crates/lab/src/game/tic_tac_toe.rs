//! Tic-tac-toe: small enough to search to the end, large enough to be worth it.

use super::{Game, Value};

/// The squares are numbered row by row, 0 to 8; each player owns a set of nine bits.
#[derive(Clone, Copy, Debug, Default)]
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

    pub(crate) fn key(&self) -> u64 {
        u64::from(self.mover) | u64::from(self.opponent) << 9
    }

    /// The smallest key among the eight turned and mirrored copies of this position: equal for
    /// positions that are the same but for symmetry.
    pub(crate) fn symmetric_key(&self) -> u64 {
        let quarter_turn = |square| square % 3 * 3 + (2 - square / 3);
        let mirror = |square| square / 3 * 3 + (2 - square % 3);
        let mut position = *self;
        let mut smallest = u64::MAX;
        for copy in 0..8 {
            position = position.map(quarter_turn);
            if copy == 4 {
                position = position.map(mirror);
            }
            smallest = smallest.min(position.key());
        }
        smallest
    }

    fn map(self, place: impl Fn(u16) -> u16) -> TicTacToe {
        let moved = |set: u16| {
            let squares = (0..9).filter(|square| set >> square & 1 == 1);
            squares.map(|square| 1 << place(square)).sum()
        };
        TicTacToe {
            mover: moved(self.mover),
            opponent: moved(self.opponent),
        }
    }
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
}
