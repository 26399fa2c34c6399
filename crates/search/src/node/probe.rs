//! Steps 1 to 5: what ends a node before it is thought about - draws, mates in sight, the
//! transposition table and the tablebases.

use sextant_board::{
    MAX_PLY, Move, MoveSets, PackedMove, Ply, Position, Score, is_insufficient_material,
};
use sextant_repetition::is_fifty;
use sextant_syzygy::Wdl;

use super::{Node, TtProbe};
use crate::{
    observer::{Observer, SearchEvent},
    params::TABLEBASE_DRAFT,
    tablebases,
    tt::{Entry, exact_tt_key, tt_key},
    window::Bound,
    worker::Worker,
};

/// No TT cutoff from this clock on, near the fifty-move rule: the entry may be of a fresher clock.
const CLOCK_TRUSTED_TO: u16 = 90;

impl<O: Observer> Worker<O> {
    /// Steps 1 to 3: what the rules of the game say of the node. Narrows its window.
    #[inline]
    pub(super) fn rule_cutoff(&mut self, node: &mut Node<'_>) -> Option<Score> {
        if let Some(score) = self.draw(node.pos, node.ply) {
            return Some(score);
        }
        if let Some(score) = self.score_at_max_ply(node.pos, node.ply) {
            return Some(score);
        }
        if node.window.alpha < Score::DRAW && self.can_repeat(node.pos, node.ply) {
            self.observer.event(SearchEvent::UpcomingRepetition);
            node.window.alpha = Score::DRAW;
            if node.window.alpha >= node.window.beta {
                return Some(Score::DRAW);
            }
        }
        self.mate_distance(node)
    }

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

    /// The score of a node at the greatest length of a line, where no move can be searched.
    #[inline]
    pub(super) fn score_at_max_ply(&mut self, pos: &Position, ply: Ply) -> Option<Score> {
        (ply.index() >= MAX_PLY - 1).then(|| {
            if pos.in_check() {
                Score::DRAW
            } else {
                self.evaluation.evaluate(pos)
            }
        })
    }

    /// Step 2, upcoming repetition: can the side to move repeat a position with its next move? Then
    /// the score is at least a draw.
    ///
    /// A cycle of four plies closes when the opponent has just undone its move and ours can be
    /// undone as well, so one candidate is enough; longer cycles are left to the children.
    #[inline]
    fn can_repeat(&self, pos: &Position, ply: Ply) -> bool {
        if !self.params.search.upcoming_repetition || pos.clock() < 3 || pos.in_check() {
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

    /// Step 3, mate distance pruning: no line from here is better than mating at once or worse than
    /// being mated now.
    #[inline]
    fn mate_distance(&self, node: &mut Node<'_>) -> Option<Score> {
        if !self.params.search.mate_distance {
            return None;
        }
        let window = &mut node.window;
        window.alpha = window.alpha.max(Score::mated_at(node.ply));
        window.beta = window.beta.min(Score::mates_at(node.ply.next()));
        (window.alpha >= window.beta).then_some(window.alpha)
    }

    #[inline]
    fn own_tt_key(&self, pos: &Position) -> u64 {
        if self.params.exact {
            exact_tt_key(pos)
        } else {
            tt_key(pos)
        }
    }

    /// Step 4: what the transposition table knows, and its move if that is legal here.
    #[inline]
    pub(super) fn probe_tt(&mut self, pos: &Position) -> TtProbe {
        let entry = self.shared.tt.probe(self.own_tt_key(pos));
        if entry.is_some() {
            self.observer.event(SearchEvent::TtHit);
        }
        let mv = entry.and_then(|entry| entry.mv.unpack());
        TtProbe {
            entry,
            mv: mv.filter(|&mv| pos.board().is_legal(mv)),
        }
    }

    /// Step 4, TT cutoff: does the entry end this node? Its draft must be enough, and, where the
    /// coupling makes the imbalance of the budgets matter, the imbalance must be about the same.
    #[inline]
    pub(super) fn tt_cutoff(&mut self, node: &Node<'_>, tt: &TtProbe) -> Option<Score> {
        let entry = tt.entry?;
        let deep_enough = if self.params.exact {
            entry.depth == node.depth
        } else {
            // A fraction of a ply more does not reach deeper.
            entry.depth.plies_up() >= node.depth.plies_up()
        };
        if !self.params.search.tt_cutoffs || !deep_enough {
            return None;
        }
        let score = entry.score.to_root(node.ply);
        let settled = entry.bound.settles(score, node.window);
        let coupling = &self.params.coupling;
        let same_balance = !coupling.is_on() || {
            let imbalance = node.allowance.budgets.imbalance();
            let difference = coupling.weigh(entry.imbalance - imbalance);
            self.params.same_balance(difference)
        };
        if settled && same_balance && node.pos.clock() < CLOCK_TRUSTED_TO {
            self.observer.event(SearchEvent::TtCutoff);
            Some(score)
        } else {
            None
        }
    }

    /// Keeps the result of a node in the transposition table, together with the static evaluation
    /// and whether a principal variation passed.
    #[inline]
    pub(super) fn store_tt(
        &self,
        node: &Node<'_>,
        (score, bound): (Score, Bound),
        best: Option<Move>,
        (raw_eval, was_pv): (Score, bool),
    ) {
        let entry = Entry {
            mv: PackedMove::from(best),
            score: score.to_node(node.ply),
            eval: raw_eval,
            bound,
            was_pv,
            depth: node.depth,
            imbalance: node.allowance.budgets.imbalance(),
        };
        self.shared.tt.store(self.own_tt_key(node.pos), entry);
        if entry.proves_mate() {
            self.shared.tt.store_mate(node.pos, entry);
        }
    }

    /// Step 5: the tablebases. A result that does not end the node narrows its window, and `range`,
    /// in which its score must lie.
    #[inline]
    pub(super) fn tablebase_cutoff(
        &mut self,
        node: &mut Node<'_>,
        range: &mut (Score, Score),
    ) -> Option<Score> {
        let (score, bound) = self.probe_tablebase(node)?;
        if bound.settles(score, node.window) {
            let known = Node {
                depth: node.depth + TABLEBASE_DRAFT,
                ..*node
            };
            self.store_tt(&known, (score, bound), None, (Score::NONE, node.pv));
            return Some(score);
        }
        match bound {
            Bound::Lower => {
                range.0 = score;
                node.window.alpha = node.window.alpha.max(score);
            }
            Bound::Upper => range.1 = score,
            Bound::Exact => {}
        }
        None
    }

    /// Probes at half-move clock 0 only: the tables do not know the clock. Returns the score and
    /// what it says; a failed probe is no information.
    #[inline]
    fn probe_tablebase(&mut self, node: &Node<'_>) -> Option<(Score, Bound)> {
        let tables = self.shared.tablebase.as_ref()?;
        if node.pos.clock() != 0 {
            return None;
        }
        let men = node.pos.board().occupied().len();
        if !self.params.probes(men, tables.max_men(), node.depth) {
            return None;
        }
        let wdl = tables.wdl(node.pos.board())?;
        self.tablebase_hits += 1;
        self.observer.event(SearchEvent::TablebaseHit);
        let wdl = if self.params.syzygy.fifty_move_rule {
            wdl
        } else {
            wdl.without_fifty_move_rule()
        };
        let bound = match wdl {
            Wdl::Win => Bound::Lower,
            Wdl::Loss => Bound::Upper,
            Wdl::CursedWin | Wdl::BlessedLoss | Wdl::Draw => Bound::Exact,
        };
        Some((tablebases::score(wdl, node.ply), bound))
    }
}
