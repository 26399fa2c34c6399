//! The loop over the moves of a node, and step 13: what is known about each.

use std::cell::OnceCell;

use arrayvec::ArrayVec;
use sextant_board::{
    CheckSquares, Move, MoveFacts, Phase, Ply, Position, Score, Square, Threats, has_only_move,
};
use sextant_config::{GapSource, Lead};

use super::{Node, NodeState, NodeType};
use crate::{
    budget::{Depth, NodeFacts, OrderFacts},
    flow::Flow,
    history::{Capture, HistoryContext, PieceTo, QUIET_MAX, percent_of_history},
    movepick::{MoveScorer, MoveStage, Picked, Picker},
    observer::{Observer, SearchEvent},
    worker::Worker,
};

/// Failed moves of one kind that are remembered for the malus.
const REMEMBERED: usize = 32;

/// More cutoffs than this on the next ply are many.
const MANY_CUTOFFS: u16 = 3;

/// How the move loop ended.
pub(super) struct Best {
    pub(super) score: Score,
    pub(super) mv: Option<Move>,
    /// The number of the cutting move, 0 if none cut.
    pub(super) cut_by: usize,
    pub(super) searched: usize,
    pub(super) failed_quiets: ArrayVec<Move, REMEMBERED>,
    pub(super) failed_noisy: ArrayVec<Move, REMEMBERED>,
}

/// What the moves of a node have in common.
pub(super) struct MoveContext {
    pub(super) checks: CheckSquares,
    pub(super) threats: Threats,
    pub(super) history: HistoryContext,
    /// Without the glance at a threat of mate: that is expensive, and few prices ask for it.
    pub(super) facts: NodeFacts,
    mate_glance: OnceCell<bool>,
    pub(super) killers: [Option<Move>; 2],
    pub(super) counter_move: Option<Move>,
    /// The square of the last capture, if the last move was one.
    pub(super) captured_on: Option<Square>,
    /// The score of the best quiet move so far, for the score gap by order.
    pub(super) best_quiet: Option<i32>,
    /// Where the evaluations of the quiet moves are, for the score gap by evaluation; `None` if the
    /// gap is another, or nothing is evaluated yet.
    pub(super) evals_at: Option<Ply>,
}

impl MoveContext {
    /// Does a static pattern say that the opponent would mate?
    pub(super) fn is_mate_threatened(&self, pos: &Position) -> bool {
        let look = || !self.facts.in_check && is_mate_threatened(pos);
        *self.mate_glance.get_or_init(look)
    }
}

/// A move with everything that decides how it is searched.
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) stage: MoveStage,
    pub(super) facts: MoveFacts,
    pub(super) order: OrderFacts,
    pub(super) history: i32,
    /// Number among the moves of the node, from 1.
    pub(super) number: usize,
    /// The best score of the moves before it.
    pub(super) best_so_far: Score,
    /// Nodes of the next ply have been cut off often.
    pub(super) cut_often: bool,
    /// Its late-move reduction, once known.
    pub(super) reduction: Option<Depth>,
    /// Discount for standing alone (singular), in sixteenths of an SX.
    pub(super) discount: i32,
    /// A reduction of the TT move by the singular test.
    pub(super) negative_extension: Depth,
    /// What the root adds to its value, in centipawns.
    pub(super) bonus: i32,
}

/// Where the quiet moves of a node end.
pub(super) struct QuietLimits {
    /// No quiet move after this many moves.
    pub(super) number: usize,
    /// No quiet move if this does not exceed alpha.
    pub(super) reach: Score,
}

impl QuietLimits {
    /// The rule by which they are over, if they are.
    #[inline]
    fn are_over(&self, number: usize, alpha: Score) -> Option<SearchEvent> {
        if number >= self.number {
            return Some(SearchEvent::LateMovePruning);
        }
        // No evaluation reaches a mate: once one is found, a shorter one may still be quiet.
        let is_futile = !alpha.is_win() && self.reach <= alpha;
        is_futile.then_some(SearchEvent::FutilityPruning)
    }
}

/// The moves of a node that are still to be tried.
struct Untried {
    picker: Picker,
    quiet_limits: QuietLimits,
    /// A move was searched that does not lose: others need not be.
    can_prune: bool,
    /// Moves that were picked, those that were pruned included.
    number: usize,
}

impl Best {
    pub(super) fn new() -> Best {
        Best {
            score: -Score::INFINITE,
            mv: None,
            cut_by: 0,
            searched: 0,
            failed_quiets: ArrayVec::new(),
            failed_noisy: ArrayVec::new(),
        }
    }

    pub(super) fn note_failed(&mut self, mv: Move, quiet: bool) {
        let failed = if quiet {
            &mut self.failed_quiets
        } else {
            &mut self.failed_noisy
        };
        if !failed.is_full() {
            failed.push(mv);
        }
    }
}

/// The score of a node in which no move was picked.
fn score_without_moves(node: &Node<'_>, state: &NodeState) -> Score {
    if state.excluded.is_some() {
        node.window.alpha
    } else if state.in_check {
        Score::mated_at(node.ply)
    } else {
        Score::DRAW
    }
}

/// How far `score` lies behind the best so far, which it may become.
pub(super) fn behind_best(best: &mut Option<i32>, score: i32) -> i32 {
    let most = best.map_or(score, |best| best.max(score));
    *best = Some(most);
    most - score
}

impl<O: Observer> Worker<O> {
    /// Are the quiet moves of a node evaluated and sorted, for the score gap?
    pub(super) fn gap_is_by_eval(&self) -> bool {
        self.params.prices.gap() == Some(GapSource::Eval)
    }

    /// What the moves of a node share.
    pub(super) fn move_context(&self, node: &Node<'_>, state: &NodeState) -> MoveContext {
        let (pos, ply) = (node.pos, node.ply);
        let prices = &self.params.prices;
        let threats = Threats::against(pos);
        let asks_only_reply =
            prices.asks_only_reply() || self.params.extensions.lead == Lead::Initiative;
        let only_reply = asks_only_reply && state.in_check && has_only_move(pos);
        let h = &self.params.history;
        let last = self.stack.back(ply, 1);
        MoveContext {
            checks: CheckSquares::of(pos),
            history: HistoryContext::new(pos, &threats, self.stack.before(ply)),
            threats,
            facts: NodeFacts {
                phase: Phase::of(pos.board()),
                in_check: state.in_check,
                only_reply,
                mate_threat: state.mate_threat == Some(true),
                mate_glance: false,
            },
            mate_glance: OnceCell::new(),
            killers: if h.killers {
                self.stack.at(ply).killers
            } else {
                [None; 2]
            },
            counter_move: if h.counter_moves {
                self.histories.counter_move(last.piece_to)
            } else {
                None
            },
            captured_on: last.captured_on,
            best_quiet: None,
            evals_at: None,
        }
    }

    /// The move loop. Its result is in `best`, unless the singular test ended the node with the
    /// score that is returned. `node` is the loop's own: a raised alpha narrows its window and
    /// takes from the allowance of the moves that follow, but not from its depth.
    pub(super) fn search_moves<NT: NodeType>(
        &mut self,
        mut node: Node<'_>,
        state: &NodeState,
        context: &mut MoveContext,
        best: &mut Best,
    ) -> Flow<Option<Score>> {
        self.stack.enter_moves(node.ply);
        let quiet_first = !state.in_check && self.params.quiet_first_at(node.depth);
        let mut untried = Untried {
            picker: Picker::all(state.tt.mv, quiet_first).sorting_by_eval(self.gap_is_by_eval()),
            quiet_limits: self.quiet_limits(&node, state),
            can_prune: false,
            number: 0,
        };
        while let Some(picked) = self.next_move(&node, state, context, &mut untried) {
            let mut candidate = self.candidate(&node, context, picked, untried.number);
            if untried.can_prune
                && let Some(why) = self.prune_move(&node, state, context, &mut candidate)
            {
                self.observer.event(why);
                if why == SearchEvent::FutilityPruning && candidate.facts.is_quiet() {
                    let scorer = self.scorer(node.pos, context);
                    untried.picker.skip_quiets(&scorer);
                }
                continue;
            }
            if let Some(score) = self.singular::<NT>(&node, state, &mut candidate)? {
                return Ok(Some(score));
            }
            candidate.best_so_far = best.score;
            let (mv, quiet) = (candidate.mv, candidate.facts.is_quiet());
            let score = self.search_move::<NT>(&node, state, context, candidate)?;
            best.searched += 1;
            best.score = best.score.max(score);
            untried.can_prune = !best.score.is_loss();
            if score <= node.window.alpha {
                best.note_failed(mv, quiet);
                continue;
            }
            best.mv = Some(mv);
            if NT::PV {
                self.pv.extend(node.ply, mv);
            }
            if score >= node.window.beta {
                best.cut_by = best.searched;
                return Ok(None);
            }
            node.window.alpha = score;
            if NT::PV {
                // A better move is less likely now, and is looked for less deep.
                let raised = self.params.reductions.raised(node.depth);
                node.allowance = node.allowance.reduced(raised);
            }
        }
        if untried.number == 0 {
            best.score = score_without_moves(&node, state);
        }
        Ok(None)
    }

    /// The next move, its table entry asked for.
    #[inline(always)]
    fn next_move(
        &mut self,
        node: &Node<'_>,
        state: &NodeState,
        context: &mut MoveContext,
        untried: &mut Untried,
    ) -> Option<Picked> {
        let (number, alpha) = (untried.number, node.window.alpha);
        let limits = untried.can_prune.then_some(&untried.quiet_limits);
        let over = limits.and_then(|limits| limits.are_over(number, alpha));
        loop {
            let scorer = self.scorer(node.pos, context);
            // Before they are generated, if it can be said so early.
            let skipped = over.filter(|_| untried.picker.skip_quiets(&scorer));
            let picked = untried.picker.next(&scorer);
            if let Some(rule) = skipped {
                self.observer.event(rule);
            }
            let Some(picked) = picked else {
                if !untried.picker.wants_evals() {
                    return None;
                }
                self.evaluate_quiets(node);
                context.evals_at = Some(node.ply);
                continue;
            };
            if Some(picked.mv) != state.excluded {
                untried.number += 1;
                self.prefetch_tt(node.pos, picked.mv);
                return Some(picked);
            }
        }
    }

    /// How the moves of a node are ordered.
    #[inline]
    pub(super) fn scorer<'a>(
        &'a self,
        pos: &'a Position,
        context: &'a MoveContext,
    ) -> MoveScorer<'a> {
        MoveScorer {
            checks: Some(&context.checks),
            killers: context.killers,
            counter_move: context.counter_move,
            evals: context.evals_at.map(|ply| &self.quiet_evals[ply.index()]),
            ..self.plain_scorer(pos, &context.history, &context.threats)
        }
    }

    /// How moves are ordered where no quiet move has a name of its own.
    #[inline]
    pub(super) fn plain_scorer<'a>(
        &'a self,
        pos: &'a Position,
        context: &'a HistoryContext,
        threats: &'a Threats,
    ) -> MoveScorer<'a> {
        MoveScorer {
            pos,
            histories: &self.histories,
            config: &self.params.history,
            context,
            threats,
            checks: None,
            killers: [None; 2],
            counter_move: None,
            evals: None,
        }
    }

    /// Step 13: the facts about a move, worked out once.
    #[inline]
    pub(super) fn candidate(
        &self,
        node: &Node<'_>,
        context: &mut MoveContext,
        picked: Picked,
        number: usize,
    ) -> Candidate {
        let mv = picked.mv;
        let facts = MoveFacts::of(node.pos, mv, &context.checks, context.captured_on);
        // The score that a quiet move was sorted by is its history, but for killers and the counter
        // move, whose rank in the order is no measure.
        let history = match picked.stage {
            MoveStage::TtMove => 0,
            MoveStage::Quiet if context.evals_at.is_some() => {
                let known = self
                    .histories
                    .quiets(&self.params.history, &context.history);
                known.of_piece(facts.piece, mv.from).score(mv.to)
            }
            MoveStage::Quiet => picked.score.clamp(-QUIET_MAX, QUIET_MAX),
            MoveStage::Noisy | MoveStage::BadNoisy => {
                let mover = PieceTo::new(node.pos.side_to_move(), facts.piece, mv.to);
                let capture = Capture::new(mover, facts.victim);
                self.histories.capture(&self.params.history, capture)
            }
        };
        let killer = context.killers.contains(&Some(mv));
        let counter_move = context.counter_move == Some(mv);
        // The rank of killers and the counter move is no measure of a distance either.
        let ranked = killer || counter_move;
        let gap = match self.params.prices.gap() {
            Some(GapSource::Order) if picked.stage == MoveStage::Quiet && !ranked => {
                percent_of_history(behind_best(&mut context.best_quiet, picked.score))
            }
            Some(GapSource::Eval) if context.evals_at.is_some() => {
                self.quiet_evals[node.ply.index()].gap(mv)
            }
            _ => 0,
        };
        Candidate {
            mv,
            stage: picked.stage,
            order: OrderFacts {
                first: number == 1 || picked.stage == MoveStage::TtMove,
                killer,
                counter_move,
                gap,
            },
            facts,
            history,
            number,
            best_so_far: -Score::INFINITE,
            cut_often: self.stack.at(node.ply.next()).cutoffs > MANY_CUTOFFS,
            reduction: None,
            discount: 0,
            negative_extension: Depth::ZERO,
            bonus: 0,
        }
    }
}

/// Would the opponent mate at a glance if it were its move?
fn is_mate_threatened(pos: &Position) -> bool {
    pos.make_null().is_some_and(|passed| {
        let checks = CheckSquares::of(&passed);
        sextant_board::mate_at_a_glance(&passed, &checks).is_some()
    })
}
