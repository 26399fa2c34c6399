//! What a node knows of its moves just before the first is tried, for an observer that asked for it.

use sextant_board::{MAX_MOVES, Move, Phase, Ply, Position, Score, see_ge};

use super::{
    Local, Node,
    moves::{behind_best, threatened_with_mate},
};
use crate::{
    budget::{Line, NodeFacts, OrderFacts},
    history::percent_of_history,
    observer::{Enter, Exchange, Frozen, FrozenMove, Observer},
    order::{Kind, Picked, Picker},
    window::Window,
    worker::Worker,
};

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Asks the observer whether it wants to see this node, and shows it.
    #[inline]
    pub(super) fn offer<N: Node>(
        &mut self,
        pos: &Position,
        window: Window,
        line: Line,
        ply: Ply,
        local: &Local,
    ) {
        let node = Enter {
            pos,
            ply,
            window,
            line,
            depth: local.depth,
            pv: N::PV,
            cut_node: local.cut_node,
        };
        if local.excluded.is_none() && self.observer.wants(&node) {
            self.freeze(&node, local);
        }
    }

    /// Shows the observer all legal moves in the order in which they would be tried, with all that
    /// prices and reductions can look at, whether or not the config in force looks at it. The search
    /// goes on as if nothing had happened.
    #[cold]
    #[inline(never)]
    fn freeze(&mut self, node: &Enter<'_>, local: &Local) {
        let (pos, ply) = (node.pos, node.ply);
        let mut siblings = self.siblings(pos, ply, local);
        let mut picker = Picker::all(local.table_move, false);
        let mut moves = Vec::with_capacity(MAX_MOVES);
        let mut best_by_order: Option<i32> = None;
        while let Some(picked) = self.next_move(&mut picker, pos, local, &siblings) {
            let number = moves.len() + 1;
            let candidate = self.candidate(pos, picked, number, local, &mut siblings);
            let order_gap = order_gap(picked, candidate.order, &mut best_by_order);
            moves.push(FrozenMove {
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
        let in_check = local.in_check;
        self.observer.frozen(&Frozen {
            node,
            facts: NodeFacts {
                phase: Phase::of(pos.board()),
                in_check,
                only_reply: in_check && moves.len() == 1,
                mate_threat: local.mate_threat,
                mate_glance: !in_check && threatened_with_mate(pos),
            },
            improving: local.improving,
            table_move: local.table_move.is_some(),
            table_capture: local.table_capture,
            was_pv: local.was_pv,
            moves: &moves,
        });
    }

    /// The static score after a move, from its mover's view; `None` if it gives check.
    fn score_after(&mut self, pos: &Position, mv: Move, ply: Ply) -> Option<Score> {
        let mut child = pos.clone();
        let delta = child.play(mv);
        self.note(mv, ply, &delta);
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
    if picked.kind != Kind::Quiet || order.killer || order.counter_move {
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
