//! The loop over the moves of a node, and step 13: what is known about each.

use arrayvec::ArrayVec;
use sextant_board::{CheckSquares, Move, MoveFacts, MoveSets, Phase, Ply, Position, Score};
use sextant_config::{GapSource, QuietFirst};

use super::{NodeState, NodeType};
use crate::{
    budget::{Allowance, Depth, NodeFacts, OrderFacts},
    history::{HistoryContext, QUIET_MAX, percent_of_history},
    movepick::{MoveScorer, MoveStage, Picked, Picker},
    observer::{Observer, SearchEvent},
    window::Window,
    worker::{Flow, Worker},
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
pub(crate) struct MoveContext {
    pub(crate) checks: CheckSquares,
    pub(crate) history: HistoryContext,
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
    pub(crate) stage: MoveStage,
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

/// How far `score` lies behind the best so far, which it may become.
pub(super) fn behind_best(best: &mut Option<i32>, score: i32) -> i32 {
    let most = best.map_or(score, |best| best.max(score));
    *best = Some(most);
    most - score
}

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Where the histories of a node are looked up.
    #[inline]
    pub(crate) fn history_context(
        &self,
        pos: &Position,
        ply: Ply,
        threats: &sextant_board::Threats,
    ) -> HistoryContext {
        HistoryContext::new(pos, threats, self.stack.before(ply))
    }

    /// What the moves of a node share.
    pub(super) fn move_context(&self, pos: &Position, ply: Ply, state: &NodeState) -> MoveContext {
        let prices = &self.params.prices;
        let checks = CheckSquares::of(pos);
        let only_reply =
            prices.asks_only_reply() && state.in_check && MoveSets::generate(pos).count() == 1;
        let mate_glance = prices.asks_mate_glance() && !state.in_check && is_mate_threatened(pos);
        let h = &self.params.history;
        let stack = self.stack.at(ply);
        MoveContext {
            checks,
            history: self.history_context(pos, ply, &state.threats),
            node: NodeFacts {
                phase: Phase::of(pos.board()),
                in_check: state.in_check,
                only_reply,
                mate_threat: state.mate_threat,
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
    pub(super) fn search_moves<NT: NodeType>(
        &mut self,
        pos: &Position,
        mut window: Window,
        mut line: Allowance,
        ply: Ply,
        state: &NodeState,
        best: &mut Best,
    ) -> Flow<Option<Score>> {
        let mut context = self.move_context(pos, ply, state);
        // The grandchildren's killers are those of another subtree.
        let grandchildren = self.stack.at_mut(ply.next().next());
        grandchildren.killers = [None; 2];
        grandchildren.cutoffs = 0;
        let frontier = !EXACT
            && self.params.quiescence.quiet_first == QuietFirst::Frontier
            && state.depth <= Depth::PLY
            && !state.in_check;
        let mut picker = Picker::all(state.tt_move, frontier);
        let mut number = 0;
        let quiets = self.quiet_limits(pos, line, state);
        loop {
            // Before they are generated, if it can be said so early.
            if best.searched > 0
                && !best.score.is_loss()
                && quiets.are_over(number, window.alpha)
                && picker.skip_quiets()
            {
                self.observer.event(SearchEvent::LateMovePruning);
            }
            let Some(picked) = self.next_move(&mut picker, pos, state, &context) else {
                break;
            };
            if Some(picked.mv) == state.excluded {
                continue;
            }
            number += 1;
            self.prefetch_tt(pos, picked.mv);
            let mut candidate = self.candidate(pos, picked, number, state, &mut context);
            if !EXACT
                && !best.score.is_loss()
                && best.searched > 0
                && self.prune_move(pos, window, line, state, &candidate, &mut picker)
            {
                continue;
            }
            if let Some(score) =
                self.singular::<NT>(pos, window, line, ply, state, &mut candidate)?
            {
                return Ok(Some(score));
            }
            let (mv, quiet) = (candidate.mv, candidate.facts.is_quiet());
            let score =
                self.search_move::<NT>(pos, window, line, ply, state, &mut context, candidate)?;
            best.searched += 1;
            if score > best.score {
                best.score = score;
                if score > window.alpha {
                    best.mv = Some(mv);
                    if NT::PV {
                        self.pv.extend(ply, mv);
                    }
                    if score >= window.beta {
                        best.cut_by = best.searched;
                        return Ok(None);
                    }
                    window.alpha = score;
                    line = self.after_raise::<NT>(line, state.depth);
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
            best.score = if state.excluded.is_some() {
                window.alpha
            } else if state.in_check {
                Score::mated_at(ply)
            } else {
                Score::DRAW
            };
        }
        Ok(None)
    }

    /// A move has raised alpha in an open node: a better one is less likely, and is looked for less
    /// deep.
    fn after_raise<NT: NodeType>(&self, line: Allowance, depth: Depth) -> Allowance {
        if EXACT || !NT::PV || depth < RAISED_FROM {
            return line;
        }
        line.reduced(self.params.reductions.raised())
    }

    #[inline]
    pub(super) fn next_move(
        &self,
        picker: &mut Picker,
        pos: &Position,
        state: &NodeState,
        context: &MoveContext,
    ) -> Option<Picked> {
        picker.next(&MoveScorer {
            pos,
            histories: &self.histories,
            config: &self.params.history,
            context: &context.history,
            threats: &state.threats,
            checks: Some(&context.checks),
            killers: context.killers,
            counter_move: context.counter_move,
        })
    }

    /// Step 13: the facts about a move, worked out once.
    #[inline]
    pub(super) fn candidate(
        &self,
        pos: &Position,
        picked: Picked,
        number: usize,
        state: &NodeState,
        context: &mut MoveContext,
    ) -> Candidate {
        let mv = picked.mv;
        let facts = MoveFacts::of(pos, mv, &context.checks, context.captured_on);
        // The score that a quiet move was sorted by is its history, but for killers and the counter
        // move, whose rank in the order is no measure.
        let history = match picked.stage {
            MoveStage::TtMove => 0,
            MoveStage::Quiet => picked.score.clamp(-QUIET_MAX, QUIET_MAX),
            MoveStage::Noisy | MoveStage::BadNoisy => {
                let config = &self.params.history;
                let color = pos.side_to_move();
                self.histories
                    .capture(config, color, facts.piece, mv, facts.victim)
            }
        };
        let killer = context.killers.contains(&Some(mv));
        let counter_move = context.counter_move == Some(mv);
        // The rank of killers and the counter move is no measure of a distance either.
        let ranked = killer || counter_move;
        let by_order = self.params.prices.gap() == Some(GapSource::Order);
        let gap = if picked.stage == MoveStage::Quiet && by_order && !ranked {
            percent_of_history(behind_best(&mut context.best_quiet, picked.score))
        } else {
            0
        };
        Candidate {
            mv,
            stage: picked.stage,
            order: OrderFacts {
                first: number == 1 || Some(mv) == state.tt_move,
                killer,
                counter_move,
                gap,
            },
            facts,
            history,
            number,
            cut_often: self.stack.at(context.ply.next()).cutoffs > OFTEN,
            discount: 0,
            negative: Depth::ZERO,
        }
    }
}

/// Would the opponent mate at a glance if it were its move?
pub(super) fn is_mate_threatened(pos: &Position) -> bool {
    pos.make_null().is_some_and(|passed| {
        let checks = CheckSquares::of(&passed);
        sextant_board::mate_at_a_glance(&passed, &checks).is_some()
    })
}
