//! A price list as the engine reads it: a weight for each category, of which the cheapest that applies
//! counts, and the score gap of quiet moves.

use sextant_config::{Config, ExtensionsConfig, GapSource, Parameter};
use sextant_search::budget::Category;

use super::sample::{BACKWARD, Row};

/// Sixteenths in one SX.
pub(super) const PER_SX: f64 = 16.0;

/// Prices in sixteenths of an SX, not yet rounded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PriceList {
    /// By category.
    pub(super) weights: [f64; Category::COUNT],
    /// For each hundred points of the gap.
    pub(super) gap: f64,
    /// Which gap.
    pub(super) source: GapSource,
    /// Dearest quiet move forward, and backward.
    pub(super) most: [f64; 2],
    /// Added by game phase.
    pub(super) phases: [f64; 8],
}

/// What the config allows the number of this UCI name to be, in its stored units.
///
/// # Panics
/// If there is no such number: the names are fixed.
pub(super) fn range(name: &str) -> (f64, f64) {
    let parameter = Parameter::find(name).expect("a parameter");
    let number = parameter.number().expect("a numeric parameter");
    (f64::from(number.min), f64::from(number.max))
}

impl PriceList {
    /// The prices of a config.
    pub(super) fn of(config: &Config) -> PriceList {
        let mut e = config.extensions.clone();
        PriceList {
            weights: Category::ALL.map(|category| f64::from(*weight(&mut e, category))),
            gap: f64::from(e.gap_weight),
            source: e.gap_source,
            most: [e.quiet_forward_max, e.quiet_backward_max].map(f64::from),
            phases: e.phase.map(f64::from),
        }
    }

    /// The category that decides the price of a move, and the price without that of the phase.
    #[inline]
    pub(super) fn price(&self, row: &Row) -> (usize, f64) {
        let mut best = (0, f64::INFINITY);
        for category in row.categories() {
            let weight = self.weights[category];
            let price = if is_quiet(category) {
                let most = self.most[usize::from(row.has(BACKWARD))].max(weight);
                (weight + self.gap * self.hundreds(row)).min(most)
            } else {
                weight
            };
            if price < best.1 {
                best = (category, price);
            }
        }
        best
    }

    /// The gap of a move, in hundreds.
    #[inline]
    pub(super) fn hundreds(&self, row: &Row) -> f64 {
        let gap = match self.source {
            GapSource::Order => row.order_gap,
            GapSource::Eval => row.eval_gap,
        };
        f64::from(gap) / 100.0
    }
}

/// Is the gap added to this category?
pub(super) fn is_quiet(category: usize) -> bool {
    category == Category::QuietForward as usize || category == Category::QuietBackward as usize
}

/// The key of a category.
pub(super) fn weight(e: &mut ExtensionsConfig, category: Category) -> &mut i32 {
    match category {
        Category::First => &mut e.first,
        Category::CheckSafe => &mut e.check_safe,
        Category::CheckUnsafe => &mut e.check_unsafe,
        Category::CaptureWinning => &mut e.capture_winning,
        Category::CaptureEqual => &mut e.capture_equal,
        Category::CaptureLosing => &mut e.capture_losing,
        Category::Recapture => &mut e.recapture,
        Category::Promotion => &mut e.promotion,
        Category::Underpromotion => &mut e.underpromotion,
        Category::PassedPawn => &mut e.passed_pawn,
        Category::OnlyReply => &mut e.only_reply,
        Category::Evasion => &mut e.evasion,
        Category::Killer => &mut e.killer,
        Category::CounterMove => &mut e.counter_move,
        Category::QuietForward => &mut e.quiet_forward,
        Category::QuietBackward => &mut e.quiet_backward,
        Category::MateThreat => &mut e.mate_threat,
        Category::MateGlance => &mut e.mate_glance,
    }
}

/// The price list that fitting begins with: the sharper a category, the cheaper. It only decides
/// which category a move counts for while nothing is learned yet.
pub(super) fn first_guess(source: GapSource) -> PriceList {
    let sx = |category| match category {
        Category::OnlyReply => 2.0,
        Category::Promotion | Category::Recapture => 3.0,
        Category::CheckSafe | Category::CaptureWinning => 4.0,
        Category::First | Category::CaptureEqual => 5.0,
        Category::Evasion | Category::PassedPawn => 6.0,
        Category::Killer | Category::CounterMove => 7.0,
        Category::MateThreat | Category::MateGlance => 7.5,
        Category::CheckUnsafe => 8.0,
        Category::CaptureLosing => 9.0,
        Category::Underpromotion => 12.0,
        Category::QuietForward => 10.0,
        Category::QuietBackward => 11.0,
    };
    PriceList {
        weights: Category::ALL.map(|category| PER_SX * sx(category)),
        gap: 0.0,
        source,
        most: [PER_SX * 21.0, PER_SX * 24.0],
        phases: [0.0; 8],
    }
}
