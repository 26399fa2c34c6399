//! The spine: one node of the full-width search, step by step.

use sextant_board::Score;

use super::{
    move_loop::Best,
    state::{Node, NodeType, TtProbe},
};
use crate::{
    budget::Depth,
    observer::Observer,
    worker::{Flow, Worker},
};

impl<O: Observer> Worker<O> {
    /// The value of `node` for the side to move, fail-soft, with what its allowance has left.
    pub(crate) fn search<NT: NodeType>(&mut self, mut node: Node<'_>) -> Flow {
        node.pv = NT::PV;
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
}
