//! Step 20: what a finished node leaves in the histories, the correction history and the table.

use sextant_board::{Move, Ply};

use super::{Node, NodeState, move_loop::Best};
use crate::{
    history::{Capture, HistoryContext, PieceTo},
    observer::{Leave, Observer},
    window::Bound,
    worker::Worker,
};

impl<O: Observer> Worker<O> {
    /// Ends a node whose moves were searched. Its window is the one that the loop began with.
    pub(super) fn finish_node(
        &mut self,
        node: &Node<'_>,
        state: &NodeState,
        history: &HistoryContext,
        best: &Best,
    ) {
        // A best move makes the score exact, whatever the tablebases left of it.
        let bound = if best.score >= node.window.beta {
            Bound::Lower
        } else if best.mv.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.observer.leave(&Leave {
            ply: node.ply,
            bound,
            score: best.score,
            best: best.mv,
            cut_by: best.cut_by,
            moves: best.searched,
        });
        if let Some(mv) = best.mv {
            self.reward_best(node, history, mv, best);
        }
        if state.excluded.is_some() {
            return;
        }
        if bound == Bound::Lower {
            let here = self.stack.at_mut(node.ply);
            here.cutoffs = here.cutoffs.saturating_add(1);
        } else if bound == Bound::Upper {
            self.reward_last_move(node);
        }
        self.update_correction(node, state, best, bound);
        let kept = (state.raw_eval, state.was_pv);
        self.store_tt(node, (best.score, bound), best.mv, kept);
    }

    /// The last move left nothing that beats alpha: if it was quiet, it was a good one.
    fn reward_last_move(&mut self, node: &Node<'_>) {
        let (ply, depth) = (node.ply, node.depth);
        if !self.params.history.replies || ply == Ply::ROOT {
            return;
        }
        let last = self.stack.back(ply, 1);
        if let (Some(piece_to), None) = (last.piece_to, last.captured_on) {
            let (bonus, _) = self.params.history_bonus(depth);
            self.reward(Ply(ply.0 - 1), piece_to, bonus);
        }
    }

    /// A quiet TT move beats beta without a search.
    pub(super) fn reward_tt_move(&mut self, node: &Node<'_>, mv: Move) {
        let pos = node.pos;
        if !self.params.history.table_moves || pos.is_capture(mv) || mv.promotion.is_some() {
            return;
        }
        let Some(piece) = pos.board().piece_on(mv.from) else {
            return;
        };
        let piece_to = PieceTo::new(pos.side_to_move(), piece, mv.to);
        let (bonus, _) = self.params.history_bonus(node.depth);
        self.reward(node.ply, piece_to, bonus);
    }

    /// A quiet move at `ply` turned out well (`bonus` > 0) or badly as a sequel of the moves before
    /// it.
    fn reward(&mut self, ply: Ply, piece_to: PieceTo, bonus: i32) {
        let before = self.stack.before(ply);
        let config = &self.params.history;
        self.histories
            .update_continuation(config, &before, piece_to, bonus);
    }

    /// The best move gets a bonus, those before it a malus.
    pub(super) fn reward_best(
        &mut self,
        node: &Node<'_>,
        history: &HistoryContext,
        mv: Move,
        best: &Best,
    ) {
        let (bonus, malus) = self.params.history_bonus(node.depth);
        let config = &self.params.history;
        let (pos, board) = (node.pos, node.pos.board());
        if pos.victim(mv).is_none() && mv.promotion.is_none() {
            let falls = config.malus_falls;
            let failed = best.failed_quiets.iter().enumerate();
            let failed =
                failed.map(|(at, &mv)| (mv, -malus * (100 - falls * at as i32).max(10) / 100));
            for (mv, change) in [(mv, bonus)].into_iter().chain(failed) {
                if let Some(piece) = board.piece_on(mv.from) {
                    self.histories
                        .update_quiet(config, history, (piece, mv), change);
                }
            }
            if config.counter_moves {
                let last = self.stack.back(node.ply, 1).piece_to;
                self.histories.set_counter_move(last, mv);
            }
            if config.killers {
                self.stack.add_killer(node.ply, mv);
            }
        } else if let Some(capture) = Capture::of(pos, mv) {
            self.histories.update_capture(config, capture, bonus);
        }
        let failed = best.failed_noisy.iter();
        for capture in failed.filter_map(|&mv| Capture::of(pos, mv)) {
            self.histories.update_capture(config, capture, -malus);
        }
    }

    /// Correction history: the evaluation was wrong by the difference to the search, unless the
    /// difference comes from a capture or the bound says nothing.
    fn update_correction(&mut self, node: &Node<'_>, state: &NodeState, best: &Best, bound: Bound) {
        let is_tactical = |mv: Move| node.pos.is_capture(mv) || mv.promotion.is_some();
        let silent = match bound {
            Bound::Lower => best.score <= state.eval,
            Bound::Upper => best.score >= state.eval,
            Bound::Exact => false,
        };
        if self.params.history.correction
            && !state.in_check
            && !best.mv.is_some_and(is_tactical)
            && !silent
            && !best.score.is_decisive()
        {
            let last = self.last_moves(node.ply);
            let (error, plies) = (best.score - state.eval, node.depth.in_plies());
            self.correction_history.update(node.pos, last, error, plies);
        }
    }
}
