//! How promising a move looks before it is searched.

use sextant_board::{BitBoard, CheckSquares, Move, Piece, Position, SEE_VALUES, Square, Threats};
use sextant_config::HistoryConfig;

use crate::{
    history::{Capture, Histories, HistoryContext, PieceHistories, PieceTo, QuietHistories},
    node::QuietEvals,
};

/// For a piece that leaves (or enters) the reach of a lesser enemy, by kind.
const THREATENED: [i32; Piece::NUM] = [0, 8_000, 8_000, 14_000, 20_000, 0];

/// All that scoring looks at, for one node.
pub(crate) struct MoveScorer<'a> {
    pub pos: &'a Position,
    pub histories: &'a Histories,
    /// Which of them are on.
    pub config: &'a HistoryConfig,
    /// Where they are looked up.
    pub context: &'a HistoryContext,
    pub threats: &'a Threats,
    /// Where checks are given from, for nodes in which quiet moves may be pruned.
    pub(crate) checks: Option<&'a CheckSquares>,
    pub killers: [Option<Move>; 2],
    pub counter_move: Option<Move>,
    /// What quiet moves are sorted by in place of their histories.
    pub evals: Option<&'a QuietEvals>,
}

impl MoveScorer<'_> {
    /// The score of a capture or queen promotion: most valuable victim (MVV), then history.
    #[inline]
    pub(super) fn noisy(&self, piece: Piece, mv: Move) -> i32 {
        let victim = self.pos.victim(mv);
        let value = |piece: Piece| SEE_VALUES[piece as usize];
        let gain = victim.map_or(0, value)
            + mv.promotion
                .map_or(0, |promoted| value(promoted) - value(Piece::Pawn));
        let mover = PieceTo::new(self.pos.side_to_move(), piece, mv.to);
        let capture = Capture::new(mover, victim);
        16 * gain + self.histories.capture(self.config, capture)
    }

    /// The histories of the node's quiet moves.
    #[inline]
    pub(super) fn known(&self) -> QuietHistories<'_> {
        self.histories.quiets(self.config, self.context)
    }

    /// The scores of one piece's quiet moves: escape from threats and histories.
    #[inline]
    pub(super) fn piece<'h>(
        &self,
        known: &QuietHistories<'h>,
        piece: Piece,
        from: Square,
    ) -> PieceScores<'h> {
        let lesser = match piece {
            Piece::Pawn | Piece::King => BitBoard::EMPTY,
            Piece::Knight | Piece::Bishop => self.threats.pawn,
            Piece::Rook => self.threats.minor,
            Piece::Queen => self.threats.rook,
        };
        let weight = THREATENED[piece as usize];
        PieceScores {
            histories: known.of_piece(piece, from),
            leaving: if lesser.has(from) { weight } else { 0 },
            lesser,
            weight,
        }
    }
}

pub(super) struct PieceScores<'a> {
    histories: PieceHistories<'a>,
    /// For leaving the reach of a lesser enemy.
    leaving: i32,
    /// Squares in reach of a lesser enemy.
    lesser: BitBoard,
    weight: i32,
}

impl PieceScores<'_> {
    /// The score of the move to `to`.
    #[inline]
    pub(super) fn score(&self, to: Square) -> i32 {
        let entering = if self.lesser.has(to) { self.weight } else { 0 };
        self.histories.score(to) + self.leaving - entering
    }
}
