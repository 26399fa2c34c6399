//! Step 6: the static evaluation, corrected, and where it is going.

use sextant_board::{CheckSquares, Move, Ply, Position, Score};

use super::{Node, NodeState, TtProbe};
use crate::{
    observer::{Observer, SearchEvent},
    window::Bound,
    worker::Worker,
};

impl<O: Observer> Worker<O> {
    /// Step 6: the static evaluation, and whether either side does better than it thought.
    pub(super) fn init_state(
        &mut self,
        node: &Node<'_>,
        excluded: Option<Move>,
        tt: TtProbe,
    ) -> NodeState {
        let (pos, ply) = (node.pos, node.ply);
        let in_check = pos.in_check();
        let mut state = NodeState {
            in_check,
            excluded,
            tt,
            tt_capture: tt.mv.is_some_and(|mv| pos.is_capture(mv)),
            was_pv: node.pv || tt.entry.is_some_and(|entry| entry.was_pv),
            raw_eval: Score::NONE,
            eval: Score::NONE,
            estimate: Score::NONE,
            improving: false,
            opponent_worsening: false,
            mate_threat: None,
        };
        if excluded.is_some() {
            // The singular test looks at the same position again.
            state.eval = self.stack.at(ply).eval;
            state.estimate = state.eval;
        } else if !in_check {
            state.raw_eval = self.raw_eval(pos, &tt);
            state.eval = self.corrected(pos, ply, state.raw_eval);
            state.estimate = tighten_eval(state.eval, &tt, ply);
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

    /// The static evaluation of `pos` as the table keeps it, or worked out now.
    #[inline]
    pub(super) fn raw_eval(&mut self, pos: &Position, tt: &TtProbe) -> Score {
        match tt.entry.map(|entry| entry.eval) {
            Some(eval) if eval != Score::NONE => eval,
            _ => self.evaluation.evaluate(pos),
        }
    }

    /// The static evaluation moved by optimism and by the correction history.
    #[inline]
    pub(super) fn corrected(&self, pos: &Position, ply: Ply, raw: Score) -> Score {
        let mut eval = raw.raw() + self.optimism.of(pos.side_to_move());
        if self.params.history.correction {
            eval += self.correction_history.get(pos, self.last_moves(ply));
        }
        Score::eval(eval)
    }

    /// The static score of the move that was just made at `ply` and led to `child`, from its
    /// mover's view; `None` if it gives check.
    pub(super) fn static_score_after(&mut self, child: &Position, ply: Ply) -> Option<Score> {
        (!child.in_check()).then(|| {
            let raw = self.evaluation.evaluate(child);
            -self.corrected(child, ply.next(), raw)
        })
    }

    /// Has the side to move a mate in one that a static pattern sees? Asked near the horizon; such
    /// a probe is no node.
    #[inline]
    pub(super) fn mate_at_a_glance(&mut self, node: &Node<'_>) -> Option<Score> {
        if !self.params.search.mate_at_a_glance || node.pos.in_check() {
            return None;
        }
        let mv = sextant_board::mate_at_a_glance(node.pos, &CheckSquares::of(node.pos))?;
        self.observer.event(SearchEvent::MateAtAGlance);
        if node.pv {
            self.pv.clear(node.ply.next());
            self.pv.extend(node.ply, mv);
        }
        Some(Score::mates_at(node.ply.next()))
    }
}

/// The TT score where it says more than the evaluation.
#[inline]
pub(super) fn tighten_eval(eval: Score, tt: &TtProbe, ply: Ply) -> Score {
    let Some(entry) = tt.entry else { return eval };
    let score = entry.score.to_root(ply);
    let says_more = match entry.bound {
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
