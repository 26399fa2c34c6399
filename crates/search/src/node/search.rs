//! The spine: one node of the full-width search, step by step.

use sextant_board::{CheckSquares, Move, Ply, Position, Score, Threats};

use super::{Flow, Local, Node, moves::Best, probe::trusts_table};
use crate::{
    budget::{Depth, Line},
    observer::{Enter, Mark, Observer},
    report::Bound,
    window::Window,
    worker::Worker,
};

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// The value of `pos` for the side to move, fail-soft, with what `line` has left to spend.
    pub(crate) fn search<N: Node>(
        &mut self,
        pos: &Position,
        mut window: Window,
        mut line: Line,
        ply: Ply,
        cut_node: bool,
    ) -> Flow {
        if N::PV {
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
            self.observer.mark(Mark::UpcomingRepetition);
            window.alpha = Score::DRAW;
            if window.alpha >= window.beta {
                return Ok(Score::DRAW);
            }
        }
        if let Some(score) = self.mate_distance(&mut window, ply) {
            return Ok(score);
        }
        // The horizon.
        let mut depth = self.derived.coupling.depth(line.budgets);
        if depth <= Depth::ZERO {
            return self.quiesce::<N>(pos, window, ply, 0);
        }
        self.reach(ply);
        self.observer.enter(&Enter {
            pos,
            ply,
            window,
            line,
            depth,
            pv: N::PV,
            cut_node,
        });

        // Step 4: the table.
        let excluded = self.stack.at(ply).excluded;
        let (entry, table_move) = if excluded.is_none() {
            self.probe_table(pos)
        } else {
            (None, None)
        };
        if let Some(entry) = entry.filter(|_| trusts_table::<N>())
            && let Some(score) = self.settles(&entry, pos, window, depth, line.budgets, ply)
        {
            self.observer.mark(Mark::TableCutoff);
            if let Some(mv) = table_move.filter(|_| score >= window.beta) {
                self.praise_table_move(pos, mv, ply, depth);
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
                let none = (Score::NONE, N::PV);
                self.remember(pos, ply, line.budgets, draft, (score, bound), None, none);
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
        let mut local = self.look_around::<N>(pos, ply, cut_node, excluded, (entry, table_move));
        local.depth = depth;
        if !EXACT {
            if depth <= Depth::PLY
                && let Some(score) = self.mate_at_a_glance::<N>(pos, ply)
            {
                return Ok(score);
            }
            self.hindsight(&mut line, &local, ply);
            depth = self.derived.coupling.depth(line.budgets);
            local.depth = depth;
            if let Some(score) = self.prune_node::<N>(pos, window, line, ply, &mut local)? {
                return Ok(score);
            }
            self.reduce_without_table_move::<N>(&mut line, &mut local);
        }

        // Steps 13 to 19: the moves.
        local.threats = Threats::against(pos);
        self.offer::<N>(pos, window, line, ply, &local);
        let mut best = Best::new();
        if let Some(score) = self.search_moves::<N>(pos, window, line, ply, &local, &mut best)? {
            return Ok(score);
        }
        best.score = best.score.clamp(limits.0, limits.1);
        self.conclude(pos, window, line, ply, &local, &best);
        Ok(best.score)
    }

    /// Has the side to move a mate in one that a static pattern sees? Asked near the horizon; such
    /// a probe is no node.
    #[inline]
    pub(super) fn mate_at_a_glance<N: Node>(&mut self, pos: &Position, ply: Ply) -> Option<Score> {
        if EXACT || !self.derived.search.mate_at_a_glance || pos.in_check() {
            return None;
        }
        let mv = sextant_board::mate_at_a_glance(pos, &CheckSquares::of(pos))?;
        self.observer.mark(Mark::MateAtAGlance);
        if N::PV {
            self.pv.clear(ply.next());
            self.pv.extend(ply, mv);
        }
        Some(Score::mates_at(ply.next()))
    }

    /// Step 6: the static evaluation, where it is going, and what the opponent threatens.
    pub(super) fn look_around<N: Node>(
        &mut self,
        pos: &Position,
        ply: Ply,
        cut_node: bool,
        excluded: Option<Move>,
        (entry, table_move): (Option<crate::tt::Entry>, Option<Move>),
    ) -> Local {
        let in_check = pos.in_check();
        let mut local = Local {
            depth: Depth::ZERO,
            in_check,
            cut_node,
            raw_eval: Score::NONE,
            eval: Score::NONE,
            estimate: Score::NONE,
            improving: false,
            worsening: false,
            entry,
            table_move,
            table_capture: table_move.is_some_and(|mv| pos.is_capture(mv)),
            was_pv: N::PV || entry.is_some_and(|entry| entry.was_pv),
            threats: Threats::default(),
            excluded,
            mate_threat: false,
        };
        if EXACT {
            return local;
        }
        if excluded.is_some() {
            // The singular test looks at the same position again.
            local.eval = self.stack.at(ply).eval;
            local.estimate = local.eval;
        } else if !in_check {
            let known = entry
                .map(|entry| entry.eval)
                .filter(|&eval| eval != Score::NONE);
            local.raw_eval = match known {
                Some(eval) => eval,
                None => self.evaluate(pos),
            };
            local.eval = self.corrected(pos, ply, local.raw_eval);
            local.estimate = match entry {
                Some(entry) => better_guess(local.eval, entry.score.to_root(ply), entry.bound),
                None => local.eval,
            };
        }
        self.stack.at_mut(ply).eval = local.eval;
        if !in_check {
            let before = [2, 4].map(|back| self.stack.back(ply, back).eval);
            local.improving = before
                .into_iter()
                .find(|&eval| eval != Score::NONE)
                .is_some_and(|eval| local.eval > eval);
            let theirs = self.stack.back(ply, 1).eval;
            local.worsening = theirs != Score::NONE && local.eval > -theirs;
        }
        local
    }

    /// The static evaluation moved by the correction history.
    #[inline]
    pub(super) fn corrected(&self, pos: &Position, ply: Ply, raw: Score) -> Score {
        if EXACT || !self.derived.history.correction {
            return raw;
        }
        Score::eval(raw.raw() + self.corrections.get(pos, self.last_moves(ply)))
    }
}

/// The table's score where it says more than the evaluation.
#[inline]
pub(super) fn better_guess(eval: Score, score: Score, bound: Bound) -> Score {
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
