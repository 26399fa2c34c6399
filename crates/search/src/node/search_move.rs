//! Steps 17 to 19: a move is priced, made, bet against, and searched.

use sextant_board::{Ply, Position, Score};
use sextant_config::GapSource;

use super::{
    NodeState, NodeType, NonPv, Pv,
    move_loop::{Candidate, MoveContext, behind_best},
};
use crate::{
    budget::{AgainstWindow, Allowance, Category, Depth, Price},
    lmr::ReductionFacts,
    observer::{MoveSearched, Observer, SearchEvent},
    root_moves::with_bonus,
    window::Window,
    worker::{Flow, Worker},
};

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// What the bet against a move looks at.
    #[inline]
    pub(super) fn reduction_facts(
        &self,
        pv: bool,
        state: &NodeState,
        candidate: &Candidate,
    ) -> ReductionFacts {
        ReductionFacts {
            pv,
            cut_node: state.cut_node,
            improving: state.improving,
            tt_move: state.tt_move.is_some(),
            tt_capture: state.tt_capture,
            was_pv: state.was_pv,
            check: candidate.facts.gives_check,
            killer: candidate.order.killer || candidate.order.counter_move,
            backward: candidate.facts.backward,
            cut_often: candidate.cut_often,
            quiet: candidate.facts.is_quiet(),
            history: candidate.history / 4,
        }
    }

    /// Steps 17 to 19: price the move, make it, bet against it, search it.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn search_move<NT: NodeType>(
        &mut self,
        pos: &Position,
        window: Window,
        line: Allowance,
        ply: Ply,
        state: &NodeState,
        context: &mut MoveContext,
        mut candidate: Candidate,
    ) -> Flow {
        let bet = self.reduction(NT::PV, state, &candidate);
        let mut child = pos.clone();
        self.make(&mut child, candidate.mv, ply)?;
        let (price, category) = self.price(pos, &child, window, ply, context, &mut candidate);
        self.observer.move_searched(&MoveSearched {
            mv: candidate.mv,
            number: candidate.number,
            facts: &candidate.facts,
            category,
            price,
            reduction: bet,
            history: candidate.history,
            ply,
        });
        let beyond = ply.0 >= self.nominal_depth;
        let child_line = line.after(price, beyond).reduced(candidate.negative);
        let first = candidate.number == 1;
        let score = self.pvs::<NT>(
            &child,
            window,
            child_line,
            bet,
            first,
            state.cut_node,
            ply,
            0,
        )?;
        self.unmake();
        Ok(score)
    }

    /// Step 17: what the mover pays. The costs that look at the static score after the move are
    /// why the move is made before it is priced.
    #[inline]
    pub(crate) fn price(
        &mut self,
        pos: &Position,
        child: &Position,
        window: Window,
        ply: Ply,
        context: &mut MoveContext,
        candidate: &mut Candidate,
    ) -> (Price, Category) {
        let prices = &self.params.prices;
        let by_eval = prices.gap() == Some(GapSource::Eval) && candidate.facts.is_quiet();
        let mut place = None;
        if (by_eval || prices.uses_window()) && !EXACT && !child.in_check() {
            let raw = self.evaluate(child);
            let score = -self.corrected(child, ply.next(), raw);
            place = Some(AgainstWindow::of(score, window));
            if by_eval {
                candidate.order.gap = behind_best(&mut context.best_quiet, score.raw());
            }
        }
        let prices = &self.params.prices;
        let (price, category) = prices.price(
            pos,
            candidate.mv,
            &candidate.facts,
            candidate.order,
            &context.node,
        );
        let price = place.map_or(price, |place| prices.against_window(price, place));
        (Price::from_raw(price.raw() - candidate.discount), category)
    }

    /// Step 18: the bet against a late move.
    #[inline]
    pub(super) fn reduction(&self, pv: bool, state: &NodeState, candidate: &Candidate) -> Depth {
        let reductions = &self.params.reductions;
        if EXACT || !reductions.applies(state.depth, candidate.number, pv) {
            return Depth::ZERO;
        }
        let facts = self.reduction_facts(pv, state, candidate);
        reductions.late_move(state.depth, candidate.number, &facts)
    }

    /// Step 19: scout with the bet, scout at price alone, open the window - as far as needed.
    ///
    /// `window` and the result are the parent's; `bonus` is added to the child's value (root only).
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn pvs<NT: NodeType>(
        &mut self,
        child: &Position,
        window: Window,
        line: Allowance,
        bet: Depth,
        first: bool,
        cut_node: bool,
        ply: Ply,
        bonus: i32,
    ) -> Flow {
        let below = ply.next();
        let scout = -Window::zero(window.alpha).shifted_down(bonus);
        let mut score = -Score::INFINITE;
        if !(NT::PV && first) {
            // Never below one ply what had one ply.
            let depth = self.params.coupling.depth(line.budgets);
            let bet = bet.min((depth - Depth::PLY).max(Depth::ZERO));
            if bet == Depth::ZERO {
                score = -self.search::<NonPv>(child, scout, line, below, !cut_node || NT::PV)?;
            } else {
                self.stack.at_mut(ply).reduction = bet;
                score = -self.search::<NonPv>(child, scout, line.reduced(bet), below, true)?;
                self.stack.at_mut(ply).reduction = Depth::ZERO;
                if with_bonus(score, bonus) > window.alpha && bet > Depth::ZERO {
                    self.observer.event(SearchEvent::Research);
                    score = -self.search::<NonPv>(child, scout, line, below, !cut_node)?;
                }
            }
            score = with_bonus(score, bonus);
        }
        if NT::PV && (first || score > window.alpha) {
            if !first {
                self.observer.event(SearchEvent::OpenWindow);
            }
            score = -self.search::<Pv>(child, -window.shifted_down(bonus), line, below, false)?;
            score = with_bonus(score, bonus);
        }
        Ok(score)
    }
}
