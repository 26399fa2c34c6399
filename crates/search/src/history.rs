//! What earlier nodes know: which moves tend to be good (butterfly, pawn, capture and continuation
//! history, counter moves), and how far the static evaluation errs (correction history).

mod capture;
mod cells;
mod continuation;
mod correction;
mod quiet;

use sextant_board::{Color, Move, Piece, Position, Square, Threats};
use sextant_config::HistoryConfig;

pub(crate) use capture::Capture;
use capture::CaptureHistory;
pub(crate) use cells::HISTORY_MAX;
use cells::{Squares, piece_index, row};
pub(crate) use continuation::{CONTINUATIONS, PLIES_BACK, PieceTo};
use continuation::{Continuation, Rows};
pub(crate) use correction::CorrectionHistory;
pub(crate) use quiet::QuietMove;
use quiet::{Butterfly, PawnHistory};

/// The sum of the histories of a quiet move stays within ± this: twice the butterfly's, the pawns',
/// and three of the continuations.
pub(crate) const QUIET_MAX: i32 = 6 * HISTORY_MAX;

/// A difference of history scores in hundredths of [`HISTORY_MAX`].
#[inline]
pub(crate) fn percent_of_history(difference: i32) -> i32 {
    difference * 100 / HISTORY_MAX
}

/// Where the histories are looked up: the side, what it fears, its pawns and the moves before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryContext {
    pub color: Color,
    /// Squares that the opponent attacks.
    pub threats: sextant_board::BitBoard,
    /// Key of the pawns.
    pub pawn_key: u64,
    /// The moves 1, 2, 4 and 6 plies before.
    pub before: [Option<PieceTo>; CONTINUATIONS],
}

impl HistoryContext {
    /// The context of a node.
    #[inline]
    pub(crate) fn new(
        pos: &Position,
        threats: &Threats,
        before: [Option<PieceTo>; CONTINUATIONS],
    ) -> HistoryContext {
        HistoryContext {
            color: pos.side_to_move(),
            threats: threats.all,
            pawn_key: pos.keys().pawn(),
            before,
        }
    }
}

/// How good quiet moves have been at one context.
#[derive(Clone, Copy)]
pub(crate) struct QuietHistories<'a> {
    color: Color,
    threats: sextant_board::BitBoard,
    butterfly: Option<&'a Butterfly>,
    pawns: Option<&'a [i16; Piece::NUM * Square::NUM]>,
    continuation: Option<Rows<'a>>,
}

impl<'a> QuietHistories<'a> {
    /// The part that concerns one piece.
    #[inline]
    pub(crate) fn of_piece(&self, piece: Piece, from: Square) -> PieceHistories<'a> {
        let nothing = &NO_SQUARES;
        let index = piece_index(self.color, piece);
        PieceHistories {
            threats: self.threats,
            butterfly: self.butterfly.map_or([nothing; 2], |butterfly| {
                butterfly.of_square(self.color, self.threats, from)
            }),
            pawns: self
                .pawns
                .map_or(nothing, |pawns| row(pawns, piece as usize)),
            continuation: self
                .continuation
                .map_or([nothing; CONTINUATIONS], |rows| rows.of_piece(index)),
        }
    }
}

/// What a history says that is switched off.
static NO_SQUARES: Squares = [0; Square::NUM];

/// How good the quiet moves of one piece have been at one context, by target square.
#[derive(Clone, Copy)]
pub(crate) struct PieceHistories<'a> {
    threats: sextant_board::BitBoard,
    /// For targets that are not attacked, and for those that are.
    butterfly: [&'a Squares; 2],
    pawns: &'a Squares,
    continuation: [&'a Squares; CONTINUATIONS],
}

impl PieceHistories<'_> {
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
    captures: CaptureHistory,
    pawns: PawnHistory,
    continuation: Continuation,
    counter_moves: Box<[[Option<Move>; Square::NUM]; 2 * Piece::NUM]>,
}

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            butterfly: Butterfly::new(),
            captures: CaptureHistory::new(),
            pawns: PawnHistory::new(),
            continuation: Continuation::new(),
            counter_moves: Box::new([[None; Square::NUM]; 2 * Piece::NUM]),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.butterfly.clear();
        self.captures.clear();
        self.pawns.clear();
        self.continuation.clear();
        *self.counter_moves = [[None; Square::NUM]; 2 * Piece::NUM];
    }

    /// The histories of quiet moves at one context, looked up once for all moves of a node.
    #[inline]
    pub(crate) fn quiets(
        &self,
        config: &HistoryConfig,
        context: &HistoryContext,
    ) -> QuietHistories<'_> {
        QuietHistories {
            color: context.color,
            threats: context.threats,
            butterfly: config.butterfly.then_some(&self.butterfly),
            pawns: config
                .pawn
                .then(|| self.pawns.structure(context.pawn_key, context.color)),
            continuation: config
                .continuation
                .then(|| self.continuation.rows(&context.before)),
        }
    }

    /// How good a capture has been, in ±[`HISTORY_MAX`].
    #[inline]
    pub(crate) fn capture(&self, config: &HistoryConfig, capture: Capture) -> i32 {
        if config.capture {
            self.captures.get(capture)
        } else {
            0
        }
    }

    /// A quiet move turned out well (`change` > 0) or badly.
    pub(crate) fn update_quiet(
        &mut self,
        config: &HistoryConfig,
        context: &HistoryContext,
        quiet: QuietMove,
        change: i32,
    ) {
        if config.butterfly {
            self.butterfly
                .update(context.color, context.threats, quiet.mv, change);
        }
        if config.pawn {
            self.pawns
                .update(context.pawn_key, context.color, quiet, change);
        }
        let piece_to = PieceTo::new(context.color, quiet.piece, quiet.mv.to);
        self.update_continuation(config, &context.before, piece_to, change);
    }

    /// The continuation part of [`Histories::update_quiet`] alone: for a move of which no more is
    /// known than what was piece_to.
    pub(crate) fn update_continuation(
        &mut self,
        config: &HistoryConfig,
        before: &[Option<PieceTo>; CONTINUATIONS],
        piece_to: PieceTo,
        change: i32,
    ) {
        if config.continuation {
            self.continuation.update(before, piece_to, change);
        }
    }

    /// A capture turned out well or badly.
    pub(crate) fn update_capture(&mut self, config: &HistoryConfig, capture: Capture, change: i32) {
        if config.capture {
            self.captures.update(capture, change);
        }
    }

    /// The move that refuted the last one before.
    #[inline]
    pub(crate) fn counter_move(&self, last: Option<PieceTo>) -> Option<Move> {
        last.and_then(|last| self.counter_moves[last.piece()][last.square()])
    }

    /// `mv` refuted the last move.
    pub(crate) fn set_counter_move(&mut self, last: Option<PieceTo>, mv: Move) {
        if let Some(last) = last {
            self.counter_moves[last.piece()][last.square()] = Some(mv);
        }
    }
}

impl Default for Histories {
    fn default() -> Histories {
        Histories::new()
    }
}
