//! Quiescence: only moves that change the material or the king's safety, until the position is
//! quiet. It counts its own plies; no budget is looked at below zero.

use arrayvec::ArrayVec;
use sextant_board::{
    CheckSquares, MAX_MOVES, Move, Piece, Ply, Position, SEE_VALUES, Score, Threats,
    generate_quiet_checks, see_ge,
};
use sextant_config::QuietFirst;

use super::{Flow, Node, probe::trusts_table, search::better_guess};
use crate::{
    budget::{Budgets, Depth},
    observer::{Mark, Observer},
    order::{Kind, Ordering, Picker},
    report::Bound,
    tt::Entry,
    window::Window,
    worker::Worker,
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
    table_move: Option<Move>,
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
    pub(super) fn quiesce<N: Node>(
        &mut self,
        pos: &Position,
        window: Window,
        ply: Ply,
        quiet_ply: u16,
    ) -> Flow {
        self.observer.mark(Mark::Quiescence);
        if N::PV {
            self.pv.clear(ply);
        }
        self.reach(ply);
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
        let (entry, table_move) = if tabled {
            self.probe_table(pos)
        } else {
            (None, None)
        };
        let checks = i32::from(quiet_ply) < self.derived.quiescence.checks_plies;
        let draft = if checks || pos.in_check() {
            WITH_CHECKS
        } else {
            WITHOUT_CHECKS
        };
        if let Some(entry) = entry.filter(|_| trusts_table::<N>()) {
            let budgets = Budgets::level();
            if let Some(score) = self.settles(&entry, pos, window, draft, budgets, ply) {
                self.observer.mark(Mark::TableCutoff);
                return Ok(score);
            }
        }
        let mut node = self.stand(pos, ply, entry, table_move, checks);
        let mut best = -Score::INFINITE;
        let mut alpha = window.alpha;
        if !node.in_check {
            best = self.stand_pat::<N>(pos, window, ply, &node)?;
            if best >= window.beta || !self.derived.quiescence.enabled {
                self.observer.mark(Mark::StandPat);
                if tabled && node.entry.is_none() {
                    let kept = (node.raw_eval, false);
                    self.remember(
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
            node.futility = (self.derived.quiescence.delta && !EXACT)
                .then(|| node.eval + self.derived.quiescence.delta_margin);
        }
        let window = Window::new(alpha, window.beta);
        let (best, best_move) = self.quiet_moves::<N>(pos, window, ply, quiet_ply, &node, best)?;
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
            self.remember(
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
    fn stand(
        &mut self,
        pos: &Position,
        ply: Ply,
        entry: Option<Entry>,
        table_move: Option<Move>,
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
            table_move,
            raw_eval,
            eval,
            checks,
            futility: None,
        }
    }

    /// The score of doing nothing; with `quiet_first = "leaf"` (Wheeler 2024), where that fails by
    /// little, of the best-ordered quiet move and doing nothing after it.
    fn stand_pat<N: Node>(
        &mut self,
        pos: &Position,
        window: Window,
        ply: Ply,
        node: &Quiet,
    ) -> Flow {
        let mut score = node.eval;
        if !EXACT && let Some(entry) = node.entry {
            score = better_guess(score, entry.score.to_root(ply), entry.bound);
        }
        let q = &self.derived.quiescence;
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
            self.mate_at_a_glance::<N>(pos, ply)
        } else {
            None
        };
        Ok(mate.unwrap_or(score))
    }

    fn best_quiet(&self, pos: &Position, ply: Ply) -> Option<Move> {
        let threats = Threats::against(pos);
        let place = self.place(pos, ply, &threats);
        let order = self.plain_order(pos, &place, &threats);
        let mut picker = Picker::all(None, true);
        picker
            .next(&order)
            .filter(|picked| picked.kind == Kind::Quiet)
            .map(|picked| picked.mv)
    }

    fn plain_order<'a>(
        &'a self,
        pos: &'a Position,
        place: &'a crate::history::Place,
        threats: &'a Threats,
    ) -> Ordering<'a> {
        Ordering {
            pos,
            histories: &self.histories,
            config: &self.derived.history,
            place,
            threats,
            checks: None,
            killers: [None; 2],
            counter_move: None,
        }
    }

    /// The moves of a quiescence node: all in check, else captures and queen promotions, then (on
    /// the first plies) quiet checks.
    fn quiet_moves<N: Node>(
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
        let place = self.place(pos, ply, &threats);
        let table_move = node.table_move.filter(|&mv| {
            node.in_check || pos.is_capture(mv) || mv.promotion == Some(Piece::Queen)
        });
        let mut picker = if node.in_check {
            Picker::all(table_move, false)
        } else {
            Picker::noisy(table_move, 0)
        };
        let mut best_move = None;
        let mut tried_evasion = false;
        while let Some(picked) = picker.next(&self.plain_order(pos, &place, &threats)) {
            if is_tabled::<EXACT>(quiet_ply + 1) {
                self.announce(pos, picked.mv);
            }
            if !EXACT && !best.is_loss() {
                match picked.kind {
                    Kind::BadNoisy if self.derived.quiescence.see_pruning => break,
                    // One quiet evasion that does not lose is enough to see.
                    Kind::Quiet if tried_evasion => break,
                    _ => {}
                }
                if let Some(reach) = self.falls_short(pos, picked.mv, window.alpha, node) {
                    best = best.max(reach);
                    continue;
                }
            }
            tried_evasion |= picked.kind == Kind::Quiet;
            let score = self.quiesce_child::<N>(pos, picked.mv, window, ply, quiet_ply)?;
            if self.improve::<N>(
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
                let score = self.quiesce_child::<N>(pos, mv, window, ply, quiet_ply)?;
                if self.improve::<N>(score, mv, &mut best, &mut best_move, &mut window, ply) {
                    break;
                }
            }
        }
        Ok((best, best_move))
    }

    /// Delta pruning: the most that a capture can bring, if that does not reach alpha.
    #[inline]
    fn falls_short(&self, pos: &Position, mv: Move, alpha: Score, node: &Quiet) -> Option<Score> {
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

    fn quiesce_child<N: Node>(
        &mut self,
        pos: &Position,
        mv: Move,
        window: Window,
        ply: Ply,
        quiet_ply: u16,
    ) -> Flow {
        let mut child = pos.clone();
        self.make(&mut child, mv, ply)?;
        let score = -self.quiesce::<N>(&child, -window, ply.next(), quiet_ply + 1)?;
        self.unmake();
        Ok(score)
    }

    /// Takes a better score in; true if the node is cut off.
    #[inline]
    fn improve<N: Node>(
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
                if N::PV {
                    self.pv.extend(ply, mv);
                }
            }
        }
        score >= window.beta
    }
}
