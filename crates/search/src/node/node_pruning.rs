//! Steps 8 to 11: what ends a node before its moves are tried.

use sextant_board::{MAX_PLY, Ply, Position, Score, Threats, see_ge};

use super::{Node, NodeState, NodeType, NonPv, has_pieces};
use crate::{
    budget::{Charge, Depth, Price},
    flow::Flow,
    history::HistoryContext,
    movepick::{MoveStage, Picker},
    observer::{Observer, SearchEvent},
    params::{NULL_MOVE_VERIFIED_FROM, PROBCUT_REDUCTION, PROBCUT_TT_SLACK},
    window::{Bound, Window},
    worker::Worker,
};

impl<O: Observer> Worker<O> {
    /// Steps 8 to 11: razoring, reverse futility, null move, ProbCut.
    pub(super) fn prune_node<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        state: &mut NodeState,
    ) -> Flow<Option<Score>> {
        if NT::PV || state.in_check || state.excluded.is_some() {
            return Ok(None);
        }
        if let Some(score) = self.razor(node, state)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.reverse_futility(node, state) {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(node, state)? {
            return Ok(Some(score));
        }
        self.probcut(node, state)
    }

    /// Step 8, razoring: so far below alpha that only captures can help.
    fn razor(&mut self, node: &Node<'_>, state: &NodeState) -> Flow<Option<Score>> {
        let alpha = node.window.alpha;
        let Some(margin) = self.params.razoring_margin(node.depth) else {
            return Ok(None);
        };
        if alpha.is_decisive() || state.estimate + margin >= alpha {
            return Ok(None);
        }
        let zero = Window::zero(alpha);
        let score = self.qsearch::<NonPv>(
            Node {
                window: zero,
                ..*node
            },
            0,
        )?;
        if score > alpha {
            return Ok(None);
        }
        self.observer.event(SearchEvent::Razoring);
        Ok(Some(score))
    }

    /// Step 9, reverse futility pruning (RFP): so far above beta that no quiet move of the opponent
    /// is expected to matter.
    fn reverse_futility(&mut self, node: &Node<'_>, state: &NodeState) -> Option<Score> {
        let beta = node.window.beta;
        let margin = self.params.reverse_futility_margin(
            node.depth,
            state.improving,
            state.opponent_worsening,
        )?;
        if state.was_pv
            || state.tt.mv.is_some() && !state.tt_capture
            || beta.is_loss()
            || state.estimate.is_win()
            || state.estimate < beta + margin
        {
            return None;
        }
        self.observer.event(SearchEvent::ReverseFutility);
        Some(self.params.reverse_futility_score(beta, state.estimate))
    }

    /// Step 10, null move: even passing would beat beta.
    fn null_move(&mut self, node: &Node<'_>, state: &mut NodeState) -> Flow<Option<Score>> {
        let (pos, ply, beta) = (node.pos, node.ply, node.window.beta);
        if !self.params.null_move(node.depth)
            || state.estimate < beta
            || state.eval - self.params.pruning.null_lead < beta
            || beta.is_loss()
            || self.stack.back(ply, 1).mv.is_none()
            || ply.0 < self.null_from
            || !has_pieces(pos)
        {
            return Ok(None);
        }
        let above_beta = state.estimate - beta;
        let reduction = self.params.null_move_reduction(node.depth, above_beta);
        let Some(child) = self.make_null(pos, ply)? else {
            return Ok(None);
        };
        self.observer.event(SearchEvent::NullMoveTried);
        let allowance = node.allowance.after_null().reduced(reduction);
        let zero = -Window::zero(beta - 1);
        let score = -self.search::<NonPv>(Node::new(
            &child,
            ply.next(),
            zero,
            allowance,
            !node.cut_node,
        ))?;
        self.unmake();
        state.mate_threat = Some(score.is_loss() && score.is_mate());
        if score < beta || !self.is_null_move_verified(node, reduction)? {
            return Ok(None);
        }
        self.observer.event(SearchEvent::NullMoveCutoff);
        // A mate found behind a pass is no proof.
        Ok(Some(if score.is_decisive() { beta } else { score }))
    }

    /// Does mate threaten? Where the prices want to know and step 10 has not asked, a search of a
    /// null move does, reduced as there, that looks for nothing but a mate.
    pub(super) fn look_for_mate_threat(
        &mut self,
        node: &Node<'_>,
        state: &mut NodeState,
    ) -> Flow<()> {
        let (params, lost) = (&self.params, Score::mated_at(Ply(MAX_PLY as u16)));
        if !params.prices.asks_mate_threat()
            || state.mate_threat.is_some()
            || state.excluded.is_some()
            || node.depth < Depth::plies(params.pruning.null_min_depth)
            || self.stack.back(node.ply, 1).mv.is_none()
        {
            return Ok(());
        }
        let reduction = params.null_move_reduction(node.depth, 0);
        let Some(child) = self.make_null(node.pos, node.ply)? else {
            return Ok(());
        };
        let score = -self.search::<NonPv>(Node::new(
            &child,
            node.ply.next(),
            -Window::zero(lost),
            node.allowance.after_null().reduced(reduction),
            !node.cut_node,
        ))?;
        self.unmake();
        state.mate_threat = Some(score <= lost);
        Ok(())
    }

    /// At a great depth a null-move cutoff must hold in a search without null moves.
    fn is_null_move_verified(&mut self, node: &Node<'_>, reduction: Depth) -> Flow<bool> {
        if node.depth < NULL_MOVE_VERIFIED_FROM || self.null_from != 0 {
            return Ok(true);
        }
        let plies = (node.depth - reduction).in_plies().max(0) as u16;
        self.null_from = node.ply.0 + plies * 3 / 4 + 1;
        let verified = self.search::<NonPv>(Node {
            window: Window::zero(node.window.beta - 1),
            allowance: node.allowance.reduced(reduction),
            cut_node: false,
            ..*node
        });
        self.null_from = 0;
        Ok(verified? >= node.window.beta)
    }

    /// Step 11, ProbCut: a capture that holds well above beta in a shallower search will hold beta.
    /// Only a node that is expected to be cut off is worth that search.
    fn probcut(&mut self, node: &Node<'_>, state: &NodeState) -> Flow<Option<Score>> {
        let pos = node.pos;
        let margin = self.params.probcut_margin(node.depth, state.improving);
        let Some(margin) = margin.filter(|_| node.cut_node) else {
            return Ok(None);
        };
        let beta = node.window.beta + margin;
        let refuted = state.tt.entry.is_some_and(|entry| {
            entry.depth >= node.depth - PROBCUT_TT_SLACK && entry.score.to_root(node.ply) < beta
        });
        if node.window.beta.is_decisive() || refuted {
            return Ok(None);
        }
        let threshold = (beta - state.eval).max(1);
        let tt_move = state.tt.mv.filter(|&mv| {
            (pos.is_capture(mv) || mv.promotion.is_some()) && see_ge(pos, mv, threshold)
        });
        // Captures are ordered without regard to threats.
        let threats = Threats::default();
        let history = HistoryContext::new(pos, &threats, self.stack.before(node.ply));
        let mut picker = Picker::noisy(tt_move, threshold);
        while let Some(picked) = picker.next(&self.plain_scorer(pos, &history, &threats)) {
            if picked.stage == MoveStage::BadNoisy {
                break;
            }
            self.prefetch_tt(pos, picked.mv);
            let mut child = pos.clone();
            self.make(&mut child, picked.mv, node.ply)?;
            let score = self.probcut_child(node, &child, beta)?;
            self.unmake();
            if score >= beta {
                let found = Node {
                    depth: node.depth - PROBCUT_REDUCTION,
                    ..*node
                };
                let kept = (state.raw_eval, state.was_pv);
                self.store_tt(&found, (score, Bound::Lower), Some(picked.mv), kept);
                self.observer.event(SearchEvent::ProbCut);
                return Ok(Some(if score.is_decisive() {
                    score
                } else {
                    score - margin
                }));
            }
        }
        Ok(None)
    }

    /// The score of a capture against `beta`: first by quiescence, then in the shallower search.
    fn probcut_child(&mut self, node: &Node<'_>, child: &Position, beta: Score) -> Flow {
        let reduced = node.allowance.reduced(PROBCUT_REDUCTION);
        let child = Node::new(
            child,
            node.ply.next(),
            -Window::zero(beta - 1),
            reduced.after(Charge::whole(Price::NOMINAL)),
            !node.cut_node,
        );
        let score = -self.qsearch::<NonPv>(child, 0)?;
        if score < beta {
            return Ok(score);
        }
        Ok(-self.search::<NonPv>(child)?)
    }
}
