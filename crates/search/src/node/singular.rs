//! Step 16, the singular test: does the TT move stand alone?

use sextant_board::Score;

use super::{Node, NodeState, NodeType, NonPv, move_loop::Candidate};
use crate::{
    budget::Depth,
    flow::Flow,
    observer::{Observer, SearchEvent},
    params::SINGULAR_TT_SLACK,
    window::{Bound, Window},
    worker::Worker,
};

impl<O: Observer> Worker<O> {
    /// Searches the node without its TT move, about half as deep. If everything else fails well
    /// below the TT score, the move is cheap (a singular extension); if something else beats beta
    /// as well, the node is cut off (multicut); and if the TT move is not alone, its depth is
    /// reduced (a negative extension).
    pub(super) fn singular<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        state: &NodeState,
        candidate: &mut Candidate,
    ) -> Flow<Option<Score>> {
        let Some(entry) = state.tt.entry.filter(|_| Some(candidate.mv) == state.tt.mv) else {
            return Ok(None);
        };
        let score = entry.score.to_root(node.ply);
        let Some(margin) = self.params.singular_margin(node.depth) else {
            return Ok(None);
        };
        if state.excluded.is_some()
            || entry.depth < node.depth - SINGULAR_TT_SLACK
            || entry.bound == Bound::Upper
            || score.is_decisive()
        {
            return Ok(None);
        }
        let singular_beta = score - margin;
        // Half of what is left below this node.
        let half = (node.depth - Depth::PLY).half();
        let reduction = Depth::from_raw((node.depth - half).raw() & !1);
        self.observer.event(SearchEvent::SingularTried);
        self.stack.at_mut(node.ply).excluded = Some(candidate.mv);
        let value_without = self.search::<NonPv>(Node {
            window: Window::zero(singular_beta - 1),
            allowance: node.allowance.reduced(reduction),
            ..*node
        });
        self.stack.at_mut(node.ply).excluded = None;
        let value_without = value_without?;
        if value_without < singular_beta {
            let lead = singular_beta - value_without;
            candidate.discount = self.singular_discount::<NT>(lead, candidate.facts.is_quiet());
        } else if value_without >= node.window.beta && !value_without.is_decisive() {
            if self.params.pruning.multicut && !NT::PV {
                self.observer.event(SearchEvent::Multicut);
                return Ok(Some(value_without));
            }
        } else if score >= node.window.beta {
            candidate.negative_extension = Depth::plies(2);
        } else if node.cut_node {
            candidate.negative_extension = Depth::PLY;
        }
        Ok(None)
    }

    /// What a TT move is cheaper by that is ahead of all others by `lead` centipawns more than asked
    /// for: twice outside the PV if it is far ahead, and half as much again for a quiet move that is
    /// farther ahead still.
    fn singular_discount<NT: NodeType>(&mut self, lead: i32, is_quiet: bool) -> i32 {
        self.observer.event(SearchEvent::Singular);
        let extensions = &self.params.extensions;
        if NT::PV || lead <= extensions.singular_double_margin {
            return extensions.singular;
        }
        self.observer.event(SearchEvent::DoublySingular);
        let twice = extensions.singular_double;
        let triple = extensions.singular_triple;
        if triple > 0 && is_quiet && lead > triple {
            twice + twice / 2
        } else {
            twice
        }
    }
}
