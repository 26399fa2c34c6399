//! What a node knows of its moves just before the first is tried, for an observer that asked for
//! it.

use sextant_board::MAX_MOVES;

use super::{Node, NodeState, move_loop::behind_best};
use crate::{
    budget::{Exchange, NodeFacts, OrderFacts},
    history::percent_of_history,
    movepick::{MoveStage, Picked, Picker},
    observer::{MoveSnapshot, NodeSnapshot, Observer},
    worker::Worker,
};

impl<O: Observer> Worker<O> {
    /// Asks the observer whether it wants to see this node, and shows it.
    #[inline]
    pub(super) fn offer_snapshot(&mut self, node: &Node<'_>, state: &NodeState) {
        if state.excluded.is_none() && self.observer.wants_snapshot(node) {
            self.take_snapshot(node, state);
        }
    }

    /// Shows the observer all legal moves in the order in which they would be tried, with all that
    /// prices can look at, whether or not the config in force looks at it. The search
    /// goes on as if nothing had happened.
    #[cold]
    #[inline(never)]
    fn take_snapshot(&mut self, node: &Node<'_>, state: &NodeState) {
        let pos = node.pos;
        let mut context = self.move_context(node, state);
        if self.gap_is_by_eval() {
            self.evaluate_quiets(node);
            context.evals_at = Some(node.ply);
        }
        let mut picker = Picker::all(state.tt.mv, false);
        let mut moves = Vec::with_capacity(MAX_MOVES);
        let mut best_by_order: Option<i32> = None;
        while let Some(picked) = picker.next(&self.scorer(pos, &context)) {
            let candidate = self.candidate(node, &mut context, picked, moves.len() + 1);
            let gap = order_gap(picked, candidate.order, &mut best_by_order);
            moves.push(MoveSnapshot {
                mv: picked.mv,
                facts: candidate.facts,
                order: OrderFacts {
                    gap,
                    ..candidate.order
                },
                exchange: Exchange::of(pos, picked.mv),
                score: self.score_after(pos, node.ply, picked.mv),
            });
        }
        if moves.is_empty() {
            // The game is over here.
            return;
        }
        let in_check = state.in_check;
        self.observer.snapshot(&NodeSnapshot {
            node,
            facts: NodeFacts {
                only_reply: in_check && moves.len() == 1,
                mate_glance: context.is_mate_threatened(pos),
                ..context.facts
            },
            moves: &moves,
        });
    }
}

/// How far a quiet move's score lies behind the best one's so far.
fn order_gap(picked: Picked, order: OrderFacts, best: &mut Option<i32>) -> i32 {
    if picked.stage != MoveStage::Quiet || order.killer || order.counter_move {
        return 0;
    }
    percent_of_history(behind_best(best, picked.score))
}
