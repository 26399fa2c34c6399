//! Steps 1 to 5: what ends a node before it is thought about - draws, mates in sight, the table
//! and the tablebases.

use sextant_board::{Move, MoveSets, PackedMove, Ply, Position, Score, is_insufficient_material};
use sextant_repetition::is_fifty;
use sextant_syzygy::Wdl;

use super::NodeType;
use crate::{
    budget::{Budgets, Depth},
    observer::{Observer, SearchEvent},
    report::Bound,
    tablebases,
    tt::{Entry, exact_tt_key, tt_key},
    window::Window,
    worker::Worker,
};

/// No table cut-off so near to the fifty-move rule: the entry may come from a fresher clock.
const CLOCK_TRUSTED_TO: u16 = 90;

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// Step 1: a draw by the rules. Mate takes precedence over the fifty-move rule.
    #[inline]
    pub(super) fn draw(&self, pos: &Position, ply: Ply) -> Option<Score> {
        if is_fifty(pos.clock()) {
            let mated = pos.in_check() && MoveSets::generate(pos).is_empty();
            return Some(if mated {
                Score::mated_at(ply)
            } else {
                Score::DRAW
            });
        }
        (self.repetitions.is_repetition() || is_insufficient_material(pos.board()))
            .then_some(Score::DRAW)
    }

    /// Step 2: can the side to move repeat a position with its next move? Then the score is at
    /// least a draw.
    ///
    /// A cycle of four plies closes when the opponent has just undone its move and ours can be
    /// undone as well, so one candidate is enough; longer cycles are left to the children.
    #[inline]
    pub(super) fn can_repeat(&self, pos: &Position, ply: Ply) -> bool {
        if EXACT || !self.params.search.upcoming_repetition || pos.clock() < 3 || pos.in_check() {
            return false;
        }
        let Some(last) = self.stack.back(ply, 2).mv else {
            return false;
        };
        let back = Move {
            from: last.to,
            to: last.from,
            promotion: None,
        };
        let Some(piece) = pos.board().piece_on(back.from) else {
            return false;
        };
        pos.key_after_shuffle(piece, back)
            .is_some_and(|key| self.repetitions.would_repeat(key))
            && pos.board().is_legal(back)
    }

    /// Step 3: no line from here is better than mating at once or worse than being mated now.
    #[inline]
    pub(super) fn mate_distance(&self, window: &mut Window, ply: Ply) -> Option<Score> {
        if EXACT || !self.params.search.mate_distance {
            return None;
        }
        window.alpha = window.alpha.max(Score::mated_at(ply));
        window.beta = window.beta.min(Score::mates_at(ply.next()));
        (window.alpha >= window.beta).then_some(window.alpha)
    }

    /// The table key; in exact mode every half-move clock has its own, for it moves the evaluation.
    #[inline]
    fn own_key(pos: &Position) -> u64 {
        if EXACT {
            exact_tt_key(pos)
        } else {
            tt_key(pos)
        }
    }

    /// Step 4: what the table knows, and its move if that is legal here.
    #[inline]
    pub(super) fn probe_tt(&mut self, pos: &Position) -> (Option<Entry>, Option<Move>) {
        let entry = self.shared.table.probe(Self::own_key(pos));
        if entry.is_some() {
            self.observer.event(SearchEvent::TtHit);
        }
        let mv = entry.and_then(|entry| entry.mv.unpack());
        (entry, mv.filter(|&mv| pos.board().is_legal(mv)))
    }

    /// Does the entry settle this node? Its draft must be enough, and, where the coupling makes the
    /// imbalance of the budgets matter, the imbalance must be about the same.
    #[inline]
    pub(super) fn tt_cutoff(
        &self,
        entry: &Entry,
        pos: &Position,
        window: Window,
        depth: Depth,
        budgets: Budgets,
        ply: Ply,
    ) -> Option<Score> {
        let deep_enough = if EXACT {
            entry.depth == depth
        } else {
            entry.depth >= depth
        };
        if !self.params.search.tt_cutoffs || !deep_enough {
            return None;
        }
        let score = entry.score.to_root(ply);
        let settled = entry.bound.settles(score, window);
        let coupling = &self.params.coupling;
        let same_balance = !coupling.is_on() || {
            let difference = coupling.weigh(entry.imbalance - budgets.imbalance());
            difference.abs() <= 16 * self.params.search.transposition_tolerance
        };
        (settled && same_balance && pos.clock() < CLOCK_TRUSTED_TO).then_some(score)
    }

    /// Remembers the result of a node.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    pub(super) fn store_tt(
        &self,
        pos: &Position,
        ply: Ply,
        budgets: Budgets,
        depth: Depth,
        (score, bound): (Score, Bound),
        best: Option<Move>,
        (raw_eval, was_pv): (Score, bool),
    ) {
        let entry = Entry {
            mv: PackedMove::from(best),
            score: score.to_node(ply),
            eval: raw_eval,
            bound,
            was_pv,
            depth,
            imbalance: budgets.imbalance(),
        };
        self.shared.table.store(Self::own_key(pos), entry);
    }

    /// Step 5: the tablebases, at half-move clock 0 only: the tables do not know the clock. Returns
    /// the score and what it says; a failed probe is no information.
    #[inline]
    pub(super) fn probe_tablebase(
        &mut self,
        pos: &Position,
        depth: Depth,
        ply: Ply,
    ) -> Option<(Score, Bound)> {
        let tables = self.shared.tablebase.as_ref()?;
        if EXACT || pos.clock() != 0 {
            return None;
        }
        let config = &self.params.syzygy;
        let men = pos.board().occupied().len();
        let limit = tables.max_men().min(config.probe_limit as u32);
        if men > limit || men == limit && depth < Depth::plies(config.probe_depth) {
            return None;
        }
        let wdl = tables.wdl(pos.board())?;
        self.tablebase_hits += 1;
        self.observer.event(SearchEvent::TablebaseHit);
        let wdl = if config.fifty_move_rule {
            wdl
        } else {
            wdl.without_fifty_move_rule()
        };
        let bound = match wdl {
            Wdl::Win => Bound::Lower,
            Wdl::Loss => Bound::Upper,
            Wdl::CursedWin | Wdl::BlessedLoss | Wdl::Draw => Bound::Exact,
        };
        Some((tablebases::score(wdl, ply), bound))
    }
}

/// Does a node of kind `N` take the table's word? Pv-window nodes do not: their line is wanted.
pub(super) const fn trusts_tt<NT: NodeType>() -> bool {
    !NT::PV
}
