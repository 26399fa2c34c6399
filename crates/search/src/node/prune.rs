//! Steps 7 to 12: what ends or shortens a node before its moves are tried.

use sextant_board::{Ply, Position, Score, Threats};

use super::{Flow, Local, Node, Scout, has_pieces};
use crate::{
    budget::{Depth, Line},
    derived::Derived,
    observer::{Mark, Observer},
    order::{Kind, Ordering, Picker},
    report::Bound,
    window::Window,
    worker::Worker,
};

/// From this depth on a null-move cut-off is verified by a search without null moves.
const VERIFY_FROM: Depth = Depth::plies(12);
/// The gain over both sides' evaluations that calls an opponent's reduced move too bad to be
/// searched on in full, in centipawns.
const HINDSIGHT_GAIN: i32 = 160;
/// How much shallower ProbCut searches.
const PROBCUT_REDUCTION: Depth = Depth::plies(4);

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Step 7, hindsight: the parent's reduction is corrected by what the evaluations say now.
    pub(super) fn hindsight(&mut self, line: &mut Line, local: &Local, ply: Ply) {
        if !self.derived.search.hindsight || local.in_check || local.excluded.is_some() {
            return;
        }
        let parent = self.stack.back(ply, 1);
        if parent.eval == Score::NONE {
            return;
        }
        // Both evaluations from the side to move's view: the difference is what the last move cost.
        let gain = local.eval.raw() + parent.eval.raw();
        let reduction = parent.reduction;
        if reduction >= Depth::plies(3) && gain <= 0 {
            *line = line.reduced(-Depth::PLY);
        } else if reduction >= Depth::plies(2)
            && gain > HINDSIGHT_GAIN
            && local.depth >= Depth::plies(2)
        {
            *line = line.reduced(Depth::PLY);
        }
    }

    /// Steps 8 to 11: razoring, reverse futility, null move, ProbCut.
    pub(super) fn prune_node<N: Node>(
        &mut self,
        pos: &Position,
        window: Window,
        line: Line,
        ply: Ply,
        local: &mut Local,
    ) -> Flow<Option<Score>> {
        if N::PV || local.in_check || local.excluded.is_some() {
            return Ok(None);
        }
        if let Some(score) = self.razor(pos, window, ply, local)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.reverse_futility(window, local) {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(pos, window, line, ply, local)? {
            return Ok(Some(score));
        }
        self.probcut(pos, window, line, ply, local)
    }

    /// Step 8: so far below alpha that only captures can help.
    fn razor(
        &mut self,
        pos: &Position,
        window: Window,
        ply: Ply,
        local: &Local,
    ) -> Flow<Option<Score>> {
        let p = &self.derived.pruning;
        if !p.razoring
            || local.depth > Depth::plies(p.razor_depth)
            || window.alpha.is_decisive()
            || local.estimate + self.derived.razoring(local.depth) >= window.alpha
        {
            return Ok(None);
        }
        let score = self.quiesce::<Scout>(pos, Window::scout(window.alpha), ply, 0)?;
        if score > window.alpha {
            return Ok(None);
        }
        self.observer.mark(Mark::Razoring);
        Ok(Some(score))
    }

    /// Step 9: so far above beta that no quiet move of the opponent is expected to matter.
    fn reverse_futility(&mut self, window: Window, local: &Local) -> Option<Score> {
        let p = &self.derived.pruning;
        if !p.reverse_futility
            || local.depth > Depth::plies(p.rfp_depth)
            || local.was_pv
            || window.beta.is_loss()
            || local.estimate.is_win()
        {
            return None;
        }
        let margin = self
            .derived
            .reverse_futility(local.depth, local.improving, local.worsening);
        if local.estimate < window.beta + margin {
            return None;
        }
        self.observer.mark(Mark::ReverseFutility);
        // Between the claim and the guess: the guess alone is too optimistic.
        Some(Score::eval(
            (2 * window.beta.raw() + local.estimate.raw()) / 3,
        ))
    }

    /// Step 10: even passing would beat beta.
    fn null_move(
        &mut self,
        pos: &Position,
        window: Window,
        line: Line,
        ply: Ply,
        local: &mut Local,
    ) -> Flow<Option<Score>> {
        let p = &self.derived.pruning;
        let beta = window.beta;
        if !p.null_move
            || local.depth < Depth::plies(p.null_min_depth)
            || local.estimate < beta
            || local.eval + 20 < beta
            || beta.is_loss()
            || self.stack.back(ply, 1).null
            || ply.0 < self.null_from
            || !has_pieces(pos)
        {
            return Ok(None);
        }
        let reduction = self.derived.null_move(local.depth, local.estimate - beta);
        let null_line = line.after_null().reduced(reduction);
        let Some(child) = self.make_null(pos, ply)? else {
            return Ok(None);
        };
        self.observer.mark(Mark::NullMoveTried);
        let window = Window::scout(beta - 1);
        let reply =
            self.search::<Scout>(&child, -window, null_line, ply.next(), !local.cut_node)?;
        self.unmake();
        let score = -reply;
        if score.is_loss() && score.is_mate() {
            local.mate_threat = true;
        }
        if score < beta {
            return Ok(None);
        }
        // A mate found behind a pass is no proof.
        let score = if score.is_decisive() { beta } else { score };
        if local.depth >= VERIFY_FROM && self.null_from == 0 {
            let plies = (local.depth - reduction).in_plies().max(0) as u16;
            self.null_from = ply.0 + plies * 3 / 4 + 1;
            let verified = self.search::<Scout>(pos, window, line.reduced(reduction), ply, false);
            self.null_from = 0;
            if verified? < beta {
                return Ok(None);
            }
        }
        self.observer.mark(Mark::NullMove);
        Ok(Some(score))
    }

    /// Step 11: a capture that holds well above beta in a shallower search will hold beta.
    fn probcut(
        &mut self,
        pos: &Position,
        window: Window,
        line: Line,
        ply: Ply,
        local: &Local,
    ) -> Flow<Option<Score>> {
        let p = &self.derived.pruning;
        let margin = p.probcut_margin;
        let beta = window.beta + margin;
        let refuted = local.entry.is_some_and(|entry| {
            entry.depth >= local.depth - Depth::plies(3) && entry.score.to_root(ply) < beta
        });
        if !p.probcut
            || local.depth < Depth::plies(p.probcut_depth)
            || window.beta.is_decisive()
            || refuted
        {
            return Ok(None);
        }
        let threshold = (beta - local.eval).max(1);
        let table_move = local.table_move.filter(|&mv| {
            (pos.is_capture(mv) || mv.promotion.is_some())
                && sextant_board::see_ge(pos, mv, threshold)
        });
        // Captures are ordered without regard to threats.
        let threats = Threats::default();
        let place = self.place(pos, ply, &threats);
        let mut picker = Picker::noisy(table_move, threshold);
        let scout = Window::scout(beta - 1);
        let reduced = line.reduced(PROBCUT_REDUCTION);
        while let Some(picked) = {
            let order = Ordering {
                pos,
                histories: &self.histories,
                config: &self.derived.history,
                place: &place,
                threats: &threats,
                checks: None,
                killers: [None; 2],
                counter_move: None,
            };
            picker.next(&order)
        } {
            if picked.kind == Kind::BadNoisy {
                break;
            }
            self.announce(pos, picked.mv);
            let mut child = pos.clone();
            self.make(&mut child, picked.mv, ply)?;
            let mut score = -self.quiesce::<Scout>(&child, -scout, ply.next(), 0)?;
            if score >= beta {
                let child_line = reduced.after(crate::budget::Price::NOMINAL, false);
                score = -self.search::<Scout>(
                    &child,
                    -scout,
                    child_line,
                    ply.next(),
                    !local.cut_node,
                )?;
            }
            self.unmake();
            if score >= beta {
                let depth = local.depth - PROBCUT_REDUCTION;
                let found = (score, Bound::Lower);
                let kept = (local.raw_eval, local.was_pv);
                self.remember(pos, ply, line.budgets, depth, found, Some(picked.mv), kept);
                self.observer.mark(Mark::ProbCut);
                return Ok(Some(if score.is_decisive() {
                    score
                } else {
                    score - margin
                }));
            }
        }
        Ok(None)
    }

    /// Step 12, internal reduction: without a table move the node is searched a ply shallower; the
    /// draft that is stored is the reduced one.
    pub(super) fn reduce_without_table_move<N: Node>(
        &mut self,
        line: &mut Line,
        local: &mut Local,
    ) {
        let s = &self.derived.search;
        if !s.iir
            || local.table_move.is_some()
            || local.excluded.is_some()
            || local.depth < Depth::plies(s.iir_depth)
            || !(N::PV || local.cut_node)
        {
            return;
        }
        self.observer.mark(Mark::InternalReduction);
        *line = line.reduced(Depth::PLY);
        local.depth = self.derived.coupling.depth(line.budgets);
    }

    /// Futility for one move: how far above the evaluation it may carry at `depth`.
    #[inline]
    pub(super) fn futility_margin(&self, depth: Depth) -> i32 {
        let p = &self.derived.pruning;
        p.futility_base + Derived::margin(p.futility_margin, depth) + self.derived.parity(depth)
    }
}
