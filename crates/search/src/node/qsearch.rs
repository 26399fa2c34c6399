//! Quiescence search: only moves that change the material or the king's safety, until the position
//! is quiet. It counts its own plies; no budget is looked at below zero.

use arrayvec::ArrayVec;
use sextant_board::{
    CheckSquares, MAX_MOVES, Move, Piece, Ply, Position, Score, Threats, generate_quiet_checks,
    see_ge,
};

use super::{Node, NodeType, Pv, TtProbe, static_eval::tighten_eval};
use crate::{
    budget::{Allowance, Depth},
    flow::Flow,
    history::HistoryContext,
    movepick::{MoveStage, Picker},
    observer::{Observer, SearchEvent},
    window::{Bound, Window},
    worker::Worker,
};

/// The draft of a quiescence node that tried quiet checks, and of one that did not.
const WITH_CHECKS: Depth = Depth::ZERO;
const WITHOUT_CHECKS: Depth = Depth::plies(-1);
/// From this ply of quiescence on the TT is neither probed nor stored to: there are so many of
/// these nodes, and they are so cheap, that waiting for memory costs more than they do.
const NO_TT_FROM: u16 = 2;

struct QsearchState {
    /// Plies since the horizon.
    qply: u16,
    in_check: bool,
    tt: TtProbe,
    raw_eval: Score,
    eval: Score,
    checks: bool,
    /// What a capture's gain is added to in delta pruning, if that is on; `None` in check.
    delta_base: Option<Score>,
    best: Score,
    best_move: Option<Move>,
}

impl<O: Observer> Worker<O> {
    /// The quiescence value of a position that is the root, and its line. Begins where the TT is no
    /// longer asked, so that no earlier search counts.
    pub(crate) fn quiescence_without_table(&mut self, pos: &Position) -> Flow {
        let node = Node::new(pos, Ply::ROOT, Window::FULL, Allowance::SPENT, false);
        self.qsearch::<Pv>(node, NO_TT_FROM)
    }

    /// The quiescence value of a node; `qply` counts plies since the horizon.
    pub(super) fn qsearch<NT: NodeType>(&mut self, mut node: Node<'_>, qply: u16) -> Flow {
        let (pos, ply) = (node.pos, node.ply);
        self.observer.event(SearchEvent::Quiescence);
        if NT::PV {
            self.pv.clear(ply);
        }
        self.update_seldepth(ply);
        if qply > 0
            && let Some(score) = self.draw(pos, ply)
        {
            return Ok(score);
        }
        if let Some(score) = self.score_at_max_ply(pos, ply) {
            return Ok(score);
        }
        let uses_tt = self.uses_tt(qply);
        let tt = if uses_tt {
            self.probe_tt(pos)
        } else {
            TtProbe::MISS
        };
        let checks = self.params.quiet_checks_at(qply);
        node.pv = NT::PV;
        node.allowance = Allowance::SPENT;
        node.depth = if checks || pos.in_check() {
            WITH_CHECKS
        } else {
            WITHOUT_CHECKS
        };
        if !NT::PV
            && let Some(score) = self.tt_cutoff(&node, &tt)
        {
            return Ok(score);
        }
        let mut state = self.init_qsearch(&node, tt, qply, checks);
        if !state.in_check {
            state.best = self.stand_pat(&node, &state)?;
            if state.best >= node.window.beta || !self.params.quiescence.enabled {
                self.observer.event(SearchEvent::StandPat);
                if uses_tt && tt.entry.is_none() {
                    node.depth = WITHOUT_CHECKS;
                    let found = (state.best, Bound::Lower);
                    self.store_tt(&node, found, None, (state.raw_eval, false));
                }
                return Ok(state.best);
            }
            state.delta_base = self.params.delta_margin().map(|margin| state.eval + margin);
            node.window.alpha = node.window.alpha.max(state.best);
        }
        self.qsearch_moves::<NT>(node, &mut state)?;
        if state.in_check && state.best == -Score::INFINITE {
            return Ok(Score::mated_at(ply));
        }
        if uses_tt {
            let bound = if state.best >= node.window.beta {
                Bound::Lower
            } else {
                Bound::Upper
            };
            let was_pv = tt.entry.is_some_and(|entry| entry.was_pv);
            let kept = (state.raw_eval, was_pv);
            self.store_tt(&node, (state.best, bound), state.best_move, kept);
        }
        Ok(state.best)
    }

    /// Is the TT probed and stored to at this ply of quiescence?
    #[inline]
    fn uses_tt(&self, qply: u16) -> bool {
        qply < NO_TT_FROM || self.params.exact
    }

    fn init_qsearch(
        &mut self,
        node: &Node<'_>,
        tt: TtProbe,
        qply: u16,
        checks: bool,
    ) -> QsearchState {
        let in_check = node.pos.in_check();
        let (mut raw_eval, mut eval) = (Score::NONE, Score::NONE);
        if !in_check {
            raw_eval = self.raw_eval(node.pos, &tt);
            eval = self.corrected(node.pos, node.ply, raw_eval);
        }
        self.stack.at_mut(node.ply).eval = eval;
        QsearchState {
            qply,
            in_check,
            tt,
            raw_eval,
            eval,
            checks,
            delta_base: None,
            best: -Score::INFINITE,
            best_move: None,
        }
    }

    /// The score of doing nothing; with `quiet_first = "leaf"` (Wheeler 2024), where that fails by
    /// little, of the best-ordered quiet move and doing nothing after it.
    fn stand_pat(&mut self, node: &Node<'_>, state: &QsearchState) -> Flow {
        let mut score = state.eval;
        if !self.params.exact {
            score = tighten_eval(score, &state.tt, node.ply);
        }
        let alpha = node.window.alpha;
        if let Some(margin) = self.params.leaf_margin()
            && score <= alpha
            && score + margin > alpha
            && let Some(mv) = self.best_quiet(node)
        {
            let mut child = node.pos.clone();
            self.make(&mut child, mv, node.ply)?;
            if let Some(after) = self.static_score_after(&child, node.ply) {
                score = score.max(after);
            }
            self.unmake();
        }
        let mate = if score < node.window.beta {
            self.mate_at_a_glance(node)
        } else {
            None
        };
        Ok(mate.unwrap_or(score))
    }

    fn best_quiet(&self, node: &Node<'_>) -> Option<Move> {
        let threats = Threats::against(node.pos);
        let history = HistoryContext::new(node.pos, &threats, self.stack.before(node.ply));
        let mut picker = Picker::all(None, true);
        picker
            .next(&self.plain_scorer(node.pos, &history, &threats))
            .filter(|picked| picked.stage == MoveStage::Quiet)
            .map(|picked| picked.mv)
    }

    /// The moves of a quiescence node: all in check, else captures and queen promotions, then (on
    /// the first plies) quiet checks.
    fn qsearch_moves<NT: NodeType>(
        &mut self,
        mut node: Node<'_>,
        state: &mut QsearchState,
    ) -> Flow<()> {
        let pos = node.pos;
        let threats = if state.in_check {
            Threats::against(pos)
        } else {
            Threats::default()
        };
        let history = HistoryContext::new(pos, &threats, self.stack.before(node.ply));
        let tt_move = state.tt.mv.filter(|&mv| {
            state.in_check || pos.is_capture(mv) || mv.promotion == Some(Piece::Queen)
        });
        let mut picker = if state.in_check {
            Picker::all(tt_move, false)
        } else {
            Picker::noisy(tt_move, 0)
        };
        let mut tried_evasion = false;
        let recapture_on = self.stack.back(node.ply, 1).captured_on;
        while let Some(picked) = picker.next(&self.plain_scorer(pos, &history, &threats)) {
            if self.uses_tt(state.qply + 1) {
                self.prefetch_tt(pos, picked.mv);
            }
            if !state.best.is_loss() {
                match picked.stage {
                    MoveStage::BadNoisy if self.params.quiescence.see_pruning => break,
                    // One quiet evasion that does not lose is enough to see.
                    MoveStage::Quiet if tried_evasion && !self.params.exact => break,
                    _ => {}
                }
                if Some(picked.mv.to) != recapture_on
                    && let Some(reach) = self.delta_prune(&node, state, picked.mv)
                {
                    state.best = state.best.max(reach);
                    continue;
                }
            }
            tried_evasion |= picked.stage == MoveStage::Quiet;
            if self.qsearch_move::<NT>(&mut node, state, picked.mv)? {
                return Ok(());
            }
        }
        if state.checks && !state.in_check {
            let mut checks: ArrayVec<Move, MAX_MOVES> = ArrayVec::new();
            let squares = CheckSquares::of(pos);
            generate_quiet_checks(pos, &squares, |mv| checks.push(mv));
            for &mv in checks.iter().filter(|&&mv| see_ge(pos, mv, 0)) {
                if self.qsearch_move::<NT>(&mut node, state, mv)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Searches a move and takes its score in; true if it cuts the node off.
    fn qsearch_move<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
        state: &mut QsearchState,
        mv: Move,
    ) -> Flow<bool> {
        let mut pos = node.pos.clone();
        self.make(&mut pos, mv, node.ply)?;
        let child = Node {
            pos: &pos,
            ply: node.ply.next(),
            window: -node.window,
            ..*node
        };
        let score = -self.qsearch::<NT>(child, state.qply + 1)?;
        self.unmake();
        if score > state.best {
            state.best = score;
            if score > node.window.alpha {
                state.best_move = Some(mv);
                node.window.alpha = score;
                if NT::PV {
                    self.pv.extend(node.ply, mv);
                }
            }
        }
        Ok(score >= node.window.beta)
    }

    /// Delta pruning: the most that a capture can bring, if that does not reach alpha.
    #[inline]
    fn delta_prune(&self, node: &Node<'_>, state: &QsearchState, mv: Move) -> Option<Score> {
        let base = state.delta_base?;
        if mv.promotion.is_some() {
            return None;
        }
        let victim = node.pos.victim(mv);
        let reach = base + victim.map_or(0, |victim| self.params.delta_gain(victim));
        (reach <= node.window.alpha).then_some(reach)
    }
}
