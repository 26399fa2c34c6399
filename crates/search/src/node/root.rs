//! The root: like any open-window node, but its moves are kept from iteration to iteration, and each
//! may carry a bonus that the search below never sees (Ronald de Man).

use sextant_board::{Move, Ply, Position, Score, Threats};

use super::{Flow, Local, Node, Open};
use crate::{
    budget::Line,
    observer::{Enter, Leave, Observer, Tried},
    order::{Kind, Picked},
    report::Bound,
    root::RootMove,
    window::Window,
    worker::Worker,
};

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Searches root moves `from..end` and leaves their scores and lines in the list.
    pub(crate) fn search_root(
        &mut self,
        mut window: Window,
        line: Line,
        from: usize,
        end: usize,
    ) -> Flow {
        let shared = self.shared.clone();
        let pos = shared.game.position();
        let full = window;
        let depth = self.derived.coupling.depth(line.budgets);
        self.pv.clear(Ply::ROOT);
        self.observer.enter(&Enter {
            pos,
            ply: Ply::ROOT,
            window,
            line,
            depth,
            pv: true,
            cut_node: false,
        });
        let known = self.probe_table(pos);
        let mut local = self.look_around::<Open>(pos, Ply::ROOT, false, None, known);
        local.depth = depth;
        local.threats = Threats::against(pos);
        local.table_move = Some(self.root_moves[from].mv);
        let mut siblings = self.siblings(pos, Ply::ROOT, &local);
        let mut best = (-Score::INFINITE, None);
        let mut searched = 0;
        for index in from..end {
            let before = self.nodes;
            searched += 1;
            let mv = self.root_moves[index].mv;
            let score =
                self.search_root_move(pos, window, line, &local, &mut siblings, index, searched)?;
            let root_move = &mut self.root_moves[index];
            root_move.nodes += self.nodes - before;
            if searched == 1 || score > window.alpha {
                root_move.score = score;
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
        self.conclude_root(pos, full, line, &local, best, searched, from);
        Ok(best.0)
    }

    #[allow(clippy::too_many_arguments)]
    fn search_root_move(
        &mut self,
        pos: &Position,
        window: Window,
        line: Line,
        local: &Local,
        siblings: &mut super::Siblings,
        index: usize,
        number: usize,
    ) -> Flow {
        let RootMove { mv, bonus, .. } = self.root_moves[index];
        let picked = Picked {
            mv,
            kind: Kind::Table,
            score: 0,
        };
        let mut candidate = self.candidate(pos, picked, number, local, siblings);
        let bet = self.bet(Open::PV, local, &candidate);
        let mut child = pos.clone();
        self.make(&mut child, mv, Ply::ROOT)?;
        let (price, category) =
            self.price(pos, &child, window, Ply::ROOT, siblings, &mut candidate);
        self.observer.tried(&Tried {
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
        let score =
            self.search_child::<Open>(&child, window, line, bet, first, false, Ply::ROOT, bonus)?;
        self.unmake();
        Ok(score)
    }

    /// Remembers the root, unless its score is not that of the position: with bonuses, a choice of
    /// moves or a later MultiPV line it is something else.
    #[allow(clippy::too_many_arguments)]
    fn conclude_root(
        &mut self,
        pos: &Position,
        window: Window,
        line: Line,
        local: &Local,
        best: (Score, Option<Move>),
        searched: usize,
        from: usize,
    ) {
        let bound = if best.0 >= window.beta {
            Bound::Lower
        } else if best.0 > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
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
            let kept = (local.raw_eval, true);
            self.remember(
                pos,
                Ply::ROOT,
                line.budgets,
                local.depth,
                (best.0, bound),
                mv,
                kept,
            );
        }
    }
}
