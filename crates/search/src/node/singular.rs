//! Step 16, the singular test: does the table move stand alone?

use sextant_board::{Ply, Position, Score};

use super::{NodeState, NodeType, NonPv, move_loop::Candidate};
use crate::{
    budget::{Allowance, Depth},
    observer::{Observer, SearchEvent},
    params::SearchParams,
    report::Bound,
    window::Window,
    worker::{Flow, Worker},
};

/// How far below the singular bound the rest must stay for the larger discount, in centipawns.
const FAR_ABOVE: i32 = 24;

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Searches the node without its table move, about half as deep. If everything else fails well
    /// below the table score, the move is cheap; if something else beats beta as well, the node is
    /// cut off; and if the table move is not alone, some depth is bet against it.
    pub(super) fn singular<NT: NodeType>(
        &mut self,
        pos: &Position,
        window: Window,
        line: Allowance,
        ply: Ply,
        state: &NodeState,
        candidate: &mut Candidate,
    ) -> Flow<Option<Score>> {
        let e = &self.params.extensions;
        let Some(entry) = state.entry.filter(|_| Some(candidate.mv) == state.tt_move) else {
            return Ok(None);
        };
        let score = entry.score.to_root(ply);
        if EXACT
            || !e.singular_enabled
            || state.excluded.is_some()
            || state.depth < Depth::plies(e.singular_depth)
            || entry.depth < state.depth - Depth::plies(3)
            || entry.bound == Bound::Upper
            || score.is_decisive()
        {
            return Ok(None);
        }
        let bound = score - SearchParams::margin(e.singular_margin, state.depth);
        let (single, double) = (e.singular, e.singular_double);
        // Half of what is left below this node.
        let half = (state.depth - Depth::PLY).half();
        let test_line = line.reduced(Depth::from_raw((state.depth - half).raw() & !1));
        self.observer.event(SearchEvent::SingularTried);
        self.stack.at_mut(ply).excluded = Some(candidate.mv);
        let rest =
            self.search::<NonPv>(pos, Window::zero(bound - 1), test_line, ply, state.cut_node);
        self.stack.at_mut(ply).excluded = None;
        let rest = rest?;
        if rest < bound {
            self.observer.event(SearchEvent::Singular);
            candidate.discount = single;
            if !NT::PV && rest < bound - FAR_ABOVE {
                self.observer.event(SearchEvent::DoublySingular);
                candidate.discount = double;
            }
        } else if rest >= window.beta && !rest.is_decisive() {
            if self.params.pruning.multicut && !NT::PV {
                self.observer.event(SearchEvent::Multicut);
                return Ok(Some(rest));
            }
        } else if score >= window.beta {
            candidate.negative = Depth::plies(2);
        } else if state.cut_node {
            candidate.negative = Depth::PLY;
        }
        Ok(None)
    }
}
