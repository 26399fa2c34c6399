//! The one door from the config to the search: every margin has a name here, one method or one
//! constant a rule. Depths are effective depths, margins centipawns.

use sextant_board::{Piece, SEE_VALUES, Score};
use sextant_config::{
    Config, ExtensionsConfig, HistoryConfig, PruningConfig, QuiescenceConfig, QuietFirst,
    SearchConfig, SyzygyConfig,
};

use crate::{
    budget::{Allowance, Budget, Budgets, Coupling, Credit, Depth, Prices},
    lmr::Reductions,
};

/// A result of the tablebases is stored this much deeper than its node.
pub(crate) const TABLEBASE_DRAFT: Depth = Depth::plies(6);

/// Null move: from this depth on a cutoff is verified by a search without null moves.
pub(crate) const NULL_MOVE_VERIFIED_FROM: Depth = Depth::plies(12);
/// Null move: the most that the reduction grows with the evaluation's lead over beta.
const NULL_MOVE_BY_EVAL: Depth = Depth::plies(3);

/// ProbCut: the search is this much shallower.
pub(crate) const PROBCUT_REDUCTION: Depth = Depth::plies(4);
/// ProbCut: a TT entry at most this much shallower than the node can refute it.
pub(crate) const PROBCUT_TT_SLACK: Depth = Depth::plies(3);

/// Singular test: the TT entry may be this much shallower than the node.
pub(crate) const SINGULAR_TT_SLACK: Depth = Depth::plies(3);

/// Optimism: at this score of the root, in centipawns, half of `search.optimism` counts.
const OPTIMISM_HALF: i32 = 80;

/// Hindsight: a parent's reduction of at least this, where the static evaluations do not improve
/// for us, is undone by a ply.
const HINDSIGHT_TOO_MUCH: Depth = Depth::plies(3);
/// Hindsight: the gain over both sides' evaluations that calls the last move too bad to be searched
/// on in full.
const HINDSIGHT_GAIN: i32 = 160;

/// SEE pruning: this many points of a capture's history are worth a centipawn of the margin.
const CAPTURE_HISTORY_PER_CP: i32 = 256;

/// Aspiration: the first iteration with a window, in nominal plies.
const ASPIRATION_FROM: u32 = 4;
/// Aspiration: wider than this, the window is opened altogether.
const ASPIRATION_WIDEST: i32 = 800;
/// Aspiration: after a fail high the root is searched this much less deep, at most.
const ASPIRATION_MAX_REDUCTION: Depth = Depth::plies(3);

/// Read-only parameters of one search; each worker owns a copy.
#[derive(Clone, Debug)]
pub(crate) struct SearchParams {
    /// Exact mode: the search makes no guess. Rules that guess are off; what is left to ask is the
    /// TT key, the draft of TT cutoffs, and the table, stand-pat and evasions of quiescence.
    pub exact: bool,
    pub coupling: Coupling,
    pub prices: Prices,
    pub reductions: Reductions,
    /// Which histories there are, and their bonuses.
    pub history: HistoryConfig,
    pub search: SearchConfig,
    pub quiescence: QuiescenceConfig,
    pub syzygy: SyzygyConfig,
    pub extensions: ExtensionsConfig,
    pub pruning: PruningConfig,
}

impl SearchParams {
    /// The parameters of `config`. With `exact` every rule that guesses is off, and every price
    /// that depends on ordering or window is static, so that the search equals plain negamax; with
    /// the table, as far as no rule looks at the path.
    pub(crate) fn new(config: &Config, exact: bool) -> SearchParams {
        let mut config = config.clone();
        if exact {
            without_guesses(&mut config);
        }
        let e = &config.extensions;
        SearchParams {
            exact,
            coupling: Coupling::new(e.coupling, e.coupling_rule, e.refund_ratio),
            prices: Prices::new(e, exact),
            reductions: Reductions::new(&config.reductions),
            extensions: config.extensions,
            pruning: config.pruning,
            history: config.history,
            quiescence: config.quiescence,
            search: config.search,
            syzygy: config.syzygy,
        }
    }

    /// What the root of an iteration of `total` may spend.
    pub(crate) fn root_allowance(&self, total: Budget) -> Allowance {
        Allowance {
            budgets: Budgets::root(total),
            credit: Credit::root(total, self.extensions.line_credit),
        }
    }

    /// Step 18: the share of a discount that counts, in 64ths, `beyond` the nominal depth or not.
    pub(crate) fn discount_share(&self, beyond: bool) -> i32 {
        if beyond {
            self.extensions.beyond_nominal
        } else {
            64
        }
    }

    /// The share of the nodes, in percent, that the proof-number search for mates gets.
    pub(crate) fn mate_share(&self) -> u64 {
        if self.exact {
            0
        } else {
            self.search.mate_search as u64
        }
    }

    /// Step 4: is a weighed difference of imbalances small enough for a TT cutoff?
    pub(crate) fn same_balance(&self, difference: i32) -> bool {
        difference.abs() <= 16 * self.search.transposition_tolerance
    }

    /// Step 5: are the tables, which know up to `max_men`, probed with `men` at `depth`?
    pub(crate) fn probes(&self, men: u32, max_men: u32, depth: Depth) -> bool {
        let limit = max_men.min(self.syzygy.probe_limit as u32);
        men < limit || men == limit && depth >= Depth::plies(self.syzygy.probe_depth)
    }

    /// Step 6: how far the static evaluation is shifted in favor of the side to move at the root,
    /// which the last iteration gave `score`.
    pub(crate) fn optimism(&self, score: Score) -> i32 {
        if score.is_decisive() || score == -Score::INFINITE {
            return 0;
        }
        self.search.optimism * score.raw() / (score.raw().abs() + OPTIMISM_HALF)
    }

    /// Step 7: what is taken from a node whose parent was reduced by `reduction`, where the last
    /// move cost the opponent `gain` by both static evaluations.
    pub(crate) fn hindsight_reduction(&self, reduction: Depth, gain: i32) -> Depth {
        if reduction >= HINDSIGHT_TOO_MUCH && gain <= 0 {
            -Depth::PLY
        } else if reduction >= Depth::plies(self.search.hindsight_least) && gain > HINDSIGHT_GAIN {
            Depth::PLY
        } else {
            Depth::ZERO
        }
    }

    /// Step 8, razoring: how far below alpha the estimate must be.
    pub(crate) fn razoring_margin(&self, depth: Depth) -> Option<i32> {
        let p = &self.pruning;
        (p.razoring && depth <= Depth::plies(p.razor_depth))
            .then(|| p.razor_base + per_ply(p.razor_margin, depth))
    }

    /// Step 9, reverse futility: how far above beta the estimate must be.
    pub(crate) fn reverse_futility_margin(
        &self,
        depth: Depth,
        improving: bool,
        opponent_worsening: bool,
    ) -> Option<i32> {
        let p = &self.pruning;
        if !p.reverse_futility || depth > Depth::plies(p.rfp_depth) {
            return None;
        }
        let mut margin = per_ply(p.rfp_margin, depth) + self.parity(depth);
        if improving {
            margin -= p.rfp_improving;
        }
        if opponent_worsening {
            margin -= p.rfp_worsening;
        }
        Some(margin.max(0))
    }

    /// Step 9: the score of a node that reverse futility cuts off, between the claim and the guess:
    /// the guess alone is too optimistic.
    pub(crate) fn reverse_futility_score(&self, beta: Score, estimate: Score) -> Score {
        let above_beta = estimate.raw() - beta.raw();
        Score::eval(beta.raw() + above_beta * self.pruning.rfp_share / 100)
    }

    /// Step 10: is a null move tried at this depth?
    pub(crate) fn null_move(&self, depth: Depth) -> bool {
        self.pruning.null_move && depth >= Depth::plies(self.pruning.null_min_depth)
    }

    /// Step 10: the reduction of a null move where the estimate lies `above_beta`.
    pub(crate) fn null_move_reduction(&self, depth: Depth, above_beta: i32) -> Depth {
        let p = &self.pruning;
        let by_eval =
            (above_beta * Depth::PLY.raw() / p.null_eval_div).clamp(0, NULL_MOVE_BY_EVAL.raw());
        Depth::from_raw((p.null_base + depth.raw() / p.null_depth_div + by_eval) & !1)
    }

    /// Step 11, ProbCut: how far above beta a capture must hold.
    pub(crate) fn probcut_margin(&self, depth: Depth, improving: bool) -> Option<i32> {
        let p = &self.pruning;
        let less = if improving { p.probcut_improving } else { 0 };
        (p.probcut && depth >= Depth::plies(p.probcut_depth))
            .then(|| (p.probcut_margin - less).max(1))
    }

    /// Step 12, internal iterative reduction: does it apply at this depth?
    pub(crate) fn iir(&self, depth: Depth) -> bool {
        self.search.iir && depth >= Depth::plies(self.search.iir_depth)
    }

    /// Step 13: does the best quiet move go before the captures (`quiet_first = "frontier"`)?
    pub(crate) fn quiet_first_at(&self, depth: Depth) -> bool {
        self.quiescence.quiet_first == QuietFirst::Frontier && depth <= Depth::PLY
    }

    /// Steps 14 and 15: has this side been forcing, and is it pruned half as eagerly for that?
    pub(crate) fn is_forcing(&self, allowance: Allowance) -> bool {
        self.pruning.forcing_half && allowance.budgets.gain_us() > 0
    }

    /// Step 14, late-move pruning: after how many moves the quiet ones are not tried any more.
    pub(crate) fn lmp_count(&self, depth: Depth, improving: bool, forcing: bool) -> Option<usize> {
        let p = &self.pruning;
        if !p.late_moves || depth > deepest(p.late_depth, forcing) {
            return None;
        }
        let squared = depth.raw() * depth.raw() / (Depth::PLY.raw() * Depth::PLY.raw() / 16);
        let count = p.late_base + p.late_scale * squared / 1600;
        let count = if improving {
            count as usize
        } else {
            (count / 2).max(1) as usize
        };
        Some(count << u32::from(forcing))
    }

    /// Step 14, futility: how far above the evaluation a quiet move may carry at `depth`.
    pub(crate) fn futility_margin(&self, depth: Depth) -> Option<i32> {
        let p = &self.pruning;
        (p.futility && depth <= Depth::plies(p.futility_depth))
            .then(|| p.futility_base + per_ply(p.futility_margin, depth) + self.parity(depth))
    }

    /// Step 15, futility: how far above the evaluation a capture that loses material may carry.
    pub(crate) fn bad_noisy_margin(&self, depth: Depth) -> Option<i32> {
        let p = &self.pruning;
        (p.futility && p.futility_bad_noisy > 0 && depth <= Depth::plies(p.futility_depth))
            .then(|| p.futility_base + per_ply(p.futility_bad_noisy, depth))
    }

    /// Step 15, history pruning: the least history of a quiet move that is tried.
    pub(crate) fn history_threshold(&self, depth: Depth) -> Option<i32> {
        let p = &self.pruning;
        (p.history_pruning && depth <= Depth::plies(p.history_depth))
            .then(|| -per_ply(p.history_margin, depth))
    }

    /// Step 15, SEE pruning: does it apply at this depth?
    pub(crate) fn see_pruning(&self, depth: Depth, forcing: bool) -> bool {
        self.pruning.see_pruning && depth <= deepest(self.pruning.see_depth, forcing)
    }

    /// Step 15: how much a capture may lose by exchange.
    pub(crate) fn see_capture_margin(&self, depth: Depth, history: i32) -> i32 {
        per_ply(self.pruning.see_capture, depth) + (history / CAPTURE_HISTORY_PER_CP).max(0)
    }

    /// Step 15: how much a quiet move may lose by exchange.
    pub(crate) fn see_quiet_margin(&self, depth: Depth) -> i32 {
        per_ply(self.pruning.see_quiet, depth)
    }

    /// Step 16: how far below the TT score everything else must stay.
    pub(crate) fn singular_margin(&self, depth: Depth) -> Option<i32> {
        let e = &self.extensions;
        (e.singular_enabled && depth >= Depth::plies(e.singular_depth))
            .then(|| per_ply(e.singular_margin, depth))
    }

    /// Step 20: bonus and malus of the histories for a cutoff at `depth`.
    pub(crate) fn history_bonus(&self, depth: Depth) -> (i32, i32) {
        let (h, plies) = (&self.history, depth.in_plies().max(1));
        (
            (h.bonus_scale * plies).min(h.bonus_max),
            (h.malus_scale * plies).min(h.malus_max),
        )
    }

    /// Are quiet checks tried at this ply of quiescence?
    pub(crate) fn quiet_checks_at(&self, qply: u16) -> bool {
        i32::from(qply) < self.quiescence.checks_plies
    }

    /// Delta pruning: what a capture may bring besides the captured piece.
    pub(crate) fn delta_margin(&self) -> Option<i32> {
        let q = &self.quiescence;
        q.delta.then_some(q.delta_margin)
    }

    /// Delta pruning: what the captured piece may bring.
    pub(crate) fn delta_gain(&self, victim: Piece) -> i32 {
        SEE_VALUES[victim as usize] * self.quiescence.delta_percent / 100
    }

    /// `quiet_first = "leaf"`: how little stand-pat must fail by.
    pub(crate) fn leaf_margin(&self) -> Option<i32> {
        let q = &self.quiescence;
        (q.quiet_first == QuietFirst::Leaf).then_some(q.leaf_margin)
    }

    /// Is an iteration of `plies` around `center` searched in an aspiration window?
    pub(crate) fn aspiration(&self, plies: u32, center: Score) -> bool {
        self.search.aspiration
            && plies >= ASPIRATION_FROM
            && !center.is_decisive()
            && center != -Score::INFINITE
    }

    /// The first half-width of the aspiration window.
    pub(crate) fn aspiration_width(&self, center: Score) -> i32 {
        self.search.aspiration_window + center.raw().abs() / 64
    }

    /// The half-width after one of `width` did not do; `None` for all there is.
    pub(crate) fn wider(&self, width: i32) -> Option<i32> {
        let wider = width + width / 2 + 4;
        (wider <= ASPIRATION_WIDEST).then_some(wider)
    }

    /// The reduction of a root of `depth` after one more fail high with `score`.
    pub(crate) fn after_fail_high(&self, reduction: Depth, depth: Depth, score: Score) -> Depth {
        if !self.search.aspiration_reduction || score.is_decisive() {
            return reduction;
        }
        let most = ASPIRATION_MAX_REDUCTION.min(depth - Depth::PLY);
        (reduction + Depth::PLY).min(most.max(Depth::ZERO))
    }

    /// Shift of the futility margins by who makes the last move before the horizon.
    fn parity(&self, depth: Depth) -> i32 {
        let p = &self.pruning;
        match (p.parity, depth.in_plies() % 2 != 0) {
            (false, _) => 0,
            (true, true) => p.parity_own,
            (true, false) => p.parity_their,
        }
    }
}

/// `margin` for each ply of `depth`.
fn per_ply(margin: i32, depth: Depth) -> i32 {
    margin * depth.raw() / Depth::PLY.raw()
}

/// The largest depth of a rule of `plies`: half of it for a side that has been forcing.
fn deepest(plies: i32, forcing: bool) -> Depth {
    let depth = Depth::plies(plies);
    if forcing { depth.half() } else { depth }
}

/// Switches off every rule by which the value of a node could differ from plain negamax.
fn without_guesses(config: &mut Config) {
    let s = &mut config.search;
    s.upcoming_repetition = false;
    s.mate_distance = false;
    s.mate_at_a_glance = false;
    s.hindsight = false;
    s.iir = false;
    s.optimism = 0;
    s.aspiration_reduction = false;
    let p = &mut config.pruning;
    p.razoring = false;
    p.reverse_futility = false;
    p.null_move = false;
    p.probcut = false;
    p.late_moves = false;
    p.futility = false;
    p.history_pruning = false;
    p.see_pruning = false;
    let q = &mut config.quiescence;
    q.quiet_first = QuietFirst::Off;
    q.see_pruning = false;
    q.delta = false;
    config.reductions.enabled = false;
    config.extensions.singular_enabled = false;
    config.extensions.verified = false;
    config.history.correction = false;
    config.history.table_moves = false;
    config.syzygy.probe_limit = 0;
}
