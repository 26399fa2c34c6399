//! Steps 7 and 12: the depth of a node is corrected before its moves are tried.

use sextant_board::Score;

use super::state::{Node, NodeState};
use crate::{
    budget::Depth,
    observer::{Observer, SearchEvent},
    worker::Worker,
};

impl<O: Observer> Worker<O> {
    /// Step 7, hindsight: adjusts the depth when the static evaluations contradict the parent's
    /// reduction.
    pub(super) fn hindsight(&mut self, node: &mut Node<'_>, state: &NodeState) {
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
    pub(super) fn internal_iterative_reduction(&mut self, node: &mut Node<'_>, state: &NodeState) {
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
