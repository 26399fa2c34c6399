//! Steps 13 to 19: each move is looked at, perhaps skipped, priced, bet against, and searched.

use arrayvec::ArrayVec;
use sextant_board::{CheckSquares, Move, MoveFacts, MoveSets, Phase, Ply, Position, Score, see_ge};
use sextant_config::{GapSource, QuietFirst};

use super::{Flow, Local, Node, Open, Scout, has_pieces};
use crate::{
    budget::{AgainstWindow, Category, Depth, Line, NodeFacts, OrderFacts, Price, ReductionFacts},
    derived::Derived,
    history::{Place, QUIET_MAX, percent_of_history},
    observer::{Mark, Observer, Tried},
    order::{Kind, Ordering, Picked, Picker},
    root::with_bonus,
    window::Window,
    worker::Worker,
};

/// Failed moves of one kind that are remembered for the malus.
const REMEMBERED: usize = 32;

/// Least effective depth at which a raised alpha makes the other moves less interesting.
const RAISED_FROM: Depth = Depth::plies(4);

/// Cut-offs on a ply that are many.
const OFTEN: u16 = 3;

/// How the move loop ended.
pub(crate) struct Best {
    pub(crate) score: Score,
    pub(crate) mv: Option<Move>,
    /// The number of the cutting move, 0 if none cut.
    pub(crate) cut_by: usize,
    /// Moves searched.
    pub(crate) searched: usize,
    /// Quiet moves that were searched and failed.
    pub(crate) failed_quiets: ArrayVec<Move, REMEMBERED>,
    /// Captures that were searched and failed.
    pub(crate) failed_noisy: ArrayVec<Move, REMEMBERED>,
}

/// What the moves of a node have in common.
pub(crate) struct Siblings {
    pub(crate) checks: CheckSquares,
    pub(crate) place: Place,
    pub(crate) node: NodeFacts,
    pub(crate) killers: [Option<Move>; 2],
    pub(crate) counter_move: Option<Move>,
    /// The square of the last capture, if the last move was one.
    pub(crate) captured_on: Option<sextant_board::Square>,
    /// Where the node is.
    pub(crate) ply: Ply,
    /// The score of the best quiet move so far, for the score gap.
    pub(crate) best_quiet: Option<i32>,
}

/// A move with everything that decides how it is searched.
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) kind: Kind,
    pub(crate) facts: MoveFacts,
    pub(crate) order: OrderFacts,
    /// History score of the move.
    pub(crate) history: i32,
    /// Number among the moves of the node, from 1.
    pub(crate) number: usize,
    /// Nodes of the next ply have been cut off often.
    pub(crate) cut_often: bool,
    /// Discount for standing alone (singular), in sixteenths of an SX.
    pub(crate) discount: i32,
    /// A bet against the table move by the singular test.
    pub(crate) negative: Depth,
}

impl Best {
    /// Nothing searched yet.
    pub(crate) fn new() -> Best {
        Best {
            score: -Score::INFINITE,
            mv: None,
            cut_by: 0,
            searched: 0,
            failed_quiets: ArrayVec::new(),
            failed_noisy: ArrayVec::new(),
        }
    }
}

/// Where the quiet moves of a node end.
struct QuietLimits {
    /// No quiet move after this many moves.
    number: usize,
    /// No quiet move if this does not exceed alpha.
    reach: Score,
}

impl QuietLimits {
    #[inline]
    fn are_over(&self, number: usize, alpha: Score) -> bool {
        // No evaluation reaches a mate: once one is found, a shorter one may still be quiet.
        number >= self.number || !alpha.is_win() && self.reach <= alpha
    }
}

/// How far `score` lies behind the best so far, which it may become.
pub(super) fn behind_best(best: &mut Option<i32>, score: i32) -> i32 {
    let most = best.map_or(score, |best| best.max(score));
    *best = Some(most);
    most - score
}

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Where the histories of a node are looked up.
    #[inline]
    pub(crate) fn place(
        &self,
        pos: &Position,
        ply: Ply,
        threats: &sextant_board::Threats,
    ) -> Place {
        Place::new(pos, threats, self.stack.before(ply))
    }

    /// What the moves of a node share.
    pub(super) fn siblings(&self, pos: &Position, ply: Ply, local: &Local) -> Siblings {
        let prices = &self.derived.prices;
        let checks = CheckSquares::of(pos);
        let only_reply =
            prices.asks_only_reply() && local.in_check && MoveSets::generate(pos).count() == 1;
        let mate_glance = prices.asks_mate_glance() && !local.in_check && threatened_with_mate(pos);
        let h = &self.derived.history;
        let stack = self.stack.at(ply);
        Siblings {
            checks,
            place: self.place(pos, ply, &local.threats),
            node: NodeFacts {
                phase: Phase::of(pos.board()),
                in_check: local.in_check,
                only_reply,
                mate_threat: local.mate_threat,
                mate_glance,
            },
            killers: if h.killers { stack.killers } else { [None; 2] },
            counter_move: if h.counter_moves {
                self.histories.counter_move(self.stack.back(ply, 1).played)
            } else {
                None
            },
            captured_on: self.stack.back(ply, 1).captured_on,
            ply,
            best_quiet: None,
        }
    }

    /// The move loop. Its result is in `best`, unless the singular test ended the node with the
    /// score that is returned.
    pub(super) fn search_moves<N: Node>(
        &mut self,
        pos: &Position,
        mut window: Window,
        mut line: Line,
        ply: Ply,
        local: &Local,
        best: &mut Best,
    ) -> Flow<Option<Score>> {
        let mut siblings = self.siblings(pos, ply, local);
        // The grandchildren's killers are those of another subtree.
        let grandchildren = self.stack.at_mut(ply.next().next());
        grandchildren.killers = [None; 2];
        grandchildren.cutoffs = 0;
        let frontier = !EXACT
            && self.derived.quiescence.quiet_first == QuietFirst::Frontier
            && local.depth <= Depth::PLY
            && !local.in_check;
        let mut picker = Picker::all(local.table_move, frontier);
        let mut number = 0;
        let quiets = self.quiet_limits(pos, line, local);
        loop {
            // Before they are generated, if it can be said so early.
            if best.searched > 0
                && !best.score.is_loss()
                && quiets.are_over(number, window.alpha)
                && picker.skip_quiets()
            {
                self.observer.mark(Mark::LateMoves);
            }
            let Some(picked) = self.next_move(&mut picker, pos, local, &siblings) else {
                break;
            };
            if Some(picked.mv) == local.excluded {
                continue;
            }
            number += 1;
            self.announce(pos, picked.mv);
            let mut candidate = self.candidate(pos, picked, number, local, &mut siblings);
            if !EXACT
                && !best.score.is_loss()
                && best.searched > 0
                && self.skip(pos, window, line, local, &candidate, &mut picker)
            {
                continue;
            }
            if let Some(score) =
                self.singular::<N>(pos, window, line, ply, local, &mut candidate)?
            {
                return Ok(Some(score));
            }
            let (mv, quiet) = (candidate.mv, candidate.facts.is_quiet());
            let score =
                self.try_move::<N>(pos, window, line, ply, local, &mut siblings, candidate)?;
            best.searched += 1;
            if score > best.score {
                best.score = score;
                if score > window.alpha {
                    best.mv = Some(mv);
                    if N::PV {
                        self.pv.extend(ply, mv);
                    }
                    if score >= window.beta {
                        best.cut_by = best.searched;
                        return Ok(None);
                    }
                    window.alpha = score;
                    line = self.after_raise::<N>(line, local.depth);
                    continue;
                }
            }
            let failed = if quiet {
                &mut best.failed_quiets
            } else {
                &mut best.failed_noisy
            };
            if !failed.is_full() {
                failed.push(mv);
            }
        }
        if number == 0 {
            best.score = if local.excluded.is_some() {
                window.alpha
            } else if local.in_check {
                Score::mated_at(ply)
            } else {
                Score::DRAW
            };
        }
        Ok(None)
    }

    /// A move has raised alpha in an open node: a better one is less likely, and is looked for less
    /// deep.
    fn after_raise<N: Node>(&self, line: Line, depth: Depth) -> Line {
        if EXACT || !N::PV || depth < RAISED_FROM {
            return line;
        }
        line.reduced(self.derived.reductions.raised())
    }

    #[inline]
    pub(super) fn next_move(
        &self,
        picker: &mut Picker,
        pos: &Position,
        local: &Local,
        siblings: &Siblings,
    ) -> Option<Picked> {
        picker.next(&Ordering {
            pos,
            histories: &self.histories,
            config: &self.derived.history,
            place: &siblings.place,
            threats: &local.threats,
            checks: Some(&siblings.checks),
            killers: siblings.killers,
            counter_move: siblings.counter_move,
        })
    }

    /// Step 13: the facts about a move, worked out once.
    #[inline]
    pub(super) fn candidate(
        &self,
        pos: &Position,
        picked: Picked,
        number: usize,
        local: &Local,
        siblings: &mut Siblings,
    ) -> Candidate {
        let mv = picked.mv;
        let facts = MoveFacts::of(pos, mv, &siblings.checks, siblings.captured_on);
        // The score that a quiet move was sorted by is its history, but for killers and the counter
        // move, whose rank in the order is no measure.
        let history = match picked.kind {
            Kind::Table => 0,
            Kind::Quiet => picked.score.clamp(-QUIET_MAX, QUIET_MAX),
            Kind::Noisy | Kind::BadNoisy => {
                let config = &self.derived.history;
                let color = pos.side_to_move();
                self.histories
                    .capture(config, color, facts.piece, mv, facts.victim)
            }
        };
        let killer = siblings.killers.contains(&Some(mv));
        let counter_move = siblings.counter_move == Some(mv);
        // The rank of killers and the counter move is no measure of a distance either.
        let ranked = killer || counter_move;
        let by_order = self.derived.prices.gap() == Some(GapSource::Order);
        let gap = if picked.kind == Kind::Quiet && by_order && !ranked {
            percent_of_history(behind_best(&mut siblings.best_quiet, picked.score))
        } else {
            0
        };
        Candidate {
            mv,
            kind: picked.kind,
            order: OrderFacts {
                first: number == 1 || Some(mv) == local.table_move,
                killer,
                counter_move,
                gap,
            },
            facts,
            history,
            number,
            cut_often: self.stack.at(siblings.ply.next()).cutoffs > OFTEN,
            discount: 0,
            negative: Depth::ZERO,
        }
    }

    /// Step 14: where the quiet moves of this node end, by their number or because none can carry
    /// the evaluation over alpha.
    fn quiet_limits(&self, pos: &Position, line: Line, local: &Local) -> QuietLimits {
        let mut limits = QuietLimits {
            number: usize::MAX,
            reach: Score::INFINITE,
        };
        if EXACT || !has_pieces(pos) {
            return limits;
        }
        let p = &self.derived.pruning;
        let forcing = p.forcing_half && line.budgets.gain_us() > 0;
        let deepest = Depth::plies(p.late_depth);
        if p.late_moves && local.depth <= if forcing { deepest.half() } else { deepest } {
            let number = self.derived.late_moves(local.depth, local.improving);
            limits.number = number << u32::from(forcing);
        }
        if p.futility && !local.in_check && local.depth <= Depth::plies(p.futility_depth) {
            limits.reach = local.eval + self.futility_margin(local.depth);
        }
        limits
    }

    /// Steps 14 and 15: is the move not worth a search? Checks are exempt.
    #[inline]
    fn skip(
        &mut self,
        pos: &Position,
        window: Window,
        line: Line,
        local: &Local,
        candidate: &Candidate,
        picker: &mut Picker,
    ) -> bool {
        if candidate.facts.gives_check || !has_pieces(pos) {
            return false;
        }
        let p = &self.derived.pruning;
        let depth = local.depth;
        // A side that has been forcing is pruned half as eagerly.
        let forcing = p.forcing_half && line.budgets.gain_us() > 0;
        let halve = |depth: Depth| if forcing { depth.half() } else { depth };
        if !candidate.facts.is_quiet() {
            let margin = Derived::margin(p.see_capture, depth) + (candidate.history / 256).max(0);
            // The others were picked because they do not lose material.
            let loses = p.see_pruning
                && candidate.kind == Kind::BadNoisy
                && depth <= halve(Depth::plies(p.see_depth))
                && !see_ge(pos, candidate.mv, -margin);
            if loses {
                self.observer.mark(Mark::Exchange);
            }
            return loses;
        }
        // The depth that the move would be searched to.
        let facts = self.reduction_facts(false, local, candidate);
        let bet = self
            .derived
            .reductions
            .late_move(depth, candidate.number, &facts)
            .max(Depth::ZERO);
        let left = (depth - bet).max(Depth::PLY);
        if p.futility
            && !local.in_check
            && left <= Depth::plies(p.futility_depth)
            && !window.alpha.is_win()
            && local.eval + self.futility_margin(left) <= window.alpha
        {
            picker.skip_quiets();
            self.observer.mark(Mark::Futility);
            return true;
        }
        if p.history_pruning
            && depth <= Depth::plies(p.history_depth)
            && candidate.history < -Derived::margin(p.history_margin, depth)
        {
            self.observer.mark(Mark::History);
            return true;
        }
        // No exchange follows where the opponent attacks neither square.
        let exposed =
            local.threats.all.has(candidate.mv.to) || local.threats.all.has(candidate.mv.from);
        if p.see_pruning
            && exposed
            && depth <= halve(Depth::plies(p.see_depth))
            && !see_ge(pos, candidate.mv, -Derived::margin(p.see_quiet, left))
        {
            self.observer.mark(Mark::Exchange);
            return true;
        }
        false
    }

    #[inline]
    fn reduction_facts(&self, pv: bool, local: &Local, candidate: &Candidate) -> ReductionFacts {
        ReductionFacts {
            pv,
            cut_node: local.cut_node,
            improving: local.improving,
            table_move: local.table_move.is_some(),
            table_capture: local.table_capture,
            was_pv: local.was_pv,
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
    fn try_move<N: Node>(
        &mut self,
        pos: &Position,
        window: Window,
        line: Line,
        ply: Ply,
        local: &Local,
        siblings: &mut Siblings,
        mut candidate: Candidate,
    ) -> Flow {
        let bet = self.bet(N::PV, local, &candidate);
        let mut child = pos.clone();
        self.make(&mut child, candidate.mv, ply)?;
        let (price, category) = self.price(pos, &child, window, ply, siblings, &mut candidate);
        self.observer.tried(&Tried {
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
        let score = self.search_child::<N>(
            &child,
            window,
            child_line,
            bet,
            first,
            local.cut_node,
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
        siblings: &mut Siblings,
        candidate: &mut Candidate,
    ) -> (Price, Category) {
        let prices = &self.derived.prices;
        let by_eval = prices.gap() == Some(GapSource::Eval) && candidate.facts.is_quiet();
        let mut place = None;
        if (by_eval || prices.uses_window()) && !EXACT && !child.in_check() {
            let raw = self.evaluate(child);
            let score = -self.corrected(child, ply.next(), raw);
            place = Some(AgainstWindow::of(score, window));
            if by_eval {
                candidate.order.gap = behind_best(&mut siblings.best_quiet, score.raw());
            }
        }
        let prices = &self.derived.prices;
        let (price, category) = prices.price(
            pos,
            candidate.mv,
            &candidate.facts,
            candidate.order,
            &siblings.node,
        );
        let price = place.map_or(price, |place| prices.against_window(price, place));
        (Price::from_raw(price.raw() - candidate.discount), category)
    }

    /// Step 18: the bet against a late move.
    #[inline]
    pub(super) fn bet(&self, pv: bool, local: &Local, candidate: &Candidate) -> Depth {
        let reductions = &self.derived.reductions;
        if EXACT || !reductions.applies(local.depth, candidate.number, pv) {
            return Depth::ZERO;
        }
        let facts = self.reduction_facts(pv, local, candidate);
        reductions.late_move(local.depth, candidate.number, &facts)
    }

    /// Step 19: scout with the bet, scout at price alone, open the window - as far as needed.
    ///
    /// `window` and the result are the parent's; `bonus` is added to the child's value (root only).
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn search_child<N: Node>(
        &mut self,
        child: &Position,
        window: Window,
        line: Line,
        bet: Depth,
        first: bool,
        cut_node: bool,
        ply: Ply,
        bonus: i32,
    ) -> Flow {
        let below = ply.next();
        let scout = -Window::scout(window.alpha).less(bonus);
        let mut score = -Score::INFINITE;
        if !(N::PV && first) {
            // Never below one ply what had one ply.
            let depth = self.derived.coupling.depth(line.budgets);
            let bet = bet.min((depth - Depth::PLY).max(Depth::ZERO));
            if bet == Depth::ZERO {
                score = -self.search::<Scout>(child, scout, line, below, !cut_node || N::PV)?;
            } else {
                self.stack.at_mut(ply).reduction = bet;
                score = -self.search::<Scout>(child, scout, line.reduced(bet), below, true)?;
                self.stack.at_mut(ply).reduction = Depth::ZERO;
                if with_bonus(score, bonus) > window.alpha && bet > Depth::ZERO {
                    self.observer.mark(Mark::Research);
                    score = -self.search::<Scout>(child, scout, line, below, !cut_node)?;
                }
            }
            score = with_bonus(score, bonus);
        }
        if N::PV && (first || score > window.alpha) {
            if !first {
                self.observer.mark(Mark::OpenWindow);
            }
            score = -self.search::<Open>(child, -window.less(bonus), line, below, false)?;
            score = with_bonus(score, bonus);
        }
        Ok(score)
    }
}

/// Would the opponent mate at a glance if it were its move?
pub(super) fn threatened_with_mate(pos: &Position) -> bool {
    pos.make_null().is_some_and(|passed| {
        let checks = CheckSquares::of(&passed);
        sextant_board::mate_at_a_glance(&passed, &checks).is_some()
    })
}
