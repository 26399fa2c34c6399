//! The root: like any open-window node, but its moves are kept from iteration to iteration, and each
//! may carry a bonus that the search below never sees (Ronald de Man).

use arrayvec::ArrayVec;
use sextant_board::{MAX_MOVES, Move, Ply, Position, Score, Threats};

use super::{MoveContext, NodeState, NodeType, Pv};
use crate::{
    budget::Allowance,
    movepick::{Picked, Picker},
    observer::{Leave, MoveSearched, Node, Observer},
    report::Bound,
    root_moves::RootMove,
    window::Window,
    worker::{Flow, Worker},
};

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Searches root moves `from..end` and leaves their scores and lines in the list.
    pub(crate) fn search_root(
        &mut self,
        mut window: Window,
        line: Allowance,
        from: usize,
        end: usize,
    ) -> Flow {
        let shared = self.shared.clone();
        let pos = shared.game.position();
        let full = window;
        let depth = self.params.coupling.depth(line.budgets);
        self.pv.clear(Ply::ROOT);
        self.observer.enter(&Node {
            pos,
            ply: Ply::ROOT,
            window,
            allowance: line,
            depth,
            pv: true,
            cut_node: false,
        });
        let known = self.probe_tt(pos);
        let mut state = self.init_state::<Pv>(pos, Ply::ROOT, false, None, known);
        state.depth = depth;
        state.threats = Threats::against(pos);
        let last_best = &self.root_moves[from];
        if last_best.score > -Score::INFINITE {
            state.tt_move = Some(last_best.mv);
        }
        let mut context = self.move_context(pos, Ply::ROOT, &state);
        let mut best = (-Score::INFINITE, None);
        let mut searched = 0;
        for (index, picked) in self.root_order(pos, &state, &context, from, end) {
            let before = self.nodes;
            searched += 1;
            let mv = picked.mv;
            if self.is_main() {
                shared.current.set(self.nominal_depth, searched, mv);
            }
            let bonus = self.root_moves[index].bonus;
            let found = self.search_root_move(
                pos,
                window,
                line,
                &state,
                &mut context,
                picked,
                bonus,
                searched,
            );
            let Ok(score) = found else {
                if best.0 > full.alpha {
                    self.move_to_front(best.1, from, end);
                }
                return found;
            };
            let depth = u32::from(self.nominal_depth);
            let root_move = &mut self.root_moves[index];
            root_move.nodes += self.nodes - before;
            if searched == 1 || score > window.alpha {
                root_move.score = score;
                root_move.bound = window.bound(score);
                root_move.depth = depth;
                root_move.seldepth = self.seldepth;
                root_move.take_line(self.pv.at(Ply::ROOT.next()));
            } else {
                root_move.score = -Score::INFINITE;
            }
            if score > best.0 {
                best = (score, Some(mv));
            }
            if score >= window.beta {
                break;
            }
            window.alpha = window.alpha.max(score);
        }
        self.finish_root(pos, full, line, &state, best, searched, from);
        Ok(best.0)
    }

    /// The root moves `from..end` in the order in which they are tried, each with its place in the
    /// list: what was better than alpha the last time, best first, then as in any other node.
    fn root_order(
        &self,
        pos: &Position,
        state: &NodeState,
        context: &MoveContext,
        from: usize,
        end: usize,
    ) -> ArrayVec<(usize, Picked), MAX_MOVES> {
        let mut picker = Picker::all(state.tt_move, false);
        let mut order = ArrayVec::new();
        while let Some(picked) = self.next_move(&mut picker, pos, state, context) {
            let wanted = |root_move: &RootMove| root_move.mv == picked.mv;
            if let Some(at) = self.root_moves[from..end].iter().position(wanted) {
                order.push((from + at, picked));
            }
        }
        order.sort_by_key(|&(index, _)| -self.root_moves[index].score.raw());
        order
    }

    /// Puts a move to the front of the root moves `from..end`: the best so far of an iteration that
    /// was cut off is better than the best of the iteration before.
    fn move_to_front(&mut self, best: Option<Move>, from: usize, end: usize) {
        let moves = &mut self.root_moves[from..end];
        if let Some(at) = moves
            .iter()
            .position(|root_move| Some(root_move.mv) == best)
        {
            moves[..=at].rotate_right(1);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn search_root_move(
        &mut self,
        pos: &Position,
        window: Window,
        line: Allowance,
        state: &NodeState,
        context: &mut MoveContext,
        picked: Picked,
        bonus: i32,
        number: usize,
    ) -> Flow {
        let mv = picked.mv;
        let mut candidate = self.candidate(pos, picked, number, state, context);
        let bet = self.reduction(Pv::PV, state, &candidate);
        let mut child = pos.clone();
        self.make(&mut child, mv, Ply::ROOT)?;
        let (price, category) = self.price(pos, &child, window, Ply::ROOT, context, &mut candidate);
        self.observer.move_searched(&MoveSearched {
            mv,
            number,
            facts: &candidate.facts,
            category,
            price,
            reduction: bet,
            history: candidate.history,
            ply: Ply::ROOT,
        });
        let line = line.after(price, false);
        let first = number == 1;
        self.pv.clear(Ply::ROOT.next());
        let score = self.pvs::<Pv>(&child, window, line, bet, first, false, Ply::ROOT, bonus)?;
        self.unmake();
        Ok(score)
    }

    /// Remembers the root, unless its score is not that of the position: with bonuses, a choice of
    /// moves or a later MultiPV line it is something else.
    #[allow(clippy::too_many_arguments)]
    fn finish_root(
        &mut self,
        pos: &Position,
        window: Window,
        line: Allowance,
        state: &NodeState,
        best: (Score, Option<Move>),
        searched: usize,
        from: usize,
    ) {
        let bound = window.bound(best.0);
        self.observer.leave(&Leave {
            ply: Ply::ROOT,
            bound,
            score: best.0,
            best: best.1,
            cut_by: if bound == Bound::Lower { searched } else { 0 },
            moves: searched,
        });
        let whole = from == 0
            && self.shared.limits.searchmoves.is_empty()
            && self.root_moves.iter().all(|root_move| root_move.bonus == 0);
        if whole {
            let mv = best.1.filter(|_| bound != Bound::Upper);
            let kept = (state.raw_eval, true);
            self.store_tt(
                pos,
                Ply::ROOT,
                line.budgets,
                state.depth,
                (best.0, bound),
                mv,
                kept,
            );
        }
    }
}
