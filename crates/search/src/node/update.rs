//! Step 20: what a finished node teaches the histories, the correction and the table.

use sextant_board::{Move, Ply, Position};

use super::{NodeState, move_loop::Best};
use crate::{
    budget::{Allowance, Depth},
    history::{HistoryContext, PieceTo, QuietMove},
    observer::{Leave, Observer},
    report::Bound,
    window::Window,
    worker::Worker,
};

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Ends a node whose moves were searched. `window` is the window that the loop began with.
    pub(super) fn finish_node(
        &mut self,
        pos: &Position,
        window: Window,
        line: Allowance,
        ply: Ply,
        state: &NodeState,
        best: &Best,
    ) {
        let bound = if best.score >= window.beta {
            Bound::Lower
        } else if best.mv.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.observer.leave(&Leave {
            ply,
            bound,
            score: best.score,
            best: best.mv,
            cut_by: best.cut_by,
            moves: best.searched,
        });
        if let Some(mv) = best.mv.filter(|_| bound == Bound::Lower) {
            let place = self.history_context(pos, ply, &state.threats);
            self.update_cutoff(pos, &place, ply, state.depth, mv, best);
        }
        if state.excluded.is_some() {
            return;
        }
        if bound == Bound::Lower {
            let here = self.stack.at_mut(ply);
            here.cutoffs = here.cutoffs.saturating_add(1);
        } else if bound == Bound::Upper {
            self.reward_last_move(ply, state.depth);
        }
        if !EXACT {
            self.update_correction(pos, ply, state, best, bound);
        }
        let kept = (state.raw_eval, state.was_pv);
        self.store_tt(
            pos,
            ply,
            line.budgets,
            state.depth,
            (best.score, bound),
            best.mv,
            kept,
        );
    }

    /// The last move left nothing that beats alpha: if it was quiet, it was a good one.
    fn reward_last_move(&mut self, ply: Ply, depth: Depth) {
        if !self.params.history.replies || ply == Ply::ROOT {
            return;
        }
        let last = self.stack.back(ply, 1);
        if let (Some(played), None) = (last.played, last.captured_on) {
            self.praise(Ply(ply.0 - 1), played, depth);
        }
    }

    /// A quiet table move beats beta without a search.
    pub(super) fn reward_tt_move(&mut self, pos: &Position, mv: Move, ply: Ply, depth: Depth) {
        if EXACT || !self.params.history.table_moves || pos.is_capture(mv) || mv.promotion.is_some()
        {
            return;
        }
        let Some(piece) = pos.board().piece_on(mv.from) else {
            return;
        };
        let played = PieceTo::new(pos.side_to_move(), piece, mv.to);
        self.praise(ply, played, depth);
    }

    /// A quiet move at `ply` turned out well as a sequel of the moves before it.
    fn praise(&mut self, ply: Ply, played: PieceTo, depth: Depth) {
        let before = self.stack.before(ply);
        let (bonus, _) = self.params.history_bonus(depth);
        let config = &self.params.history;
        self.histories
            .update_continuation(config, &before, played, bonus);
    }

    /// The cutting move is praised, those before it are blamed.
    pub(crate) fn update_cutoff(
        &mut self,
        pos: &Position,
        place: &HistoryContext,
        ply: Ply,
        depth: Depth,
        mv: Move,
        best: &Best,
    ) {
        let (bonus, malus) = self.params.history_bonus(depth);
        let board = pos.board();
        let config = &self.params.history;
        let Some(piece) = board.piece_on(mv.from) else {
            return;
        };
        let victim = pos.victim(mv);
        if victim.is_none() && mv.promotion.is_none() {
            self.histories
                .update_quiet(config, place, QuietMove { piece, mv }, bonus);
            for &mv in &best.failed_quiets {
                if let Some(piece) = board.piece_on(mv.from) {
                    self.histories
                        .update_quiet(config, place, QuietMove { piece, mv }, -malus);
                }
            }
            if config.counter_moves {
                self.histories
                    .set_counter_move(self.stack.back(ply, 1).played, mv);
            }
            if config.killers {
                self.stack.add_killer(ply, mv);
            }
        } else {
            self.histories
                .update_capture(config, place.color, piece, mv, victim, bonus);
        }
        for &mv in &best.failed_noisy {
            if let Some(piece) = board.piece_on(mv.from) {
                let victim = pos.victim(mv);
                self.histories
                    .update_capture(config, place.color, piece, mv, victim, -malus);
            }
        }
    }

    /// The evaluation was wrong by the difference to the search, unless the difference comes from a
    /// capture or the bound says nothing.
    fn update_correction(
        &mut self,
        pos: &Position,
        ply: Ply,
        state: &NodeState,
        best: &Best,
        bound: Bound,
    ) {
        let tactical = best
            .mv
            .is_some_and(|mv| pos.is_capture(mv) || mv.promotion.is_some());
        let silent = match bound {
            Bound::Lower => best.score <= state.eval,
            Bound::Upper => best.score >= state.eval,
            Bound::Exact => false,
        };
        if self.params.history.correction
            && !state.in_check
            && !tactical
            && !silent
            && !best.score.is_decisive()
        {
            let (last, plies) = (self.last_moves(ply), state.depth.in_plies());
            self.correction_history
                .update(pos, last, state.eval, best.score, plies);
        }
    }
}
