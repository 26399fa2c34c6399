//! The spine: one node of the full-width search, step by step.

use sextant_board::{CheckSquares, Move, Ply, Position, Score, Threats};

use super::{NodeState, NodeType, move_loop::Best, probe::trusts_tt};
use crate::{
    budget::{Allowance, Depth},
    observer::{Node, Observer, SearchEvent},
    report::Bound,
    window::Window,
    worker::{Flow, Worker},
};

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// The value of `pos` for the side to move, fail-soft, with what `line` has left to spend.
    pub(crate) fn search<NT: NodeType>(
        &mut self,
        pos: &Position,
        mut window: Window,
        mut line: Allowance,
        ply: Ply,
        cut_node: bool,
    ) -> Flow {
        if NT::PV {
            self.pv.clear(ply);
        }
        // Steps 1 to 3: draws and mates, before any budget is looked at.
        if let Some(score) = self.draw(pos, ply) {
            return Ok(score);
        }
        if Self::is_too_deep(ply) {
            return Ok(if pos.in_check() {
                Score::DRAW
            } else {
                self.evaluate(pos)
            });
        }
        if window.alpha < Score::DRAW && self.can_repeat(pos, ply) {
            self.observer.event(SearchEvent::UpcomingRepetition);
            window.alpha = Score::DRAW;
            if window.alpha >= window.beta {
                return Ok(Score::DRAW);
            }
        }
        if let Some(score) = self.mate_distance(&mut window, ply) {
            return Ok(score);
        }
        // The horizon.
        let mut depth = self.params.coupling.depth(line.budgets);
        if depth <= Depth::ZERO {
            return self.quiesce::<NT>(pos, window, ply, 0);
        }
        self.update_seldepth(ply);
        self.observer.enter(&Node {
            pos,
            ply,
            window,
            allowance: line,
            depth,
            pv: NT::PV,
            cut_node,
        });

        // Step 4: the table.
        let excluded = self.stack.at(ply).excluded;
        let (entry, tt_move) = if excluded.is_none() {
            self.probe_tt(pos)
        } else {
            (None, None)
        };
        if let Some(entry) = entry.filter(|_| trusts_tt::<NT>())
            && let Some(score) = self.tt_cutoff(&entry, pos, window, depth, line.budgets, ply)
        {
            self.observer.event(SearchEvent::TtCutoff);
            if let Some(mv) = tt_move.filter(|_| score >= window.beta) {
                self.reward_tt_move(pos, mv, ply, depth);
            }
            return Ok(score);
        }

        // Step 5: the tablebases.
        let mut limits = (-Score::INFINITE, Score::INFINITE);
        if excluded.is_none()
            && let Some((score, bound)) = self.probe_tablebase(pos, depth, ply)
        {
            if bound.settles(score, window) {
                let draft = depth + Depth::plies(6);
                let none = (Score::NONE, NT::PV);
                self.store_tt(pos, ply, line.budgets, draft, (score, bound), None, none);
                return Ok(score);
            }
            match bound {
                Bound::Lower => {
                    limits.0 = score;
                    window.alpha = window.alpha.max(score);
                }
                Bound::Upper => limits.1 = score,
                Bound::Exact => {}
            }
        }

        // Steps 6 to 12: what can be said without trying every move.
        let mut state = self.init_state::<NT>(pos, ply, cut_node, excluded, (entry, tt_move));
        state.depth = depth;
        if !EXACT {
            if depth <= Depth::PLY
                && let Some(score) = self.mate_at_a_glance::<NT>(pos, ply)
            {
                return Ok(score);
            }
            self.hindsight(&mut line, &state, ply);
            depth = self.params.coupling.depth(line.budgets);
            state.depth = depth;
            if let Some(score) = self.prune_node::<NT>(pos, window, line, ply, &mut state)? {
                return Ok(score);
            }
            self.iir::<NT>(&mut line, &mut state);
        }

        // Steps 13 to 19: the moves.
        state.threats = Threats::against(pos);
        self.offer_snapshot::<NT>(pos, window, line, ply, &state);
        let mut best = Best::new();
        if let Some(score) = self.search_moves::<NT>(pos, window, line, ply, &state, &mut best)? {
            return Ok(score);
        }
        best.score = best.score.clamp(limits.0, limits.1);
        self.finish_node(pos, window, line, ply, &state, &best);
        Ok(best.score)
    }

    /// Has the side to move a mate in one that a static pattern sees? Asked near the horizon; such
    /// a probe is no node.
    #[inline]
    pub(super) fn mate_at_a_glance<NT: NodeType>(
        &mut self,
        pos: &Position,
        ply: Ply,
    ) -> Option<Score> {
        if EXACT || !self.params.search.mate_at_a_glance || pos.in_check() {
            return None;
        }
        let mv = sextant_board::mate_at_a_glance(pos, &CheckSquares::of(pos))?;
        self.observer.event(SearchEvent::MateAtAGlance);
        if NT::PV {
            self.pv.clear(ply.next());
            self.pv.extend(ply, mv);
        }
        Some(Score::mates_at(ply.next()))
    }

    /// Step 6: the static evaluation, where it is going, and what the opponent threatens.
    pub(super) fn init_state<NT: NodeType>(
        &mut self,
        pos: &Position,
        ply: Ply,
        cut_node: bool,
        excluded: Option<Move>,
        (entry, tt_move): (Option<crate::tt::Entry>, Option<Move>),
    ) -> NodeState {
        let in_check = pos.in_check();
        let mut state = NodeState {
            depth: Depth::ZERO,
            in_check,
            cut_node,
            raw_eval: Score::NONE,
            eval: Score::NONE,
            estimate: Score::NONE,
            improving: false,
            opponent_worsening: false,
            entry,
            tt_move,
            tt_capture: tt_move.is_some_and(|mv| pos.is_capture(mv)),
            was_pv: NT::PV || entry.is_some_and(|entry| entry.was_pv),
            threats: Threats::default(),
            excluded,
            mate_threat: false,
        };
        if EXACT {
            return state;
        }
        if excluded.is_some() {
            // The singular test looks at the same position again.
            state.eval = self.stack.at(ply).eval;
            state.estimate = state.eval;
        } else if !in_check {
            let known = entry
                .map(|entry| entry.eval)
                .filter(|&eval| eval != Score::NONE);
            state.raw_eval = match known {
                Some(eval) => eval,
                None => self.evaluate(pos),
            };
            state.eval = self.corrected(pos, ply, state.raw_eval);
            state.estimate = match entry {
                Some(entry) => tighten_eval(state.eval, entry.score.to_root(ply), entry.bound),
                None => state.eval,
            };
        }
        self.stack.at_mut(ply).eval = state.eval;
        if !in_check {
            let before = [2, 4].map(|back| self.stack.back(ply, back).eval);
            state.improving = before
                .into_iter()
                .find(|&eval| eval != Score::NONE)
                .is_some_and(|eval| state.eval > eval);
            let theirs = self.stack.back(ply, 1).eval;
            state.opponent_worsening = theirs != Score::NONE && state.eval > -theirs;
        }
        state
    }

    /// The static evaluation moved by the correction history.
    #[inline]
    pub(super) fn corrected(&self, pos: &Position, ply: Ply, raw: Score) -> Score {
        if EXACT || !self.params.history.correction {
            return raw;
        }
        Score::eval(raw.raw() + self.correction_history.get(pos, self.last_moves(ply)))
    }
}

/// The table's score where it says more than the evaluation.
#[inline]
pub(super) fn tighten_eval(eval: Score, score: Score, bound: Bound) -> Score {
    let says_more = match bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    };
    if says_more && !score.is_decisive() {
        score
    } else {
        eval
    }
}
