//! The config as the hot code reads it: tables and margins worked out once, at `go`.

use sextant_board::Score;
use sextant_config::{
    Config, ExtensionsConfig, HistoryConfig, PruningConfig, QuiescenceConfig, SearchConfig,
    SyzygyConfig,
};

use crate::{
    budget::{Budget, Coupling, Credit, Depth, Prices},
    lmr::Reductions,
};

/// Read-only parameters of one search; each worker owns a copy.
#[derive(Clone, Debug)]
pub(crate) struct SearchParams {
    /// From budgets to depth.
    pub coupling: Coupling,
    /// What moves cost.
    pub prices: Prices,
    /// How late moves are reduced.
    pub reductions: Reductions,
    /// `[extensions]`, for the singular test and the line credit.
    pub extensions: ExtensionsConfig,
    /// `[pruning]`.
    pub pruning: PruningConfig,
    /// `[history]`.
    pub history: HistoryConfig,
    /// `[quiescence]`.
    pub quiescence: QuiescenceConfig,
    /// `[search]`.
    pub search: SearchConfig,
    /// `[syzygy]`.
    pub syzygy: SyzygyConfig,
}

impl SearchParams {
    /// The parameters of `config`; for exact mode every price that depends on ordering or window is
    /// made static.
    #[must_use]
    pub(crate) fn new(config: &Config, exact: bool) -> SearchParams {
        let e = &config.extensions;
        SearchParams {
            coupling: Coupling::new(e.coupling, e.coupling_rule, e.refund_ratio),
            prices: Prices::new(e, exact),
            reductions: Reductions::new(&config.reductions),
            extensions: e.clone(),
            pruning: config.pruning.clone(),
            history: config.history.clone(),
            quiescence: config.quiescence.clone(),
            search: config.search.clone(),
            syzygy: config.syzygy.clone(),
        }
    }

    /// The credit of an iteration.
    #[must_use]
    pub(crate) fn credit(&self, total: Budget) -> Credit {
        Credit::root(total, self.extensions.line_credit)
    }

    /// `per_ply` centipawns for each ply of `depth`.
    #[inline]
    #[must_use]
    pub(crate) fn margin(per_ply: i32, depth: Depth) -> i32 {
        per_ply * depth.raw() / Depth::PLY.raw()
    }

    /// Reverse futility: how far above beta the static evaluation must be.
    #[inline]
    #[must_use]
    pub(crate) fn reverse_futility(
        &self,
        depth: Depth,
        improving: bool,
        opponent_worsening: bool,
    ) -> i32 {
        let p = &self.pruning;
        let mut margin = SearchParams::margin(p.rfp_margin, depth) + self.parity(depth);
        if improving {
            margin -= p.rfp_improving;
        }
        if opponent_worsening {
            margin -= p.rfp_worsening;
        }
        margin.max(0)
    }

    /// Razoring: how far below alpha it must be.
    #[inline]
    #[must_use]
    pub(crate) fn razoring(&self, depth: Depth) -> i32 {
        self.pruning.razor_base + SearchParams::margin(self.pruning.razor_margin, depth)
    }

    /// The reduction of a null move.
    #[inline]
    #[must_use]
    pub(crate) fn null_move(&self, depth: Depth, above_beta: i32) -> Depth {
        let p = &self.pruning;
        let by_eval =
            (above_beta * Depth::PLY.raw() / p.null_eval_div).clamp(0, 3 * Depth::PLY.raw());
        Depth::from_raw((p.null_base + depth.raw() / p.null_depth_div + by_eval) & !1)
    }

    /// After how many moves the quiet ones are not tried any more.
    #[inline]
    #[must_use]
    pub(crate) fn late_moves(&self, depth: Depth, improving: bool) -> usize {
        let p = &self.pruning;
        let squared = depth.raw() * depth.raw() / (Depth::PLY.raw() * Depth::PLY.raw() / 16);
        let count = p.late_base + p.late_scale * squared / 1600;
        if improving {
            count as usize
        } else {
            (count / 2).max(1) as usize
        }
    }

    /// Shift of the futility margins by who makes the last move before the horizon.
    #[inline]
    #[must_use]
    pub(crate) fn parity(&self, depth: Depth) -> i32 {
        let p = &self.pruning;
        match (p.parity, depth.in_plies() % 2 != 0) {
            (false, _) => 0,
            (true, true) => p.parity_own,
            (true, false) => p.parity_their,
        }
    }

    /// Bonus and malus of the histories for a cut-off at `depth`.
    #[inline]
    #[must_use]
    pub(crate) fn history_bonus(&self, depth: Depth) -> (i32, i32) {
        let (h, plies) = (&self.history, depth.in_plies().max(1));
        (
            (h.bonus_scale * plies).min(h.bonus_max),
            (h.malus_scale * plies).min(h.malus_max),
        )
    }

    /// The first half-width of the aspiration window.
    #[must_use]
    pub(crate) fn aspiration_window(&self, score: Score) -> i32 {
        self.search.aspiration_window + score.raw().abs() / 64
    }
}
