//! Games as `viriformat` keeps them: the field's compact format for games of training data.
//!
//! A game is 32 bytes for its start and result, 4 bytes for each move and its score, and 4 zero
//! bytes; a file is nothing but games. The format comes from the engine Viridithas; the crate
//! `viriformat` brings a second chess board and its own random numbers along, so this is a codec of
//! our own, and the crate is the oracle of its tests.

mod packed_move;
mod packed_start;
mod reader;
#[cfg(test)]
mod tests;

use sextant_board::{Color, Move, Position};
use sextant_play::{GameResult, Record};

pub(crate) use reader::{ReadError, Reader};

/// Bytes of the start of a game.
const START_BYTES: usize = 32;
/// Bytes of a move with its score, and of the zeros behind the last.
const TURN_BYTES: usize = 4;

/// A game of training data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Game {
    /// Where it began.
    pub(crate) start: Position,
    /// Who won.
    pub(crate) result: GameResult,
    /// The moves, from the start on.
    pub(crate) turns: Vec<Turn>,
}

/// A move, and what its search thought of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The move.
    pub(crate) mv: Move,
    /// The raw score of the position before the move, from White's view.
    pub(crate) white_score: i16,
}

impl Game {
    /// The training data of a game that was played.
    pub(crate) fn of_record(record: &Record) -> Game {
        let mut color = record.start.side_to_move();
        let turns = record
            .turns
            .iter()
            .map(|turn| {
                let raw = turn.score.raw() as i16;
                let white_score = if color == Color::White { raw } else { -raw };
                color = !color;
                Turn {
                    mv: turn.mv,
                    white_score,
                }
            })
            .collect();
        Game {
            start: record.start.clone(),
            result: record.result,
            turns,
        }
    }

    /// Appends the game's bytes.
    pub(crate) fn write_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend(packed_start::pack(&self.start, self.result));
        let mut position = self.start.clone();
        for turn in &self.turns {
            bytes.extend(packed_move::pack(&position, turn.mv).to_le_bytes());
            bytes.extend(turn.white_score.to_le_bytes());
            position.play(turn.mv);
        }
        bytes.extend([0; TURN_BYTES]);
    }

    /// Shows every position with its move, in order.
    pub(crate) fn visit(&self, mut show: impl FnMut(&Position, Turn)) {
        let mut position = self.start.clone();
        for &turn in &self.turns {
            show(&position, turn);
            position.play(turn.mv);
        }
    }
}
