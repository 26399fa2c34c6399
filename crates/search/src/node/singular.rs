//! Step 16, the singular test: does the table move stand alone?

use sextant_board::{Ply, Position, Score};

use super::{Flow, Local, Node, Scout, moves::Candidate};
use crate::{
    budget::{Depth, Line},
    derived::Derived,
    observer::{Mark, Observer},
    report::Bound,
    window::Window,
    worker::Worker,
};

/// How far below the singular bound the rest must stay for the larger discount, in centipawns.
const FAR_ABOVE: i32 = 24;

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Searches the node without its table move, about half as deep. If everything else fails well
    /// below the table score, the move is cheap; if something else beats beta as well, the node is
    /// cut off; and if the table move is not alone, some depth is bet against it.
    pub(super) fn singular<N: Node>(
        &mut self,
        pos: &Position,
        window: Window,
        line: Line,
        ply: Ply,
        local: &Local,
        candidate: &mut Candidate,
    ) -> Flow<Option<Score>> {
        let e = &self.derived.extensions;
        let Some(entry) = local
            .entry
            .filter(|_| Some(candidate.mv) == local.table_move)
        else {
            return Ok(None);
        };
        let score = entry.score.to_root(ply);
        if EXACT
            || !e.singular_enabled
            || local.excluded.is_some()
            || local.depth < Depth::plies(e.singular_depth)
            || entry.depth < local.depth - Depth::plies(3)
            || entry.bound == Bound::Upper
            || score.is_decisive()
        {
            return Ok(None);
        }
        let bound = score - Derived::margin(e.singular_margin, local.depth);
        let (single, double) = (e.singular, e.singular_double);
        // Half of what is left below this node.
        let half = (local.depth - Depth::PLY).half();
        let test_line = line.reduced(Depth::from_raw((local.depth - half).raw() & !1));
        self.observer.mark(Mark::SingularTried);
        self.stack.at_mut(ply).excluded = Some(candidate.mv);
        let rest = self.search::<Scout>(
            pos,
            Window::scout(bound - 1),
            test_line,
            ply,
            local.cut_node,
        );
        self.stack.at_mut(ply).excluded = None;
        let rest = rest?;
        if rest < bound {
            self.observer.mark(Mark::Singular);
            candidate.discount = single;
            if !N::PV && rest < bound - FAR_ABOVE {
                self.observer.mark(Mark::DoublySingular);
                candidate.discount = double;
            }
        } else if rest >= window.beta && !rest.is_decisive() {
            if self.derived.pruning.multicut && !N::PV {
                self.observer.mark(Mark::Multicut);
                return Ok(Some(rest));
            }
        } else if score >= window.beta {
            candidate.negative = Depth::plies(2);
        } else if local.cut_node {
            candidate.negative = Depth::PLY;
        }
        Ok(None)
    }
}
