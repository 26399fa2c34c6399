//! The quiet moves of a node evaluated and sorted before the first of them is tried, as Cyrus 68K
//! did (`gap_source = "eval"`): each is charged by its distance to the best.

use arrayvec::ArrayVec;
use sextant_board::{MAX_MOVES, MAX_PLY, Move, MoveSets, Ply, Position, Score};
use sextant_config::GapSource;

use crate::{budget::Prices, node::Node, observer::Observer, worker::Worker};

/// The rank of quiet checks, which are not evaluated: in front of every evaluation.
const CHECK: i32 = 100_000;

/// The quiet moves of one node, each with the static evaluation after it in centipawns, from its
/// mover's view.
#[derive(Clone, Debug, Default)]
pub(crate) struct QuietEvals {
    moves: ArrayVec<(Move, i32), MAX_MOVES>,
    best: Option<i32>,
}

impl QuietEvals {
    /// Room for every ply of a line, if the prices ask for it.
    pub(crate) fn for_line(prices: &Prices) -> Box<[QuietEvals]> {
        let plies = if prices.gap() == Some(GapSource::Eval) {
            MAX_PLY + 4
        } else {
            0
        };
        vec![QuietEvals::default(); plies].into_boxed_slice()
    }

    /// The moves, each with the score that it is sorted by.
    pub(crate) fn moves(&self) -> &[(Move, i32)] {
        &self.moves
    }

    /// How far a move lies behind the best one; 0 for a check, or if it is none of the moves.
    pub(crate) fn gap(&self, mv: Move) -> i32 {
        let score = self.moves.iter().find(|(known, _)| *known == mv);
        match (self.best, score) {
            (Some(best), Some((_, score))) => (best - score).max(0),
            _ => 0,
        }
    }
}

impl<O: Observer> Worker<O> {
    /// Evaluates the quiet moves of a node. They are no nodes: nothing is searched behind them.
    pub(super) fn evaluate_quiets(&mut self, node: &Node<'_>) {
        let ply = node.ply.index();
        let mut evals = std::mem::take(&mut self.quiet_evals[ply]);
        evals.moves.clear();
        evals.best = None;
        let sets = MoveSets::generate(node.pos);
        for mv in sets.quiet_sets(node.pos).flat_map(|set| set.moves()) {
            let score = self.score_after(node.pos, node.ply, mv).map(Score::raw);
            if mv.promotion.is_none() {
                evals.best = evals.best.max(score);
            }
            evals.moves.push((mv, score.unwrap_or(CHECK)));
        }
        self.quiet_evals[ply] = evals;
    }

    /// The static score after a move, from its mover's view; `None` if it gives check.
    pub(super) fn score_after(&mut self, pos: &Position, ply: Ply, mv: Move) -> Option<Score> {
        let mut child = pos.clone();
        let delta = child.play(mv);
        self.record_move(mv, ply, &delta);
        let score = self.static_score_after(&child, ply);
        self.evaluation.pop();
        score
    }
}
