//! Steps 14 and 15: moves that are not worth a search.

use sextant_board::{Position, Score, see_ge};

use super::{NodeState, has_pieces, move_loop::Candidate};
use crate::{
    budget::{Allowance, Depth},
    movepick::{MoveStage, Picker},
    observer::{Observer, SearchEvent},
    params::SearchParams,
    window::Window,
    worker::Worker,
};

/// Where the quiet moves of a node end.
pub(super) struct QuietLimits {
    /// No quiet move after this many moves.
    number: usize,
    /// No quiet move if this does not exceed alpha.
    reach: Score,
}

impl QuietLimits {
    #[inline]
    pub(super) fn are_over(&self, number: usize, alpha: Score) -> bool {
        // No evaluation reaches a mate: once one is found, a shorter one may still be quiet.
        number >= self.number || !alpha.is_win() && self.reach <= alpha
    }
}

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Step 14: where the quiet moves of this node end, by their number or because none can carry
    /// the evaluation over alpha.
    pub(super) fn quiet_limits(
        &self,
        pos: &Position,
        line: Allowance,
        state: &NodeState,
    ) -> QuietLimits {
        let mut limits = QuietLimits {
            number: usize::MAX,
            reach: Score::INFINITE,
        };
        if EXACT || !has_pieces(pos) {
            return limits;
        }
        let p = &self.params.pruning;
        let forcing = p.forcing_half && line.budgets.gain_us() > 0;
        let deepest = Depth::plies(p.late_depth);
        if p.late_moves && state.depth <= if forcing { deepest.half() } else { deepest } {
            let number = self.params.late_moves(state.depth, state.improving);
            limits.number = number << u32::from(forcing);
        }
        if p.futility && !state.in_check && state.depth <= Depth::plies(p.futility_depth) {
            limits.reach = state.eval + self.futility_margin(state.depth);
        }
        limits
    }

    /// Steps 14 and 15: is the move not worth a search? Checks are exempt.
    #[inline]
    pub(super) fn prune_move(
        &mut self,
        pos: &Position,
        window: Window,
        line: Allowance,
        state: &NodeState,
        candidate: &Candidate,
        picker: &mut Picker,
    ) -> bool {
        if candidate.facts.gives_check || !has_pieces(pos) {
            return false;
        }
        let p = &self.params.pruning;
        let depth = state.depth;
        // A side that has been forcing is pruned half as eagerly.
        let forcing = p.forcing_half && line.budgets.gain_us() > 0;
        let halve = |depth: Depth| if forcing { depth.half() } else { depth };
        if !candidate.facts.is_quiet() {
            let margin =
                SearchParams::margin(p.see_capture, depth) + (candidate.history / 256).max(0);
            // The others were picked because they do not lose material.
            let loses = p.see_pruning
                && candidate.stage == MoveStage::BadNoisy
                && depth <= halve(Depth::plies(p.see_depth))
                && !see_ge(pos, candidate.mv, -margin);
            if loses {
                self.observer.event(SearchEvent::SeePruning);
            }
            return loses;
        }
        // The depth that the move would be searched to.
        let facts = self.reduction_facts(false, state, candidate);
        let bet = self
            .params
            .reductions
            .late_move(depth, candidate.number, &facts)
            .max(Depth::ZERO);
        let left = (depth - bet).max(Depth::PLY);
        if p.futility
            && !state.in_check
            && left <= Depth::plies(p.futility_depth)
            && !window.alpha.is_win()
            && state.eval + self.futility_margin(left) <= window.alpha
        {
            picker.skip_quiets();
            self.observer.event(SearchEvent::FutilityPruning);
            return true;
        }
        if p.history_pruning
            && depth <= Depth::plies(p.history_depth)
            && candidate.history < -SearchParams::margin(p.history_margin, depth)
        {
            self.observer.event(SearchEvent::HistoryPruning);
            return true;
        }
        // No exchange follows where the opponent attacks neither square.
        let exposed =
            state.threats.all.has(candidate.mv.to) || state.threats.all.has(candidate.mv.from);
        if p.see_pruning
            && exposed
            && depth <= halve(Depth::plies(p.see_depth))
            && !see_ge(pos, candidate.mv, -SearchParams::margin(p.see_quiet, left))
        {
            self.observer.event(SearchEvent::SeePruning);
            return true;
        }
        false
    }
}
