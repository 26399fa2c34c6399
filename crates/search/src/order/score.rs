//! How promising a move looks before it is searched.

use sextant_board::{CheckSquares, Move, Piece, Position, SEE_VALUES, Threats};
use sextant_config::HistoryConfig;

use crate::history::{Histories, Place, Quiet, QuietHistories};

/// A killer goes before every other quiet move but the first killer.
const KILLER: [i32; 2] = [400_000, 300_000];
const COUNTER_MOVE: i32 = 200_000;
/// For a man that leaves (or enters) the reach of a lesser enemy, by kind.
const THREATENED: [i32; Piece::NUM] = [0, 8_000, 8_000, 14_000, 20_000, 0];

/// All that scoring looks at, for one node.
pub(crate) struct Ordering<'a> {
    /// The position.
    pub pos: &'a Position,
    /// The worker's histories.
    pub histories: &'a Histories,
    /// Which of them are on.
    pub config: &'a HistoryConfig,
    /// Where they are looked up.
    pub place: &'a Place,
    /// What the opponent attacks.
    pub threats: &'a Threats,
    /// Where checks are given from, for nodes in which quiet moves may be pruned.
    pub(crate) checks: Option<&'a CheckSquares>,
    /// The killers of this ply.
    pub killers: [Option<Move>; 2],
    /// The refutation of the last move.
    pub counter_move: Option<Move>,
}

impl Ordering<'_> {
    /// The score of a capture or queen promotion: most valuable victim, then history.
    #[inline]
    pub(super) fn noisy(&self, piece: Piece, mv: Move) -> i32 {
        let victim = self.pos.victim(mv);
        let value = |piece: Piece| SEE_VALUES[piece as usize];
        let gain = victim.map_or(0, value)
            + mv.promotion
                .map_or(0, |promoted| value(promoted) - value(Piece::Pawn));
        let color = self.pos.side_to_move();
        16 * gain
            + self
                .histories
                .capture(self.config, color, piece, mv, victim)
    }

    /// The histories of the node's quiet moves.
    #[inline]
    pub(super) fn known(&self) -> QuietHistories<'_> {
        self.histories.quiets(self.config, self.place)
    }

    /// The score of a quiet move: killers, counter move, escape from threats, histories.
    #[inline]
    pub(super) fn quiet(&self, known: &QuietHistories<'_>, piece: Piece, mv: Move) -> i32 {
        let mut score = known.score(Quiet { piece, mv });
        if self.killers[0] == Some(mv) {
            score += KILLER[0];
        } else if self.killers[1] == Some(mv) {
            score += KILLER[1];
        } else if self.counter_move == Some(mv) {
            score += COUNTER_MOVE;
        }
        let lesser = match piece {
            Piece::Pawn | Piece::King => return score,
            Piece::Knight | Piece::Bishop => self.threats.pawn,
            Piece::Rook => self.threats.minor,
            Piece::Queen => self.threats.rook,
        };
        let weight = THREATENED[piece as usize];
        if lesser.has(mv.from) {
            score += weight;
        }
        if lesser.has(mv.to) {
            score -= weight;
        }
        score
    }
}
