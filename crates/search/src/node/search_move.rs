//! Steps 17 to 19: reduce, make, price and search a move.

use sextant_board::{Position, Score};
use sextant_config::Lead;

use super::{
    Node, NodeState, NodeType, NonPv, Pv,
    move_loop::{Candidate, MoveContext},
};
use crate::{
    budget::{AgainstWindow, Allowance, Category, Charge, Depth, Exchange, MoveToPrice, Price},
    flow::Flow,
    lmr::ReductionFacts,
    observer::{MoveSearched, Observer, SearchEvent},
    root_moves::with_bonus,
    window::Window,
    worker::Worker,
};

/// A move that was made, and how it is searched.
struct Child<'a> {
    pos: &'a Position,
    /// What it has left at its price alone.
    allowance: Allowance,
    reduction: Depth,
    /// It is the first move of the node.
    first: bool,
    /// The best score of the moves before it.
    best_so_far: Score,
    /// What the root adds to its value.
    bonus: i32,
}

impl<O: Observer> Worker<O> {
    /// What is charged and what is reduced. Where prices are verified, what one has above nominal is
    /// reduced: taken back if the move is better, and the move searched again.
    fn verified(&self, price: Price, reduction: Depth) -> (Price, Depth) {
        if !self.params.extensions.verified || price <= Price::NOMINAL {
            return (price, reduction);
        }
        let above = Depth::from_raw(price.raw() - Price::NOMINAL.raw());
        (Price::NOMINAL, reduction + above)
    }

    /// Steps 17 to 19: reduce the move, make it, price it, search it.
    pub(super) fn search_move<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        state: &NodeState,
        context: &MoveContext,
        candidate: Candidate,
    ) -> Flow {
        let reduction = self.reduction(node, state, &candidate);
        let mut pos = node.pos.clone();
        self.make(&mut pos, candidate.mv, node.ply)?;
        let (price, category) = self.price(node, &pos, context, &candidate);
        let (charged, reduction) = self.verified(price, reduction);
        self.observer.move_searched(&MoveSearched {
            mv: candidate.mv,
            number: candidate.number,
            facts: &candidate.facts,
            category,
            price,
            reduction,
            history: candidate.history,
            ply: node.ply,
        });
        let is_forcing = candidate.facts.is_forcing() || context.facts.only_reply;
        let allowance = node.allowance.after(Charge {
            price: charged,
            share: self.params.discount_share(node.ply.0 >= self.nominal_depth),
            even: self.params.extensions.lead == Lead::Initiative && !is_forcing,
        });
        let score = self.pvs::<NT>(
            node,
            &Child {
                pos: &pos,
                allowance: allowance.reduced(candidate.negative_extension),
                reduction,
                first: candidate.number == 1,
                best_so_far: candidate.best_so_far,
                bonus: candidate.bonus,
            },
        )?;
        self.unmake();
        Ok(score)
    }

    #[inline]
    pub(super) fn reduction_facts(
        &self,
        node: &Node<'_>,
        state: &NodeState,
        candidate: &Candidate,
    ) -> ReductionFacts {
        ReductionFacts {
            pv: node.pv,
            cut_node: node.cut_node,
            improving: state.improving,
            tt_move: state.tt.mv.is_some(),
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

    /// Step 17, late-move reduction (LMR).
    #[inline]
    fn reduction(&self, node: &Node<'_>, state: &NodeState, candidate: &Candidate) -> Depth {
        let reductions = &self.params.reductions;
        if !reductions.applies(node.depth, candidate.number, node.pv) {
            return Depth::ZERO;
        }
        if let Some(known) = candidate.reduction {
            return known;
        }
        let facts = self.reduction_facts(node, state, candidate);
        reductions.late_move_reduction(node.depth, candidate.number, &facts)
    }

    /// Step 18: what the mover pays. The costs that look at the static score after the move are why
    /// the move is made before it is priced.
    #[inline]
    fn price(
        &mut self,
        node: &Node<'_>,
        child: &Position,
        context: &MoveContext,
        candidate: &Candidate,
    ) -> (Price, Category) {
        let prices = &self.params.prices;
        let against = if prices.uses_window() {
            let score = self.static_score_after(child, node.ply);
            score.map(|score| AgainstWindow::of(score, node.window))
        } else {
            None
        };
        let prices = &self.params.prices;
        let (price, category) = prices.price_in(
            node.pos,
            candidate.mv,
            &MoveToPrice {
                facts: &candidate.facts,
                exchange: Exchange::Wins,
                order: candidate.order,
                node: &context.facts,
            },
            || context.is_mate_threatened(node.pos),
        );
        let price = against.map_or(price, |against| prices.against_window(price, against));
        (Price::from_raw(price.raw() - candidate.discount), category)
    }

    /// How much the second search of a move differs from its full depth, if the first one, reduced,
    /// had `score`.
    fn research_correction(&self, score: Score, child: &Child<'_>) -> Depth {
        let (deeper, shallower) = self.params.reductions.research_margins();
        if deeper > 0 && score > child.best_so_far + deeper {
            -Depth::PLY
        } else if score < child.best_so_far + shallower {
            Depth::PLY
        } else {
            Depth::ZERO
        }
    }

    /// Step 19, principal variation search (PVS): a zero window with the reduction, a zero window
    /// at price alone, the open window - as far as needed. The result is the node's own value.
    fn pvs<NT: NodeType>(&mut self, node: &Node<'_>, child: &Child<'_>) -> Flow {
        let (alpha, bonus, ply) = (node.window.alpha, child.bonus, node.ply.next());
        let mut score = -Score::INFINITE;
        if !(NT::PV && child.first) {
            let zero = -Window::zero(alpha).shifted_down(bonus);
            let full = Node::new(child.pos, ply, zero, child.allowance, !node.cut_node);
            // Never below one ply what had one ply.
            let depth = self.params.coupling.depth(child.allowance.budgets);
            let reduction = child.reduction.min((depth - Depth::PLY).max(Depth::ZERO));
            if reduction == Depth::ZERO {
                score = -self.search::<NonPv>(Node {
                    cut_node: !node.cut_node || NT::PV,
                    ..full
                })?;
            } else {
                self.stack.at_mut(node.ply).reduction = reduction;
                score = -self.search::<NonPv>(Node {
                    allowance: child.allowance.reduced(reduction),
                    cut_node: true,
                    ..full
                })?;
                self.stack.at_mut(node.ply).reduction = Depth::ZERO;
                if with_bonus(score, bonus) > alpha && reduction > Depth::ZERO {
                    let correction = self.research_correction(with_bonus(score, bonus), child);
                    if correction < reduction {
                        self.observer.event(SearchEvent::Research);
                        score = -self.search::<NonPv>(Node {
                            allowance: child.allowance.reduced(correction),
                            ..full
                        })?;
                    }
                }
            }
            score = with_bonus(score, bonus);
        }
        if NT::PV && (child.first || score > alpha) {
            if !child.first {
                self.observer.event(SearchEvent::OpenWindow);
            }
            let open = -node.window.shifted_down(bonus);
            let open = Node::new(child.pos, ply, open, child.allowance, false);
            score = with_bonus(-self.search::<Pv>(open)?, bonus);
        }
        Ok(score)
    }
}
