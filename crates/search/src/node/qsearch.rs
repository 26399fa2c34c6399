//! Quiescence: only moves that change the material or the king's safety, until the position is
//! quiet. It counts its own plies; no budget is looked at below zero.

use arrayvec::ArrayVec;
use sextant_board::{
    CheckSquares, MAX_MOVES, Move, Piece, Ply, Position, SEE_VALUES, Score, Threats,
    generate_quiet_checks, see_ge,
};
use sextant_config::QuietFirst;

use super::{NodeType, alpha_beta::tighten_eval, probe::trusts_tt};
use crate::{
    budget::{Budgets, Depth},
    movepick::{MoveScorer, MoveStage, Picker},
    observer::{Observer, SearchEvent},
    report::Bound,
    tt::Entry,
    window::Window,
    worker::{Flow, Worker},
};

/// The draft of a quiescence node that tried quiet checks, and of one that did not.
const WITH_CHECKS: Depth = Depth::ZERO;
const WITHOUT_CHECKS: Depth = Depth::plies(-1);
/// From this ply of quiescence on the table is neither asked nor told: these nodes are so many and
/// so cheap that waiting for memory costs more than they do.
const UNTABLED_FROM: u16 = 2;

/// Is a node of quiescence looked up and kept in the table?
const fn is_tabled<const EXACT: bool>(quiet_ply: u16) -> bool {
    EXACT || quiet_ply < UNTABLED_FROM
}

/// The quiescence node's own state.
struct Quiet {
    in_check: bool,
    entry: Option<Entry>,
    tt_move: Option<Move>,
    raw_eval: Score,
    /// Corrected static evaluation.
    eval: Score,
    /// Quiet checks are tried here.
    checks: bool,
    /// Capture gains below which a move cannot reach alpha; `None` in check.
    futility: Option<Score>,
}

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// The quiescence value of `pos`; `quiet_ply` counts plies since the horizon.
    pub(super) fn quiesce<NT: NodeType>(
        &mut self,
        pos: &Position,
        window: Window,
        ply: Ply,
        quiet_ply: u16,
    ) -> Flow {
        self.observer.event(SearchEvent::Quiescence);
        if NT::PV {
            self.pv.clear(ply);
        }
        self.update_seldepth(ply);
        if quiet_ply > 0
            && let Some(score) = self.draw(pos, ply)
        {
            return Ok(score);
        }
        if Self::is_too_deep(ply) {
            return Ok(if pos.in_check() {
                Score::DRAW
            } else {
                self.evaluate(pos)
            });
        }
        let tabled = is_tabled::<EXACT>(quiet_ply);
        let (entry, tt_move) = if tabled {
            self.probe_tt(pos)
        } else {
            (None, None)
        };
        let checks = i32::from(quiet_ply) < self.params.quiescence.checks_plies;
        let draft = if checks || pos.in_check() {
            WITH_CHECKS
        } else {
            WITHOUT_CHECKS
        };
        if let Some(entry) = entry.filter(|_| trusts_tt::<NT>()) {
            let budgets = Budgets::level();
            if let Some(score) = self.tt_cutoff(&entry, pos, window, draft, budgets, ply) {
                self.observer.event(SearchEvent::TtCutoff);
                return Ok(score);
            }
        }
        let mut node = self.init_qsearch(pos, ply, entry, tt_move, checks);
        let mut best = -Score::INFINITE;
        let mut alpha = window.alpha;
        if !node.in_check {
            best = self.stand_pat::<NT>(pos, window, ply, &node)?;
            if best >= window.beta || !self.params.quiescence.enabled {
                self.observer.event(SearchEvent::StandPat);
                if tabled && node.entry.is_none() {
                    let kept = (node.raw_eval, false);
                    self.store_tt(
                        pos,
                        ply,
                        Budgets::level(),
                        WITHOUT_CHECKS,
                        (best, Bound::Lower),
                        None,
                        kept,
                    );
                }
                return Ok(best);
            }
            alpha = alpha.max(best);
            node.futility = (self.params.quiescence.delta && !EXACT)
                .then(|| node.eval + self.params.quiescence.delta_margin);
        }
        let window = Window::new(alpha, window.beta);
        let (best, best_move) = self.quiet_moves::<NT>(pos, window, ply, quiet_ply, &node, best)?;
        if node.in_check && best == -Score::INFINITE {
            return Ok(Score::mated_at(ply));
        }
        let bound = if best >= window.beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        if tabled {
            let kept = (node.raw_eval, entry.is_some_and(|entry| entry.was_pv));
            self.store_tt(
                pos,
                ply,
                Budgets::level(),
                draft,
                (best, bound),
                best_move,
                kept,
            );
        }
        Ok(best)
    }

    /// The static view of a quiescence node.
    fn init_qsearch(
        &mut self,
        pos: &Position,
        ply: Ply,
        entry: Option<Entry>,
        tt_move: Option<Move>,
        checks: bool,
    ) -> Quiet {
        let in_check = pos.in_check();
        let known = entry
            .map(|entry| entry.eval)
            .filter(|&eval| eval != Score::NONE && !EXACT);
        let raw_eval = match known {
            _ if in_check => Score::NONE,
            Some(eval) => eval,
            None => self.evaluate(pos),
        };
        let eval = if in_check {
            Score::NONE
        } else {
            self.corrected(pos, ply, raw_eval)
        };
        self.stack.at_mut(ply).eval = eval;
        Quiet {
            in_check,
            entry,
            tt_move,
            raw_eval,
            eval,
            checks,
            futility: None,
        }
    }

    /// The score of doing nothing; with `quiet_first = "leaf"` (Wheeler 2024), where that fails by
    /// little, of the best-ordered quiet move and doing nothing after it.
    fn stand_pat<NT: NodeType>(
        &mut self,
        pos: &Position,
        window: Window,
        ply: Ply,
        node: &Quiet,
    ) -> Flow {
        let mut score = node.eval;
        if !EXACT && let Some(entry) = node.entry {
            score = tighten_eval(score, entry.score.to_root(ply), entry.bound);
        }
        let q = &self.params.quiescence;
        let near = score <= window.alpha && score + q.leaf_margin > window.alpha;
        if !EXACT
            && q.quiet_first == QuietFirst::Leaf
            && near
            && let Some(mv) = self.best_quiet(pos, ply)
        {
            let mut child = pos.clone();
            self.make(&mut child, mv, ply)?;
            if !child.in_check() {
                let raw = self.evaluate(&child);
                score = score.max(-self.corrected(&child, ply.next(), raw));
            }
            self.unmake();
        }
        let mate = if score < window.beta {
            self.mate_at_a_glance::<NT>(pos, ply)
        } else {
            None
        };
        Ok(mate.unwrap_or(score))
    }

    fn best_quiet(&self, pos: &Position, ply: Ply) -> Option<Move> {
        let threats = Threats::against(pos);
        let place = self.history_context(pos, ply, &threats);
        let order = self.plain_order(pos, &place, &threats);
        let mut picker = Picker::all(None, true);
        picker
            .next(&order)
            .filter(|picked| picked.stage == MoveStage::Quiet)
            .map(|picked| picked.mv)
    }

    fn plain_order<'a>(
        &'a self,
        pos: &'a Position,
        place: &'a crate::history::HistoryContext,
        threats: &'a Threats,
    ) -> MoveScorer<'a> {
        MoveScorer {
            pos,
            histories: &self.histories,
            config: &self.params.history,
            context: place,
            threats,
            checks: None,
            killers: [None; 2],
            counter_move: None,
        }
    }

    /// The moves of a quiescence node: all in check, else captures and queen promotions, then (on
    /// the first plies) quiet checks.
    fn quiet_moves<NT: NodeType>(
        &mut self,
        pos: &Position,
        mut window: Window,
        ply: Ply,
        quiet_ply: u16,
        node: &Quiet,
        mut best: Score,
    ) -> Flow<(Score, Option<Move>)> {
        let threats = if node.in_check {
            Threats::against(pos)
        } else {
            Threats::default()
        };
        let place = self.history_context(pos, ply, &threats);
        let tt_move = node.tt_move.filter(|&mv| {
            node.in_check || pos.is_capture(mv) || mv.promotion == Some(Piece::Queen)
        });
        let mut picker = if node.in_check {
            Picker::all(tt_move, false)
        } else {
            Picker::noisy(tt_move, 0)
        };
        let mut best_move = None;
        let mut tried_evasion = false;
        while let Some(picked) = picker.next(&self.plain_order(pos, &place, &threats)) {
            if is_tabled::<EXACT>(quiet_ply + 1) {
                self.prefetch_tt(pos, picked.mv);
            }
            if !EXACT && !best.is_loss() {
                match picked.stage {
                    MoveStage::BadNoisy if self.params.quiescence.see_pruning => break,
                    // One quiet evasion that does not lose is enough to see.
                    MoveStage::Quiet if tried_evasion => break,
                    _ => {}
                }
                if let Some(reach) = self.delta_prune(pos, picked.mv, window.alpha, node) {
                    best = best.max(reach);
                    continue;
                }
            }
            tried_evasion |= picked.stage == MoveStage::Quiet;
            let score = self.quiesce_child::<NT>(pos, picked.mv, window, ply, quiet_ply)?;
            if self.raise_best::<NT>(
                score,
                picked.mv,
                &mut best,
                &mut best_move,
                &mut window,
                ply,
            ) {
                return Ok((best, best_move));
            }
        }
        if node.checks && !node.in_check {
            let mut checks: ArrayVec<Move, MAX_MOVES> = ArrayVec::new();
            let squares = CheckSquares::of(pos);
            generate_quiet_checks(pos, &squares, |mv| checks.push(mv));
            for &mv in &checks {
                if !see_ge(pos, mv, 0) {
                    continue;
                }
                let score = self.quiesce_child::<NT>(pos, mv, window, ply, quiet_ply)?;
                if self.raise_best::<NT>(score, mv, &mut best, &mut best_move, &mut window, ply) {
                    break;
                }
            }
        }
        Ok((best, best_move))
    }

    /// Delta pruning: the most that a capture can bring, if that does not reach alpha.
    #[inline]
    fn delta_prune(&self, pos: &Position, mv: Move, alpha: Score, node: &Quiet) -> Option<Score> {
        let base = node.futility?;
        if mv.promotion.is_some() {
            return None;
        }
        let gain = pos
            .victim(mv)
            .map_or(0, |victim| SEE_VALUES[victim as usize]);
        let reach = base + gain;
        (reach <= alpha).then_some(reach)
    }

    fn quiesce_child<NT: NodeType>(
        &mut self,
        pos: &Position,
        mv: Move,
        window: Window,
        ply: Ply,
        quiet_ply: u16,
    ) -> Flow {
        let mut child = pos.clone();
        self.make(&mut child, mv, ply)?;
        let score = -self.quiesce::<NT>(&child, -window, ply.next(), quiet_ply + 1)?;
        self.unmake();
        Ok(score)
    }

    /// Takes a better score in; true if the node is cut off.
    #[inline]
    fn raise_best<NT: NodeType>(
        &mut self,
        score: Score,
        mv: Move,
        best: &mut Score,
        best_move: &mut Option<Move>,
        window: &mut Window,
        ply: Ply,
    ) -> bool {
        if score > *best {
            *best = score;
            if score > window.alpha {
                *best_move = Some(mv);
                window.alpha = score;
                if NT::PV {
                    self.pv.extend(ply, mv);
                }
            }
        }
        score >= window.beta
    }
}
