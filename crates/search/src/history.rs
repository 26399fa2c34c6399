//! What earlier nodes know: which moves tend to be good (butterfly, pawn, capture and continuation
//! history, counter moves), and how far the static evaluation errs (correction history).

mod cells;
mod correction;

use sextant_board::{BitBoard, Color, Move, Piece, Position, Square, Threats};
use sextant_config::HistoryConfig;

use cells::{Cells, Squares};
pub(crate) use cells::{HISTORY_MAX, PieceTo};
pub(crate) use correction::CorrectionHistory;

/// The sum of the histories of a quiet move stays within ± this: twice the butterfly's, the pawns',
/// and three of the continuations.
pub(crate) const QUIET_MAX: i32 = 6 * HISTORY_MAX;

/// How many plies back the earlier moves lie that the continuation history looks at.
pub(crate) const PLIES_BACK: [usize; 4] = [1, 2, 4, 6];

/// The moves at [`PLIES_BACK`].
pub(crate) type MovesBefore = [Option<PieceTo>; PLIES_BACK.len()];

/// A difference of history scores in hundredths of [`HISTORY_MAX`].
#[inline]
pub(crate) fn percent_of_history(difference: i32) -> i32 {
    difference * 100 / HISTORY_MAX
}

/// Where the histories are looked up: the side, what attacks it, its pawns and the moves before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryContext {
    pub color: Color,
    pub threats: BitBoard,
    pub pawn_key: u64,
    pub before: MovesBefore,
}

impl HistoryContext {
    #[inline]
    pub(crate) fn new(pos: &Position, threats: &Threats, before: MovesBefore) -> HistoryContext {
        HistoryContext {
            color: pos.side_to_move(),
            threats: threats.all,
            pawn_key: pos.keys().pawn(),
            before,
        }
    }
}

/// Where a capture (or promotion) lies in its history.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capture(usize);

impl Capture {
    /// King stands for no victim.
    #[inline]
    pub(crate) fn new(mover: PieceTo, victim: Option<Piece>) -> Capture {
        Capture(mover.index() * Piece::NUM + victim.unwrap_or(Piece::King) as usize)
    }

    /// A move of the side to move; `None` if it has no piece there.
    pub(crate) fn of(pos: &Position, mv: Move) -> Option<Capture> {
        let piece = pos.board().piece_on(mv.from)?;
        let mover = PieceTo::new(pos.side_to_move(), piece, mv.to);
        Some(Capture::new(mover, pos.victim(mv)))
    }
}

/// Butterfly boards of one side: by whether the from and the to square are attacked.
const BUTTERFLIES: usize = 4;

/// The first cell of the moves from `from` to squares that are not attacked, or are.
#[inline]
fn butterfly_start(color: Color, threats: BitBoard, from: Square, to_attacked: bool) -> usize {
    let attacked = usize::from(threats.has(from)) * 2 + usize::from(to_attacked);
    ((color as usize * BUTTERFLIES + attacked) * Square::NUM + from as usize) * Square::NUM
}

/// Number of slots for pawn structures.
const STRUCTURES: usize = 512;
/// Cells of one side under one structure: by piece and target square.
const SIDE: usize = Piece::NUM * Square::NUM;

/// The first cell of one side's pieces under one structure.
#[inline]
fn structure_start(pawn_key: u64, color: Color) -> usize {
    let structure = pawn_key as usize % STRUCTURES;
    (structure * Color::NUM + color as usize) * SIDE
}

/// Continuation history: the first cell of what follows an earlier move. Row 0 stands for no move
/// and stays zero.
#[inline]
fn sequels_start(before: Option<PieceTo>) -> usize {
    before.map_or(0, |before| before.index() + 1) * PieceTo::COUNT
}

/// Row `n` of cells whose last index is a square.
#[inline]
fn row(cells: &[i16], n: usize) -> &Squares {
    (&cells[n * Square::NUM..(n + 1) * Square::NUM])
        .try_into()
        .expect("a row has a cell for each square")
}

/// What a history says that is switched off.
static NO_SQUARES: Squares = [0; Square::NUM];

/// How good quiet moves have been at one context.
#[derive(Clone, Copy)]
pub(crate) struct QuietHistories<'a> {
    color: Color,
    threats: BitBoard,
    butterfly: Option<&'a Cells>,
    pawns: Option<&'a [i16; SIDE]>,
    continuation: Option<[&'a [i16; PieceTo::COUNT]; PLIES_BACK.len()]>,
}

impl<'a> QuietHistories<'a> {
    #[inline]
    pub(crate) fn of_piece(&self, piece: Piece, from: Square) -> PieceHistories<'a> {
        let nothing = &NO_SQUARES;
        let start = |attacked| butterfly_start(self.color, self.threats, from, attacked);
        let piece_of_color = self.color as usize * Piece::NUM + piece as usize;
        PieceHistories {
            threats: self.threats,
            butterfly: self.butterfly.map_or([nothing; 2], |cells| {
                [cells.block(start(false)), cells.block(start(true))]
            }),
            pawns: self
                .pawns
                .map_or(nothing, |pawns| row(pawns, piece as usize)),
            continuation: self.continuation.map_or([nothing; _], |sequels| {
                sequels.map(|sequels| row(sequels, piece_of_color))
            }),
        }
    }
}

/// How good the quiet moves of one piece have been at one context, by target square.
#[derive(Clone, Copy)]
pub(crate) struct PieceHistories<'a> {
    threats: BitBoard,
    /// For targets that are not attacked, and for those that are.
    butterfly: [&'a Squares; 2],
    pawns: &'a Squares,
    continuation: [&'a Squares; PLIES_BACK.len()],
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
    /// By side, by whether the from and the to square are attacked, by from and to square.
    butterfly: Cells,
    /// By mover, target square and captured piece.
    captures: Cells,
    /// By pawn structure, mover and target square.
    pawns: Cells,
    /// Continuation history: by an earlier move and the move now.
    continuation: Cells,
    counter_moves: Box<[Option<Move>; PieceTo::COUNT]>,
}

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            butterfly: Cells::new(2 * BUTTERFLIES * Square::NUM * Square::NUM),
            captures: Cells::new(PieceTo::COUNT * Piece::NUM),
            pawns: Cells::new(STRUCTURES * Color::NUM * SIDE),
            continuation: Cells::new((PieceTo::COUNT + 1) * PieceTo::COUNT),
            counter_moves: Box::new([None; PieceTo::COUNT]),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.butterfly.clear();
        self.captures.clear();
        self.pawns.clear();
        self.continuation.clear();
        self.counter_moves.fill(None);
    }

    /// Another search of the same game: the position has changed, so what is known of squares
    /// alone counts for less. The other histories know more than squares, and stay.
    pub(crate) fn begin_search(&mut self, config: &HistoryConfig) {
        if config.kept_percent < 100 {
            self.butterfly.fade(config.kept_percent);
        }
    }

    /// The histories of quiet moves at one context, looked up once for all moves of a node.
    #[inline]
    pub(crate) fn quiets(
        &self,
        config: &HistoryConfig,
        context: &HistoryContext,
    ) -> QuietHistories<'_> {
        let structure = structure_start(context.pawn_key, context.color);
        let sequels = |before| self.continuation.block(sequels_start(before));
        QuietHistories {
            color: context.color,
            threats: context.threats,
            butterfly: config.butterfly.then_some(&self.butterfly),
            pawns: config.pawn.then(|| self.pawns.block(structure)),
            continuation: config.continuation.then(|| context.before.map(sequels)),
        }
    }

    /// How good a capture has been, in ±[`HISTORY_MAX`].
    #[inline]
    pub(crate) fn capture(&self, config: &HistoryConfig, capture: Capture) -> i32 {
        if config.capture {
            self.captures.get(capture.0)
        } else {
            0
        }
    }

    /// A quiet move turned out well (`change` > 0) or badly.
    pub(crate) fn update_quiet(
        &mut self,
        config: &HistoryConfig,
        context: &HistoryContext,
        (piece, mv): (Piece, Move),
        change: i32,
    ) {
        let &HistoryContext { color, threats, .. } = context;
        if config.butterfly {
            let start = butterfly_start(color, threats, mv.from, threats.has(mv.to));
            self.butterfly
                .update(start + mv.to as usize, change, HISTORY_MAX);
        }
        if config.pawn {
            let cell = piece as usize * Square::NUM + mv.to as usize;
            let index = structure_start(context.pawn_key, color) + cell;
            self.pawns.update(index, change, HISTORY_MAX);
        }
        let piece_to = PieceTo::new(color, piece, mv.to);
        self.update_continuation(config, &context.before, piece_to, change);
    }

    /// The continuation part of [`Histories::update_quiet`] alone: for a move of which no more is
    /// known than its piece and target.
    pub(crate) fn update_continuation(
        &mut self,
        config: &HistoryConfig,
        before: &MovesBefore,
        piece_to: PieceTo,
        change: i32,
    ) {
        if config.continuation {
            for &before in before.iter().filter(|before| before.is_some()) {
                let index = sequels_start(before) + piece_to.index();
                self.continuation.update(index, change, HISTORY_MAX);
            }
        }
    }

    /// A capture turned out well or badly.
    pub(crate) fn update_capture(&mut self, config: &HistoryConfig, capture: Capture, change: i32) {
        if config.capture {
            self.captures.update(capture.0, change, HISTORY_MAX);
        }
    }

    /// The move that refuted the last one before.
    #[inline]
    pub(crate) fn counter_move(&self, last: Option<PieceTo>) -> Option<Move> {
        last.and_then(|last| self.counter_moves[last.index()])
    }

    pub(crate) fn set_counter_move(&mut self, last: Option<PieceTo>, mv: Move) {
        if let Some(last) = last {
            self.counter_moves[last.index()] = Some(mv);
        }
    }
}
