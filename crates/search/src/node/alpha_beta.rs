//! One node of the full-width search, step by step; and steps 7 and 12, which correct its depth
//! before its moves are tried.

use sextant_board::Score;

use super::{Node, NodeState, NodeType, TtProbe, move_loop::Best};
use crate::{
    budget::Depth,
    flow::Flow,
    observer::{Observer, SearchEvent},
    worker::Worker,
};

impl<O: Observer> Worker<O> {
    /// The value of `node` for the side to move, fail-soft, with what its allowance has left.
    #[inline(always)]
    pub(crate) fn search<NT: NodeType>(&mut self, mut node: Node<'_>) -> Flow {
        node.pv = NT::PV;
        self.observer.begin(&node);
        let score = self.search_node::<NT>(node)?;
        self.observer.end(score);
        Ok(score)
    }

    fn search_node<NT: NodeType>(&mut self, mut node: Node<'_>) -> Flow {
        if NT::PV {
            self.pv.clear(node.ply);
        }
        // Steps 1 to 3: draws and mates, before any budget is looked at.
        if let Some(score) = self.rule_cutoff(&mut node) {
            return Ok(score);
        }
        // The horizon.
        node.depth = self.params.coupling.depth(node.allowance.budgets);
        if node.depth <= Depth::ZERO {
            return self.qsearch::<NT>(node, 0);
        }
        self.update_seldepth(node.ply);
        self.observer.enter(&node);

        // Step 4: the transposition table.
        let excluded = self.stack.at(node.ply).excluded;
        let tt = if excluded.is_none() {
            self.probe_tt(node.pos)
        } else {
            TtProbe::MISS
        };
        // An open-window node does not take the table's word: its line is wanted.
        if !NT::PV
            && let Some(score) = self.tt_cutoff(&node, &tt)
        {
            if let Some(mv) = tt.mv.filter(|_| score >= node.window.beta) {
                self.reward_tt_move(&node, mv);
            }
            return Ok(score);
        }

        // Step 5: the tablebases.
        let mut range = (-Score::INFINITE, Score::INFINITE);
        if excluded.is_none()
            && let Some(score) = self.tablebase_cutoff(&mut node, &mut range)
        {
            return Ok(score);
        }

        // Steps 6 to 12: what can be said without trying every move.
        let mut state = self.init_state(&node, excluded, tt);
        if node.depth <= Depth::PLY
            && let Some(score) = self.mate_at_a_glance(&node)
        {
            return Ok(score);
        }
        self.hindsight(&mut node, &state);
        if let Some(score) = self.prune_node::<NT>(&node, &mut state)? {
            return Ok(score);
        }
        self.look_for_mate_threat(&node, &mut state)?;
        self.internal_iterative_reduction(&mut node, &state);

        // Steps 13 to 19: the moves.
        self.offer_snapshot(&node, &state);
        let mut context = self.move_context(&node, &state);
        let mut best = Best::new();
        if let Some(score) = self.search_moves::<NT>(node, &state, &mut context, &mut best)? {
            return Ok(score);
        }
        best.score = best.score.clamp(range.0, range.1);
        self.finish_node(&node, &state, &context.history, &best);
        Ok(best.score)
    }

    /// Step 7, hindsight: adjusts the depth when the static evaluations contradict the parent's
    /// reduction.
    fn hindsight(&mut self, node: &mut Node<'_>, state: &NodeState) {
        if !self.params.search.hindsight || state.in_check || state.excluded.is_some() {
            return;
        }
        let parent = self.stack.back(node.ply, 1);
        if parent.eval == Score::NONE {
            return;
        }
        // Both evaluations from the side to move's view: the difference is what the last move cost.
        let gain = state.eval.raw() + parent.eval.raw();
        let by = self.params.hindsight_reduction(parent.reduction, gain);
        if by < Depth::ZERO || by > Depth::ZERO && node.depth >= Depth::plies(2) {
            self.reduce_node(node, by);
        }
    }

    /// Step 12, internal iterative reduction (IIR): without a TT move the node is searched a ply
    /// shallower; the draft that is stored is the reduced one.
    fn internal_iterative_reduction(&mut self, node: &mut Node<'_>, state: &NodeState) {
        if self.params.iir(node.depth)
            && state.tt.mv.is_none()
            && state.excluded.is_none()
            && (node.pv || node.cut_node)
        {
            self.observer.event(SearchEvent::Iir);
            self.reduce_node(node, Depth::PLY);
        }
    }

    /// Takes `reduction` from the node itself.
    fn reduce_node(&self, node: &mut Node<'_>, reduction: Depth) {
        node.allowance = node.allowance.reduced(reduction);
        node.depth = self.params.coupling.depth(node.allowance.budgets);
    }
}
