//! Steps 7 to 12: what ends or shortens a node before its moves are tried.

use sextant_board::{Ply, Position, Score, Threats};

use super::{NodeState, NodeType, NonPv, has_pieces};
use crate::{
    budget::{Allowance, Depth},
    movepick::{MoveScorer, MoveStage, Picker},
    observer::{Observer, SearchEvent},
    params::SearchParams,
    report::Bound,
    window::Window,
    worker::{Flow, Worker},
};

/// From this depth on a null-move cut-off is verified by a search without null moves.
const VERIFY_FROM: Depth = Depth::plies(12);
/// The gain over both sides' evaluations that calls an opponent's reduced move too bad to be
/// searched on in full, in centipawns.
const HINDSIGHT_GAIN: i32 = 160;
/// How much shallower ProbCut searches.
const PROBCUT_REDUCTION: Depth = Depth::plies(4);

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Step 7, hindsight: the parent's reduction is corrected by what the evaluations say now.
    pub(super) fn hindsight(&mut self, line: &mut Allowance, state: &NodeState, ply: Ply) {
        if !self.params.search.hindsight || state.in_check || state.excluded.is_some() {
            return;
        }
        let parent = self.stack.back(ply, 1);
        if parent.eval == Score::NONE {
            return;
        }
        // Both evaluations from the side to move's view: the difference is what the last move cost.
        let gain = state.eval.raw() + parent.eval.raw();
        let reduction = parent.reduction;
        if reduction >= Depth::plies(3) && gain <= 0 {
            *line = line.reduced(-Depth::PLY);
        } else if reduction >= Depth::plies(2)
            && gain > HINDSIGHT_GAIN
            && state.depth >= Depth::plies(2)
        {
            *line = line.reduced(Depth::PLY);
        }
    }

    /// Steps 8 to 11: razoring, reverse futility, null move, ProbCut.
    pub(super) fn prune_node<NT: NodeType>(
        &mut self,
        pos: &Position,
        window: Window,
        line: Allowance,
        ply: Ply,
        state: &mut NodeState,
    ) -> Flow<Option<Score>> {
        if NT::PV || state.in_check || state.excluded.is_some() {
            return Ok(None);
        }
        if let Some(score) = self.razor(pos, window, ply, state)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.reverse_futility(window, state) {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(pos, window, line, ply, state)? {
            return Ok(Some(score));
        }
        self.probcut(pos, window, line, ply, state)
    }

    /// Step 8: so far below alpha that only captures can help.
    fn razor(
        &mut self,
        pos: &Position,
        window: Window,
        ply: Ply,
        state: &NodeState,
    ) -> Flow<Option<Score>> {
        let p = &self.params.pruning;
        if !p.razoring
            || state.depth > Depth::plies(p.razor_depth)
            || window.alpha.is_decisive()
            || state.estimate + self.params.razoring(state.depth) >= window.alpha
        {
            return Ok(None);
        }
        let score = self.quiesce::<NonPv>(pos, Window::zero(window.alpha), ply, 0)?;
        if score > window.alpha {
            return Ok(None);
        }
        self.observer.event(SearchEvent::Razoring);
        Ok(Some(score))
    }

    /// Step 9: so far above beta that no quiet move of the opponent is expected to matter.
    fn reverse_futility(&mut self, window: Window, state: &NodeState) -> Option<Score> {
        let p = &self.params.pruning;
        if !p.reverse_futility
            || state.depth > Depth::plies(p.rfp_depth)
            || state.was_pv
            || window.beta.is_loss()
            || state.estimate.is_win()
        {
            return None;
        }
        let margin =
            self.params
                .reverse_futility(state.depth, state.improving, state.opponent_worsening);
        if state.estimate < window.beta + margin {
            return None;
        }
        self.observer.event(SearchEvent::ReverseFutility);
        // Between the claim and the guess: the guess alone is too optimistic.
        Some(Score::eval(
            (2 * window.beta.raw() + state.estimate.raw()) / 3,
        ))
    }

    /// Step 10: even passing would beat beta.
    fn null_move(
        &mut self,
        pos: &Position,
        window: Window,
        line: Allowance,
        ply: Ply,
        state: &mut NodeState,
    ) -> Flow<Option<Score>> {
        let p = &self.params.pruning;
        let beta = window.beta;
        if !p.null_move
            || state.depth < Depth::plies(p.null_min_depth)
            || state.estimate < beta
            || state.eval + 20 < beta
            || beta.is_loss()
            || self.stack.back(ply, 1).null
            || ply.0 < self.null_from
            || !has_pieces(pos)
        {
            return Ok(None);
        }
        let reduction = self.params.null_move(state.depth, state.estimate - beta);
        let null_line = line.after_null().reduced(reduction);
        let Some(child) = self.make_null(pos, ply)? else {
            return Ok(None);
        };
        self.observer.event(SearchEvent::NullMoveTried);
        let window = Window::zero(beta - 1);
        let reply =
            self.search::<NonPv>(&child, -window, null_line, ply.next(), !state.cut_node)?;
        self.unmake();
        let score = -reply;
        if score.is_loss() && score.is_mate() {
            state.mate_threat = true;
        }
        if score < beta {
            return Ok(None);
        }
        // A mate found behind a pass is no proof.
        let score = if score.is_decisive() { beta } else { score };
        if state.depth >= VERIFY_FROM && self.null_from == 0 {
            let plies = (state.depth - reduction).in_plies().max(0) as u16;
            self.null_from = ply.0 + plies * 3 / 4 + 1;
            let verified = self.search::<NonPv>(pos, window, line.reduced(reduction), ply, false);
            self.null_from = 0;
            if verified? < beta {
                return Ok(None);
            }
        }
        self.observer.event(SearchEvent::NullMoveCutoff);
        Ok(Some(score))
    }

    /// Step 11: a capture that holds well above beta in a shallower search will hold beta.
    fn probcut(
        &mut self,
        pos: &Position,
        window: Window,
        line: Allowance,
        ply: Ply,
        state: &NodeState,
    ) -> Flow<Option<Score>> {
        let p = &self.params.pruning;
        let margin = p.probcut_margin;
        let beta = window.beta + margin;
        let refuted = state.entry.is_some_and(|entry| {
            entry.depth >= state.depth - Depth::plies(3) && entry.score.to_root(ply) < beta
        });
        if !p.probcut
            || state.depth < Depth::plies(p.probcut_depth)
            || window.beta.is_decisive()
            || refuted
        {
            return Ok(None);
        }
        let threshold = (beta - state.eval).max(1);
        let tt_move = state.tt_move.filter(|&mv| {
            (pos.is_capture(mv) || mv.promotion.is_some())
                && sextant_board::see_ge(pos, mv, threshold)
        });
        // Captures are ordered without regard to threats.
        let threats = Threats::default();
        let place = self.history_context(pos, ply, &threats);
        let mut picker = Picker::noisy(tt_move, threshold);
        let scout = Window::zero(beta - 1);
        let reduced = line.reduced(PROBCUT_REDUCTION);
        while let Some(picked) = {
            let order = MoveScorer {
                pos,
                histories: &self.histories,
                config: &self.params.history,
                context: &place,
                threats: &threats,
                checks: None,
                killers: [None; 2],
                counter_move: None,
            };
            picker.next(&order)
        } {
            if picked.stage == MoveStage::BadNoisy {
                break;
            }
            self.prefetch_tt(pos, picked.mv);
            let mut child = pos.clone();
            self.make(&mut child, picked.mv, ply)?;
            let mut score = -self.quiesce::<NonPv>(&child, -scout, ply.next(), 0)?;
            if score >= beta {
                let child_line = reduced.after(crate::budget::Price::NOMINAL, false);
                score = -self.search::<NonPv>(
                    &child,
                    -scout,
                    child_line,
                    ply.next(),
                    !state.cut_node,
                )?;
            }
            self.unmake();
            if score >= beta {
                let depth = state.depth - PROBCUT_REDUCTION;
                let found = (score, Bound::Lower);
                let kept = (state.raw_eval, state.was_pv);
                self.store_tt(pos, ply, line.budgets, depth, found, Some(picked.mv), kept);
                self.observer.event(SearchEvent::ProbCut);
                return Ok(Some(if score.is_decisive() {
                    score
                } else {
                    score - margin
                }));
            }
        }
        Ok(None)
    }

    /// Step 12, internal reduction: without a table move the node is searched a ply shallower; the
    /// draft that is stored is the reduced one.
    pub(super) fn iir<NT: NodeType>(&mut self, line: &mut Allowance, state: &mut NodeState) {
        let s = &self.params.search;
        if !s.iir
            || state.tt_move.is_some()
            || state.excluded.is_some()
            || state.depth < Depth::plies(s.iir_depth)
            || !(NT::PV || state.cut_node)
        {
            return;
        }
        self.observer.event(SearchEvent::Iir);
        *line = line.reduced(Depth::PLY);
        state.depth = self.params.coupling.depth(line.budgets);
    }

    /// Futility for one move: how far above the evaluation it may carry at `depth`.
    #[inline]
    pub(super) fn futility_margin(&self, depth: Depth) -> i32 {
        let p = &self.params.pruning;
        p.futility_base + SearchParams::margin(p.futility_margin, depth) + self.params.parity(depth)
    }
}
