//! What earlier nodes teach: which moves tend to be good, and how far the static evaluation errs.

mod continuation;
mod correction;
mod tables;

use sextant_board::{Color, Move, Piece, Position, Square, Threats};
use sextant_config::HistoryConfig;

pub(crate) use continuation::{CONTINUATIONS, PLIES_BACK, Played};
use continuation::{Continuation, Rows};
pub(crate) use correction::Corrections;
use tables::{Butterfly, Captures, PawnTable};

/// Every history value stays within ± this.
pub(crate) const HISTORY_MAX: i32 = 16_384;

/// The sum of the histories of a quiet move stays within ± this: twice the butterfly's, the pawns',
/// and three of the continuations.
pub(crate) const QUIET_MAX: i32 = 6 * HISTORY_MAX;

/// A difference of history scores in hundredths of [`HISTORY_MAX`].
#[inline]
pub(crate) fn percent_of_history(difference: i32) -> i32 {
    difference * 100 / HISTORY_MAX
}

/// A value pulled towards zero in proportion to its size, so that it never leaves its range and
/// forgets the old for the new.
#[inline]
fn gravitate(cell: &mut i16, change: i32, max: i32) {
    let change = change.clamp(-max, max);
    let value = i32::from(*cell);
    *cell = (value + change - value * change.abs() / max) as i16;
}

/// Index of a man among twelve.
#[inline]
fn man(color: Color, piece: Piece) -> usize {
    color as usize * Piece::NUM + piece as usize
}

/// A quiet move as the histories see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quiet {
    /// The mover.
    pub piece: Piece,
    /// The move.
    pub mv: Move,
}

/// Where the histories are looked up: the side, what it fears, its pawns and the moves before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Side to move.
    pub color: Color,
    /// Squares that the opponent attacks.
    pub threats: sextant_board::BitBoard,
    /// Key of the pawns.
    pub pawn_key: u64,
    /// The moves 1, 2, 4 and 6 plies before.
    pub before: [Option<Played>; CONTINUATIONS],
}

impl Place {
    /// The place of a node.
    #[inline]
    #[must_use]
    pub(crate) fn new(
        pos: &Position,
        threats: &Threats,
        before: [Option<Played>; CONTINUATIONS],
    ) -> Place {
        Place {
            color: pos.side_to_move(),
            threats: threats.all,
            pawn_key: pos.keys().pawn(),
            before,
        }
    }
}

/// How good quiet moves have been at one place.
#[derive(Clone, Copy)]
pub(crate) struct QuietHistories<'a> {
    color: Color,
    threats: sextant_board::BitBoard,
    butterfly: Option<&'a Butterfly>,
    pawns: Option<&'a [i16; Piece::NUM * Square::NUM]>,
    continuation: Option<Rows<'a>>,
}

impl<'a> QuietHistories<'a> {
    /// The part that concerns one man.
    #[inline]
    pub(crate) fn of_man(&self, piece: Piece, from: Square) -> ManHistories<'a> {
        let nothing = &NO_SQUARES;
        let man = man(self.color, piece);
        ManHistories {
            threats: self.threats,
            butterfly: self.butterfly.map_or([nothing; 2], |butterfly| {
                butterfly.of_square(self.color, self.threats, from)
            }),
            pawns: self
                .pawns
                .map_or(nothing, |pawns| row(pawns, piece as usize)),
            continuation: self
                .continuation
                .map_or([nothing; CONTINUATIONS], |rows| rows.of_man(man)),
        }
    }
}

/// Values by target square.
type Squares = [i16; Square::NUM];

/// What a history says that is switched off.
static NO_SQUARES: Squares = [0; Square::NUM];

/// Row `n` of a table whose last index is a square.
#[inline]
fn row(table: &[i16], n: usize) -> &Squares {
    (&table[n * Square::NUM..(n + 1) * Square::NUM])
        .try_into()
        .expect("a row has a cell for each square")
}

/// How good the quiet moves of one man have been at one place, by target square.
#[derive(Clone, Copy)]
pub(crate) struct ManHistories<'a> {
    threats: sextant_board::BitBoard,
    /// For targets that are not attacked, and for those that are.
    butterfly: [&'a Squares; 2],
    pawns: &'a Squares,
    continuation: [&'a Squares; CONTINUATIONS],
}

impl ManHistories<'_> {
    /// The sum for one move, in ±[`QUIET_MAX`]: the butterfly twice, the nearer continuations full
    /// and the farther half.
    #[inline]
    pub(crate) fn score(&self, to: Square) -> i32 {
        let at = |squares: &Squares| i32::from(squares[to as usize]);
        let [near, own, far, farther] = self.continuation.map(at);
        2 * at(self.butterfly[usize::from(self.threats.has(to))])
            + at(self.pawns)
            + near
            + own
            + (far + farther) / 2
    }
}

/// All move histories of one worker.
#[derive(Debug)]
pub(crate) struct Histories {
    butterfly: Butterfly,
    captures: Captures,
    pawns: PawnTable,
    continuation: Continuation,
    counter_moves: Box<[[Option<Move>; Square::NUM]; 2 * Piece::NUM]>,
}

impl Histories {
    /// Nothing learned yet.
    #[must_use]
    pub(crate) fn new() -> Histories {
        Histories {
            butterfly: Butterfly::new(),
            captures: Captures::new(),
            pawns: PawnTable::new(),
            continuation: Continuation::new(),
            counter_moves: Box::new([[None; Square::NUM]; 2 * Piece::NUM]),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.butterfly.clear();
        self.captures.clear();
        self.pawns.clear();
        self.continuation.clear();
        *self.counter_moves = [[None; Square::NUM]; 2 * Piece::NUM];
    }

    /// The histories of quiet moves at one place, looked up once for all moves of a node.
    #[inline]
    #[must_use]
    pub(crate) fn quiets(&self, config: &HistoryConfig, place: &Place) -> QuietHistories<'_> {
        QuietHistories {
            color: place.color,
            threats: place.threats,
            butterfly: config.butterfly.then_some(&self.butterfly),
            pawns: config
                .pawn
                .then(|| self.pawns.structure(place.pawn_key, place.color)),
            continuation: config
                .continuation
                .then(|| self.continuation.rows(&place.before)),
        }
    }

    /// How good a capture has been, in ±[`HISTORY_MAX`].
    #[inline]
    #[must_use]
    pub(crate) fn capture(
        &self,
        config: &HistoryConfig,
        color: Color,
        piece: Piece,
        mv: Move,
        victim: Option<Piece>,
    ) -> i32 {
        if config.capture {
            self.captures.get(color, piece, mv.to, victim)
        } else {
            0
        }
    }

    /// A quiet move turned out well (`change` > 0) or badly.
    pub(crate) fn teach_quiet(
        &mut self,
        config: &HistoryConfig,
        place: &Place,
        quiet: Quiet,
        change: i32,
    ) {
        if config.butterfly {
            self.butterfly
                .teach(place.color, place.threats, quiet.mv, change);
        }
        if config.pawn {
            self.pawns.teach(place.pawn_key, place.color, quiet, change);
        }
        let played = Played::new(place.color, quiet.piece, quiet.mv.to);
        self.teach_sequel(config, &place.before, played, change);
    }

    /// The continuation part of [`Histories::teach_quiet`] alone: for a move of which no more is
    /// known than what was played.
    pub(crate) fn teach_sequel(
        &mut self,
        config: &HistoryConfig,
        before: &[Option<Played>; CONTINUATIONS],
        played: Played,
        change: i32,
    ) {
        if config.continuation {
            self.continuation.teach(before, played, change);
        }
    }

    /// A capture turned out well or badly.
    pub(crate) fn teach_capture(
        &mut self,
        config: &HistoryConfig,
        color: Color,
        piece: Piece,
        mv: Move,
        victim: Option<Piece>,
        change: i32,
    ) {
        if config.capture {
            self.captures.teach(color, piece, mv.to, victim, change);
        }
    }

    /// The move that refuted the last one before.
    #[inline]
    #[must_use]
    pub(crate) fn counter_move(&self, last: Option<Played>) -> Option<Move> {
        last.and_then(|last| self.counter_moves[last.man()][last.square()])
    }

    /// `mv` refuted the last move.
    pub(crate) fn set_counter_move(&mut self, last: Option<Played>, mv: Move) {
        if let Some(last) = last {
            self.counter_moves[last.man()][last.square()] = Some(mv);
        }
    }
}

impl Default for Histories {
    fn default() -> Histories {
        Histories::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_a_value_in_range() {
        let mut cell = 0;
        for _ in 0..1000 {
            gravitate(&mut cell, HISTORY_MAX, HISTORY_MAX);
        }
        assert_eq!(i32::from(cell), HISTORY_MAX);
        for _ in 0..1000 {
            gravitate(&mut cell, -300, HISTORY_MAX);
        }
        assert!(cell < 0 && i32::from(cell) >= -HISTORY_MAX);
    }
}
