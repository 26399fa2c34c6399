//! Aspiration windows: the root is searched in a window around the last score, which is widened as
//! long as the score falls outside.

use std::time::Duration;

use sextant_board::Score;

use crate::{
    budget::{Budget, Depth},
    flow::Flow,
    observer::Observer,
    optimism::Optimism,
    report::Event,
    time::IterationHistory,
    window::{Bound, Window},
    worker::Worker,
};

/// Bounds are shown only after this time, so that short searches do not flood.
const BOUNDS_AFTER: Duration = Duration::from_secs(3);

impl<O: Observer> Worker<O> {
    /// Searches the line `index` to its score in an iteration of `total`.
    pub(crate) fn aspirate(
        &mut self,
        total: Budget,
        index: usize,
        iterations: &IterationHistory,
        report: &mut dyn FnMut(Event),
    ) -> Flow<()> {
        let end = self.of_rank(index).end;
        let plies = total.plies_rounded_up();
        let full = self.params.root_allowance(total);
        let full_depth = self.params.coupling.depth(full.budgets);
        let center = self.center(index, iterations);
        let us = self.shared.game.position().side_to_move();
        self.optimism = Optimism::in_favor_of(us, self.params.optimism(center));
        let mut window = Window::FULL;
        let first = self.params.aspiration_width(center);
        let mut width = Some(first);
        if self.params.aspiration(plies, center) {
            window = Window::new(center - first, center + first);
        }
        let mut reduction = Depth::ZERO;
        loop {
            let allowance = full.reduced(reduction);
            let score = self.search_root(window, allowance, index..end)?;
            self.root_moves[index..end].sort_by_key(|root_move| -root_move.score.raw());
            let bound = window.bound(score);
            if bound == Bound::Exact || window == Window::FULL {
                return Ok(());
            }
            let shared = &self.shared;
            let is_told = shared.is_heard && self.is_main() && shared.multipv == 1;
            if is_told && shared.elapsed() > BOUNDS_AFTER {
                self.publish();
                report(Event::Info(self.info(index, self.shared.totals())));
            }
            width = width.and_then(|width| self.params.wider(width));
            if bound == Bound::Upper {
                window.beta = Score::new((window.alpha.raw() + window.beta.raw()) / 2);
                window.alpha = width.map_or(Window::FULL.alpha, |width| score - width);
                reduction = Depth::ZERO;
            } else {
                window.beta = width.map_or(Window::FULL.beta, |width| score + width);
                reduction = self.params.after_fail_high(reduction, full_depth, score);
            }
        }
    }

    /// The center of the aspiration window: the last score, or the last of the same parity.
    fn center(&self, index: usize, iterations: &IterationHistory) -> Score {
        let by_parity = self.params.search.parity_aspiration && index == 0;
        iterations
            .score_of_same_parity()
            .filter(|_| by_parity)
            .unwrap_or(self.root_moves[index].previous)
    }
}
