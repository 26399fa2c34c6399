//! The codec of `viriformat`, the compact format of the engine Viridithas for games of training data
//! (<https://github.com/cosmobobak/viriformat>).
//!
//! A game is 32 bytes for its start and result, 4 bytes for each move and its score, and 4 zero
//! bytes; a file is nothing but games. The crate `viriformat` brings a second chess board and its own
//! random numbers along, so this codec is our own, and the crate is the oracle of its tests.

mod moves;
mod reader;
mod start;
#[cfg(test)]
mod tests;

use sextant_board::{Color, Move, Position};
use sextant_play::{GameResult, Record};

pub(crate) use reader::Reader;

const START_BYTES: usize = 32;
/// Bytes of a move with its score, and of the zeros behind the last move.
const TURN_BYTES: usize = 4;

/// A game of training data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Game {
    pub(crate) start: Position,
    pub(crate) result: GameResult,
    pub(crate) turns: Vec<Turn>,
}

/// A move and the score of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) mv: Move,
    /// Raw score (see `sextant_board::Score`), from White's point of view.
    pub(crate) white_score: i16,
}

impl Turn {
    /// A move with its score from the point of view of `color`.
    pub(crate) fn new(mv: Move, color: Color, score: i16) -> Turn {
        let white_score = match color {
            Color::White => score,
            Color::Black => -score,
        };
        Turn { mv, white_score }
    }
}

impl Game {
    /// The training data of a game that was played.
    pub(crate) fn of_record(record: &Record) -> Game {
        let first = record.start.side_to_move();
        let movers = [first, !first].into_iter().cycle();
        let turns = record.turns.iter().zip(movers);
        let turns = turns.map(|(turn, mover)| Turn::new(turn.mv, mover, turn.score.raw() as i16));
        Game {
            start: record.start.clone(),
            result: record.result,
            turns: turns.collect(),
        }
    }

    /// The game as files hold it.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = start::pack(&self.start, self.result).to_vec();
        self.visit(|position, turn| {
            bytes.extend(moves::pack(position, turn.mv).to_le_bytes());
            bytes.extend(turn.white_score.to_le_bytes());
        });
        bytes.extend([0; TURN_BYTES]);
        bytes
    }

    /// Shows every position with the move that was played in it, in order.
    pub(crate) fn visit(&self, mut show: impl FnMut(&Position, Turn)) {
        let mut position = self.start.clone();
        for &turn in &self.turns {
            show(&position, turn);
            position.play(turn.mv);
        }
    }
}
