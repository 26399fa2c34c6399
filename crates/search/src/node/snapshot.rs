//! What a node knows of its moves just before the first is tried, for an observer that asked for it.

use sextant_board::{MAX_MOVES, Move, Phase, Ply, Position, Score, see_ge};

use super::{
    NodeState, NodeType,
    move_loop::{behind_best, is_mate_threatened},
};
use crate::{
    budget::{Allowance, NodeFacts, OrderFacts},
    history::percent_of_history,
    movepick::{MoveStage, Picked, Picker},
    observer::{Exchange, MoveSnapshot, Node, NodeSnapshot, Observer},
    window::Window,
    worker::Worker,
};

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Asks the observer whether it wants to see this node, and shows it.
    #[inline]
    pub(super) fn offer_snapshot<NT: NodeType>(
        &mut self,
        pos: &Position,
        window: Window,
        line: Allowance,
        ply: Ply,
        state: &NodeState,
    ) {
        let node = Node {
            pos,
            ply,
            window,
            allowance: line,
            depth: state.depth,
            pv: NT::PV,
            cut_node: state.cut_node,
        };
        if state.excluded.is_none() && self.observer.wants_snapshot(&node) {
            self.take_snapshot(&node, state);
        }
    }

    /// Shows the observer all legal moves in the order in which they would be tried, with all that
    /// prices and reductions can look at, whether or not the config in force looks at it. The search
    /// goes on as if nothing had happened.
    #[cold]
    #[inline(never)]
    fn take_snapshot(&mut self, node: &Node<'_>, state: &NodeState) {
        let (pos, ply) = (node.pos, node.ply);
        let mut context = self.move_context(pos, ply, state);
        let mut picker = Picker::all(state.tt_move, false);
        let mut moves = Vec::with_capacity(MAX_MOVES);
        let mut best_by_order: Option<i32> = None;
        while let Some(picked) = self.next_move(&mut picker, pos, state, &context) {
            let number = moves.len() + 1;
            let candidate = self.candidate(pos, picked, number, state, &mut context);
            let order_gap = order_gap(picked, candidate.order, &mut best_by_order);
            moves.push(MoveSnapshot {
                mv: picked.mv,
                facts: candidate.facts,
                order: OrderFacts {
                    gap: order_gap,
                    ..candidate.order
                },
                history: candidate.history / 4,
                exchange: exchange(pos, picked.mv),
                score: self.score_after(pos, picked.mv, ply),
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
                phase: Phase::of(pos.board()),
                in_check,
                only_reply: in_check && moves.len() == 1,
                mate_threat: state.mate_threat,
                mate_glance: !in_check && is_mate_threatened(pos),
            },
            improving: state.improving,
            tt_move: state.tt_move.is_some(),
            tt_capture: state.tt_capture,
            was_pv: state.was_pv,
            moves: &moves,
        });
    }

    /// The static score after a move, from its mover's view; `None` if it gives check.
    fn score_after(&mut self, pos: &Position, mv: Move, ply: Ply) -> Option<Score> {
        let mut child = pos.clone();
        let delta = child.play(mv);
        self.record_move(mv, ply, &delta);
        let score = (!child.in_check()).then(|| {
            let raw = self.evaluate(&child);
            -self.corrected(&child, ply.next(), raw)
        });
        self.evaluation.pop();
        score
    }
}

/// How far a quiet move's score lies behind the best one's so far.
fn order_gap(picked: Picked, order: OrderFacts, best: &mut Option<i32>) -> i32 {
    if picked.stage != MoveStage::Quiet || order.killer || order.counter_move {
        return 0;
    }
    percent_of_history(behind_best(best, picked.score))
}

fn exchange(pos: &Position, mv: Move) -> Exchange {
    if see_ge(pos, mv, 1) {
        Exchange::Wins
    } else if see_ge(pos, mv, 0) {
        Exchange::Even
    } else {
        Exchange::Loses
    }
}
