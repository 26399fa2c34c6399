//! Steps 14 and 15: moves that are not worth a search.

use sextant_board::{Score, see_ge};

use super::{
    Node, NodeState, has_pieces,
    move_loop::{Candidate, MoveContext, QuietLimits},
};
use crate::{
    budget::Depth,
    lmr::ReductionFacts,
    movepick::MoveStage,
    observer::{Observer, SearchEvent},
    worker::Worker,
};

impl<O: Observer> Worker<O> {
    /// Step 14, late-move pruning (LMP) and futility: where the quiet moves of this node end, by
    /// their number or because none can carry the evaluation over alpha.
    pub(super) fn quiet_limits(&self, node: &Node<'_>, state: &NodeState) -> QuietLimits {
        let mut limits = QuietLimits {
            number: usize::MAX,
            reach: Score::INFINITE,
        };
        if !has_pieces(node.pos) {
            return limits;
        }
        let forcing = self.params.is_forcing(node.allowance);
        if let Some(count) = self.params.lmp_count(node.depth, state.improving, forcing) {
            limits.number = count;
        }
        if let Some(margin) = self
            .params
            .futility_margin(node.depth)
            .filter(|_| !state.in_check)
        {
            limits.reach = state.eval + margin;
        }
        limits
    }

    /// Steps 14 and 15: is the move not worth a search, and by which rule? In check there are few
    /// moves, and each may be the only one: only their number ends them ([`Worker::quiet_limits`]).
    /// Of checks only the exchange is asked. Once futility prunes a quiet move, only checks follow
    /// among the quiet moves.
    #[inline]
    pub(super) fn prune_move(
        &self,
        node: &Node<'_>,
        state: &NodeState,
        context: &MoveContext,
        candidate: &mut Candidate,
    ) -> Option<SearchEvent> {
        if state.in_check || !has_pieces(node.pos) {
            None
        } else if candidate.facts.gives_check || !candidate.facts.is_quiet() {
            self.prune_tactical(node, state, candidate)
        } else {
            self.prune_quiet(node, state, context, candidate)
        }
    }

    /// Step 15 for checks and captures. Captures that were not set aside lose little.
    fn prune_tactical(
        &self,
        node: &Node<'_>,
        state: &NodeState,
        candidate: &Candidate,
    ) -> Option<SearchEvent> {
        let check = candidate.facts.gives_check;
        let bad_noisy = candidate.stage == MoveStage::BadNoisy;
        if bad_noisy
            && !check
            && self.is_futile(node, state, self.params.bad_noisy_margin(node.depth))
        {
            return Some(SearchEvent::FutilityPruning);
        }
        if !(check || bad_noisy) || !self.prunes_by_see(node) {
            return None;
        }
        let quiet = candidate.facts.is_quiet();
        let history = if quiet { 0 } else { candidate.history };
        let margin = self.params.see_capture_margin(node.depth, history);
        let loses = !see_ge(node.pos, candidate.mv, -margin);
        loses.then_some(SearchEvent::SeePruning)
    }

    /// Steps 14 and 15 for quiet moves that give no check.
    fn prune_quiet(
        &self,
        node: &Node<'_>,
        state: &NodeState,
        context: &MoveContext,
        candidate: &mut Candidate,
    ) -> Option<SearchEvent> {
        let params = &self.params;
        // The depth that the move would be searched to.
        let facts = ReductionFacts {
            pv: false,
            ..self.reduction_facts(node, state, candidate)
        };
        let reduction = params
            .reductions
            .late_move_reduction(node.depth, candidate.number, &facts);
        if !node.pv {
            // The search asks the same.
            candidate.reduction = Some(reduction);
        }
        let left = (node.depth - reduction.max(Depth::ZERO)).max(Depth::PLY);
        if self.is_futile(node, state, params.futility_margin(left)) {
            return Some(SearchEvent::FutilityPruning);
        }
        if params
            .history_threshold(node.depth)
            .is_some_and(|least| candidate.history < least)
        {
            return Some(SearchEvent::HistoryPruning);
        }
        // No exchange follows where the opponent attacks neither square.
        let attacked = context.threats.all;
        let exposed = attacked.has(candidate.mv.to) || attacked.has(candidate.mv.from);
        let loses = exposed
            && self.prunes_by_see(node)
            && !see_ge(node.pos, candidate.mv, -params.see_quiet_margin(left));
        loses.then_some(SearchEvent::SeePruning)
    }

    /// Does the evaluation stay at or below alpha though a move carries it up by `margin`?
    fn is_futile(&self, node: &Node<'_>, state: &NodeState, margin: Option<i32>) -> bool {
        let alpha = node.window.alpha;
        !alpha.is_win() && margin.is_some_and(|margin| state.eval + margin <= alpha)
    }

    fn prunes_by_see(&self, node: &Node<'_>) -> bool {
        let forcing = self.params.is_forcing(node.allowance);
        self.params.see_pruning(node.depth, forcing)
    }
}
