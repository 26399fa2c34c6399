//! The root: a move loop of its own, with steps 4 (the move), 6, 13 and 17 to 19 of a node, without
//! pruning or singular test; of step 20 it has the histories of the best move and the TT entry. Its
//! moves are kept from iteration to iteration, and each may carry a bonus that the search below
//! never sees (Ronald de Man).

use std::ops::Range;

use arrayvec::ArrayVec;
use sextant_board::{MAX_MOVES, Move, Ply, Position, Score};

use super::{
    Node, NodeState, Pv, TtProbe,
    move_loop::{Best, MoveContext},
};
use crate::{
    budget::Allowance,
    flow::Flow,
    movepick::{Picked, Picker},
    observer::{Leave, Observer},
    root_moves::{RootMove, move_to_front},
    window::{Bound, Window},
    worker::Worker,
};

impl<O: Observer> Worker<O> {
    /// Searches the root moves of `range` and leaves their scores and lines in the list.
    pub(crate) fn search_root(
        &mut self,
        window: Window,
        allowance: Allowance,
        range: Range<usize>,
    ) -> Flow {
        let shared = self.shared.clone();
        let pos = shared.game.position();
        let root = Node {
            depth: self.params.coupling.depth(allowance.budgets),
            pv: true,
            ..Node::new(pos, Ply::ROOT, window, allowance, false)
        };
        let (state, mut context) = self.enter_root(&root, range.start);
        let mut best = Best::new();
        // The loop's own, whose window narrows.
        let mut node = root;
        for (index, picked) in self.root_order(pos, &state.tt, &context, &range) {
            let before = self.nodes;
            let mut candidate = self.candidate(&node, &mut context, picked, best.searched + 1);
            candidate.bonus = self.root_moves[index].bonus;
            candidate.best_so_far = best.score;
            best.searched += 1;
            if self.is_main() {
                let current = (picked.mv, best.searched as u32);
                let depth = u32::from(self.nominal_depth);
                shared.current.store((depth, Some(current)));
            }
            self.pv.clear(Ply::ROOT.next());
            let found = self.search_move::<Pv>(&node, &state, &context, candidate);
            let Ok(score) = found else {
                if best.score > window.alpha {
                    self.move_to_front(best.mv, range);
                }
                return found;
            };
            self.root_moves[index].nodes += self.nodes - before;
            let is_known = best.searched == 1 || score > node.window.alpha;
            self.note_root_move(index, is_known.then_some((score, node.window.bound(score))));
            if score > best.score {
                best.score = score;
                best.mv = Some(picked.mv);
            }
            if score <= node.window.alpha {
                best.note_failed(
                    picked.mv,
                    !pos.is_capture(picked.mv) && picked.mv.promotion.is_none(),
                );
            }
            if score >= window.beta {
                break;
            }
            node.window.alpha = node.window.alpha.max(score);
        }
        if best.score > window.alpha
            && let Some(mv) = best.mv
        {
            self.reward_best(&root, &context.history, mv, &best);
        }
        self.finish_root(&root, &state, &best, range.start);
        Ok(best.score)
    }

    /// What is known of the root, and what its moves share.
    fn enter_root(&mut self, root: &Node<'_>, first: usize) -> (NodeState, MoveContext) {
        self.pv.clear(Ply::ROOT);
        self.observer.enter(root);
        let tt = self.probe_tt(root.pos);
        let mut state = self.init_state(root, None, tt);
        let last_best = &self.root_moves[first];
        if last_best.score > -Score::INFINITE {
            state.tt.mv = Some(last_best.mv);
        }
        let mut context = self.move_context(root, &state);
        // No grandparent enters their moves.
        for ply in [Ply(1), Ply(2)] {
            self.stack.at_mut(ply).cutoffs = 0;
        }
        if self.gap_is_by_eval() {
            self.evaluate_quiets(root);
            context.evals_at = Some(Ply::ROOT);
        }
        (state, context)
    }

    /// Keeps what the search of a root move found, with its line; `None` if it did not beat alpha,
    /// so that its score says nothing.
    fn note_root_move(&mut self, index: usize, found: Option<(Score, Bound)>) {
        let root_move = &mut self.root_moves[index];
        let Some((score, bound)) = found else {
            root_move.score = -Score::INFINITE;
            return;
        };
        root_move.score = score;
        root_move.bound = bound;
        root_move.depth = u32::from(self.nominal_depth);
        root_move.seldepth = self.seldepth;
        root_move.take_line(self.pv.at(Ply::ROOT.next()));
    }

    /// The root moves of `range` in the order in which they are tried, each with its place in the
    /// list: what was better than alpha the last time, best first, then as in any other node.
    fn root_order(
        &self,
        pos: &Position,
        tt: &TtProbe,
        context: &MoveContext,
        range: &Range<usize>,
    ) -> ArrayVec<(usize, Picked), MAX_MOVES> {
        let mut picker = Picker::all(tt.mv, false);
        let mut order = ArrayVec::new();
        while let Some(picked) = picker.next(&self.scorer(pos, context)) {
            let wanted = |root_move: &RootMove| root_move.mv == picked.mv;
            if let Some(at) = self.root_moves[range.clone()].iter().position(wanted) {
                order.push((range.start + at, picked));
            }
        }
        order.sort_by_key(|&(index, _)| -self.root_moves[index].score.raw());
        order
    }

    /// Puts a move to the front of the root moves of `range`: the best so far of an iteration that
    /// was cut off is better than the best of the iteration before.
    fn move_to_front(&mut self, best: Option<Move>, range: Range<usize>) {
        let moves = &mut self.root_moves[range];
        if let Some(at) = moves
            .iter()
            .position(|root_move| Some(root_move.mv) == best)
        {
            move_to_front(moves, at);
        }
    }

    /// Keeps the root in the table, unless its score is not that of the position: with bonuses, a
    /// choice of moves or a later MultiPV line it is something else.
    fn finish_root(&mut self, root: &Node<'_>, state: &NodeState, best: &Best, first: usize) {
        let bound = root.window.bound(best.score);
        self.observer.leave(&Leave {
            ply: Ply::ROOT,
            bound,
            score: best.score,
            best: best.mv,
            cut_by: if bound == Bound::Lower {
                best.searched
            } else {
                0
            },
            moves: best.searched,
        });
        let whole = first == 0
            && self.shared.limits.searchmoves.is_empty()
            && self.root_moves.iter().all(|root_move| root_move.bonus == 0);
        if whole {
            let mv = best.mv.filter(|_| bound != Bound::Upper);
            self.store_tt(root, (best.score, bound), mv, (state.raw_eval, true));
        }
    }
}
