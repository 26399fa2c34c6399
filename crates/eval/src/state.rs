//! The evaluation that a search carries along: pushed and popped with its moves.

use sextant_board::{Color, Delta, MAX_PLY, Position, Score};

use crate::{
    classical, endgame,
    pair::Pair,
    pawns::Cache,
    psq,
    trace::{self, Line},
};

/// What the user can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// Bonus for the side to move, in centipawns.
    pub tempo: i32,
}

impl Default for Params {
    fn default() -> Params {
        Params { tempo: 16 }
    }
}

/// The incremental evaluation of one worker.
///
/// `reset` at the root, then one `push` (or `push_null`) for every move made and one `pop` for
/// every move taken back; `evaluate` is given the position that these led to. Nothing is allocated
/// after `new`.
#[derive(Clone, Debug)]
pub struct State {
    params: Params,
    /// Material and piece-square sums by ply, White's view.
    stack: Box<[Pair; MAX_PLY + 2]>,
    ply: usize,
    pawns: Cache,
}

impl State {
    /// A fresh evaluation; [`reset`](State::reset) it before use.
    #[must_use]
    pub fn new(params: Params) -> State {
        State {
            params,
            stack: Box::new([Pair::ZERO; MAX_PLY + 2]),
            ply: 0,
            pawns: Cache::new(),
        }
    }

    /// Starts at `pos`, with no moves made.
    pub fn reset(&mut self, pos: &Position) {
        self.ply = 0;
        self.stack[0] = psq::total(pos.board());
    }

    /// A move was made that changed `delta`.
    ///
    /// # Panics
    ///
    /// If more than `MAX_PLY + 1` moves are on the stack.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        let mut sum = self.stack[self.ply];
        for &man in &delta.removed {
            sum -= psq::value(man);
        }
        for &man in &delta.added {
            sum += psq::value(man);
        }
        self.ply += 1;
        self.stack[self.ply] = sum;
    }

    /// A null move was made.
    ///
    /// # Panics
    ///
    /// If more than `MAX_PLY + 1` moves are on the stack.
    #[inline]
    pub fn push_null(&mut self) {
        self.ply += 1;
        self.stack[self.ply] = self.stack[self.ply - 1];
    }

    /// The last move was taken back.
    ///
    /// # Panics
    ///
    /// If no move is on the stack.
    #[inline]
    pub fn pop(&mut self) {
        self.ply -= 1;
    }

    /// The value of `pos` from the side to move's view, tempo bonus included.
    ///
    /// It fades towards zero as the fifty-move clock rises (linearly, to half at 100), so that a
    /// side that is winning prefers to make progress; the order of two positions with the same
    /// clock does not change.
    #[inline]
    #[must_use]
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        let board = pos.board();
        debug_assert_eq!(self.stack[self.ply], psq::total(board));
        if endgame::is_dead_draw(board) {
            return Score::DRAW;
        }
        let white = match endgame::mating_side(board) {
            Some(us) => sided(us, endgame::mop_up(board, us)),
            None => {
                let entry = self.pawns.get(pos);
                let mut sides = [Pair::ZERO; Color::NUM];
                classical::tally_dynamic(board, &entry.structure, &mut sides);
                let sum = self.stack[self.ply] + entry.sum + sides[0] - sides[1];
                let scale = classical::scale(board, sum.eg());
                classical::taper(sum, classical::phase(board), scale)
            }
        };
        let value = sided(pos.side_to_move(), white) + self.params.tempo;
        Score::eval(fade(value, pos.clock()))
    }

    /// The value term by term, for people.
    #[must_use]
    pub fn explain(&self, pos: &Position) -> Vec<Line> {
        trace::explain(pos.board())
    }
}

/// White's view to that of `us`, or back.
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
