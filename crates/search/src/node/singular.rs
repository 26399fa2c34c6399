//! Step 16, the singular test: does the TT move stand alone?

use sextant_board::Score;

use super::{Node, NodeState, NodeType, NonPv, move_loop::Candidate};
use crate::{
    budget::Depth,
    observer::{Observer, SearchEvent},
    params::{SINGULAR_FAR_ABOVE, SINGULAR_TT_SLACK},
    window::{Bound, Window},
    worker::{Flow, Worker},
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
        let bound = score - margin;
        // Half of what is left below this node.
        let half = (node.depth - Depth::PLY).half();
        let spared = Depth::from_raw((node.depth - half).raw() & !1);
        self.observer.event(SearchEvent::SingularTried);
        self.stack.at_mut(node.ply).excluded = Some(candidate.mv);
        let rest = self.search::<NonPv>(Node {
            window: Window::zero(bound - 1),
            allowance: node.allowance.reduced(spared),
            ..*node
        });
        self.stack.at_mut(node.ply).excluded = None;
        let rest = rest?;
        if rest < bound {
            let twice = !NT::PV && rest < bound - SINGULAR_FAR_ABOVE;
            self.observer.event(SearchEvent::Singular);
            if twice {
                self.observer.event(SearchEvent::DoublySingular);
            }
            let extensions = &self.params.extensions;
            candidate.discount = if twice {
                extensions.singular_double
            } else {
                extensions.singular
            };
        } else if rest >= node.window.beta && !rest.is_decisive() {
            if self.params.pruning.multicut && !NT::PV {
                self.observer.event(SearchEvent::Multicut);
                return Ok(Some(rest));
            }
        } else if score >= node.window.beta {
            candidate.negative = Depth::plies(2);
        } else if node.cut_node {
            candidate.negative = Depth::PLY;
        }
        Ok(None)
    }
}
