//! The loop over the moves of a node, and step 13: what is known about each.

use arrayvec::ArrayVec;
use sextant_board::{CheckSquares, Move, MoveFacts, MoveSets, Phase, Ply, Position, Score};
use sextant_config::{GapSource, QuietFirst};

use super::{Flow, Local, Node};
use crate::{
    budget::{Depth, Line, NodeFacts, OrderFacts},
    history::{Place, QUIET_MAX, percent_of_history},
    observer::{Mark, Observer},
    order::{Kind, Ordering, Picked, Picker},
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
}

/// Would the opponent mate at a glance if it were its move?
pub(super) fn threatened_with_mate(pos: &Position) -> bool {
    pos.make_null().is_some_and(|passed| {
        let checks = CheckSquares::of(&passed);
        sextant_board::mate_at_a_glance(&passed, &checks).is_some()
    })
}
