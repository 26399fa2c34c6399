//! The evaluation that a search carries along: pushed and popped with its moves.

use std::sync::Arc;

use sextant_board::{Color, Delta, Position, Score};

use crate::{
    classical, endgame,
    nnue::{self, Network},
};

/// What the user can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum EvalModel {
    /// The classical evaluation, a sum of hand-made terms.
    Classical {
        /// Bonus for the side to move, in centipawns.
        tempo: i32,
    },
    /// A network, which many evaluations can share.
    Network(Arc<Network>),
}

impl Default for EvalModel {
    fn default() -> EvalModel {
        EvalModel::Classical { tempo: 16 }
    }
}

/// The incremental evaluation of one worker.
///
/// `reset` at the root, then one `push` (or `push_null`) for every move made and one `pop` for
/// every move taken back; `evaluate` is given the position that these led to. Nothing is allocated
/// after `new`.
#[derive(Clone, Debug)]
pub struct EvalState {
    /// Bonus for the side to move, in centipawns.
    tempo: i32,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Classical(classical::Accumulators),
    Network(nnue::Accumulators),
}

impl EvalState {
    /// A fresh evaluation; [`reset`](EvalState::reset) it before use.
    pub fn new(model: EvalModel) -> EvalState {
        match model {
            EvalModel::Classical { tempo } => EvalState {
                tempo,
                kind: Kind::Classical(classical::Accumulators::new()),
            },
            // A network knows what the move is worth.
            EvalModel::Network(network) => EvalState {
                tempo: 0,
                kind: Kind::Network(nnue::Accumulators::new(network)),
            },
        }
    }

    /// Starts at `pos`, with no moves made.
    pub fn reset(&mut self, pos: &Position) {
        match &mut self.kind {
            Kind::Classical(accumulators) => accumulators.reset(pos.board()),
            Kind::Network(accumulators) => accumulators.reset(pos.board()),
        }
    }

    /// A move was made that changed `delta`.
    ///
    /// # Panics
    ///
    /// If more than `MAX_PLY + 1` moves are on the stack.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        match &mut self.kind {
            Kind::Classical(accumulators) => accumulators.push(delta),
            Kind::Network(accumulators) => accumulators.push(delta),
        }
    }

    /// A null move was made.
    ///
    /// # Panics
    ///
    /// If more than `MAX_PLY + 1` moves are on the stack.
    #[inline]
    pub fn push_null(&mut self) {
        self.push(&Delta::default());
    }

    /// The last move was taken back.
    ///
    /// # Panics
    ///
    /// If no move is on the stack.
    #[inline]
    pub fn pop(&mut self) {
        match &mut self.kind {
            Kind::Classical(accumulators) => accumulators.pop(),
            Kind::Network(accumulators) => accumulators.pop(),
        }
    }

    /// What `pos` is worth to the side to move: [`value`](EvalState::value), which fades towards zero
    /// as the fifty-move clock rises (linearly, to half at 100), so that a side that is winning
    /// prefers to make progress; the order of two positions with the same clock does not change.
    #[inline]
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        Score::eval(fade(self.value(pos), pos.clock()))
    }

    /// The value of `pos` for the side to move in centipawns, tempo bonus included, whatever its clock
    /// says; 0 where neither side can force mate.
    #[inline]
    pub fn value(&mut self, pos: &Position) -> i32 {
        let board = pos.board();
        if endgame::is_dead_draw(board) {
            return 0;
        }
        let us = pos.side_to_move();
        let value = match (endgame::mating_side(board), &mut self.kind) {
            (Some(strong), _) => sided(us, sided(strong, endgame::mop_up(board, strong))),
            (None, Kind::Classical(accumulators)) => sided(us, accumulators.value(pos)),
            (None, Kind::Network(accumulators)) => accumulators.value(pos),
        };
        value + self.tempo
    }
}

/// White's point of view to that of `us`, or back.
#[inline]
fn sided(us: Color, value: i32) -> i32 {
    match us {
        Color::White => value,
        Color::Black => -value,
    }
}

/// Half of the value is gone when the clock is at 100.
#[inline]
fn fade(value: i32, clock: u16) -> i32 {
    value * (200 - i32::from(clock.min(100))) / 200
}
