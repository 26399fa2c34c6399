//! The price list: from facts about a move to what its mover pays.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;
use sextant_board::{Move, Position, Score, see_ge};
use sextant_config::{ExtensionsConfig, GapSource};

use super::{
    category::{Category, CategorySet, Exchange, MoveToPrice},
    units::Price,
};
use crate::window::Window;

/// Where the static score after a move lies, for the window-dependent costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgainstWindow {
    /// At or above beta.
    Above,
    /// Between alpha and beta.
    Inside,
    /// At or below alpha.
    Below,
}

impl AgainstWindow {
    pub fn of(score: Score, window: Window) -> AgainstWindow {
        if score >= window.beta {
            AgainstWindow::Above
        } else if score > window.alpha {
            AgainstWindow::Inside
        } else {
            AgainstWindow::Below
        }
    }
}

/// Categories that depend on the order in which moves are tried.
const BY_ORDER: [Category; 3] = [Category::First, Category::Killer, Category::CounterMove];

/// Categories that depend on the exchange that a capture or a check begins.
const BY_EXCHANGE: [Category; 5] = [
    Category::CaptureWinning,
    Category::CaptureEqual,
    Category::CaptureLosing,
    Category::CheckSafe,
    Category::CheckUnsafe,
];

/// Categories that a score gap makes more expensive.
const BY_GAP: [Category; 2] = [Category::QuietForward, Category::QuietBackward];

/// The categories of each weight, the lowest weight first.
type ByWeight = ArrayVec<(i32, CategorySet), { Category::COUNT }>;

/// The weights of `[extensions]` in sixteenths of an SX, ready for the search.
#[derive(Clone, Debug)]
pub struct Prices {
    weights: [i32; Category::COUNT],
    /// Without those that a score gap makes more expensive.
    by_weight: ByWeight,
    phases: [i32; 8],
    gap_weight: i32,
    gap_max: [i32; 2],
    gap_source: GapSource,
    window: Option<[i32; 3]>,
    /// Every move costs eight SX: nothing needs to be looked at.
    neutral: bool,
    /// Captures and checks are priced by their exchange value: the cheapest that it can make them.
    /// None if it makes no difference.
    by_exchange: Option<i32>,
    /// A mate that a null move shows makes every quiet move cheaper.
    mate_threat: bool,
}

impl Prices {
    /// The price list of a config. With `static_only` (exact mode) whatever depends on the
    /// ordering or on the window is left out.
    pub fn new(config: &ExtensionsConfig, static_only: bool) -> Prices {
        let nominal = Price::NOMINAL.raw();
        let mut weights = Category::ALL.map(|category| category.weight(config));
        if static_only {
            for category in BY_ORDER {
                weights[category as usize] = Price::MAX.raw();
            }
            weights[Category::MateThreat as usize] = nominal;
        }
        let w = |category: Category| weights[category as usize];
        let gap_weight = if static_only { 0 } else { config.gap_weight };
        let window = (config.window_costs && !static_only).then(|| {
            [
                config.window_above,
                config.window_inside,
                config.window_below,
            ]
            .map(|cost| cost - nominal)
        });
        let gap_max = [config.quiet_forward_max, config.quiet_backward_max];
        let neutral = gap_weight == 0
            && window.is_none()
            && config.phase.iter().all(|&cost| cost == 0)
            && Category::ALL.iter().all(|&category| {
                w(category) == nominal || static_only && BY_ORDER.contains(&category)
            });
        let needs_exchange = w(Category::CaptureWinning) != w(Category::CaptureEqual)
            || w(Category::CaptureEqual) != w(Category::CaptureLosing)
            || w(Category::CheckSafe) != w(Category::CheckUnsafe);
        let cheapest = BY_EXCHANGE.map(w).into_iter().fold(i32::MAX, i32::min);
        Prices {
            by_exchange: needs_exchange.then_some(cheapest),
            mate_threat: !static_only
                && w(Category::MateThreat)
                    < w(Category::QuietForward).min(w(Category::QuietBackward)),
            by_weight: by_weight(&weights, gap_weight != 0),
            weights,
            phases: config.phase,
            gap_weight,
            gap_max,
            gap_source: config.gap_source,
            window,
            neutral,
        }
    }

    /// Does the price depend on the static score after the move?
    pub const fn uses_window(&self) -> bool {
        self.window.is_some()
    }

    /// The score in which a quiet move's distance to the best one is measured, if it matters.
    pub fn gap(&self) -> Option<GapSource> {
        (self.gap_weight != 0).then_some(self.gap_source)
    }

    /// Is it worth counting the replies to a check?
    pub const fn asks_only_reply(&self) -> bool {
        self.weights[Category::OnlyReply as usize] != self.weights[Category::Evasion as usize]
    }

    /// Is a search for a threatened mate worth its nodes? Only where it makes every quiet move
    /// cheaper.
    pub const fn asks_mate_threat(&self) -> bool {
        self.mate_threat
    }

    /// The price of a legal move of `pos` and the category that decided it, whatever
    /// `asked.exchange` and `asked.node.mate_glance` say: the exchange is looked at, and
    /// `is_mate_threatened` is asked, only where that can make the move cheaper.
    #[inline]
    pub fn price_in(
        &self,
        pos: &Position,
        mv: Move,
        asked: &MoveToPrice<'_>,
        is_mate_threatened: impl FnOnce() -> bool,
    ) -> (Price, Category) {
        if self.neutral {
            return (Price::NOMINAL, Category::First);
        }
        let mut cheapest = self.cheapest_by_exchange(pos, mv, asked);
        let with_threat = self.weights[Category::MateGlance as usize];
        if with_threat < cheapest.0 && is_mate_threatened() {
            cheapest = (with_threat, Category::MateGlance);
        }
        (self.in_phase(cheapest.0, asked), cheapest.1)
    }

    /// The lowest cost of a move and its category without a look at threats of mate; the exchange
    /// is looked at where it can make the move cheaper.
    #[inline(always)]
    fn cheapest_by_exchange(
        &self,
        pos: &Position,
        mv: Move,
        asked: &MoveToPrice<'_>,
    ) -> (i32, Category) {
        let applicable = |asked: &MoveToPrice<'_>| {
            Category::applicable(asked).without(CategorySet::of(&[Category::MateGlance]))
        };
        let all = applicable(asked);
        let known = all.without(CategorySet::of(&BY_EXCHANGE));
        let Some(least) = self.by_exchange.filter(|_| known != all) else {
            return self.cheapest(all, asked);
        };
        let cheapest = self.cheapest(known, asked);
        if cheapest.0 < least {
            return cheapest;
        }
        let exchange = if asked.facts.victim.is_some() {
            Exchange::of(pos, mv)
        } else if see_ge(pos, mv, 0) {
            Exchange::Wins
        } else {
            Exchange::Loses
        };
        let asked = &MoveToPrice { exchange, ..*asked };
        self.cheapest(applicable(asked), asked)
    }

    /// The price of a move and the category that decided it: the cheapest that applies.
    pub fn price(&self, mv: &MoveToPrice<'_>) -> (Price, Category) {
        if self.neutral {
            return (Price::NOMINAL, Category::First);
        }
        let (cost, category) = self.cheapest(Category::applicable(mv), mv);
        (self.in_phase(cost, mv), category)
    }

    /// The lowest cost of these categories, and the first of them that asks no more.
    #[inline]
    fn cheapest(&self, categories: CategorySet, mv: &MoveToPrice<'_>) -> (i32, Category) {
        let cheapest = self
            .by_weight
            .iter()
            .find_map(|&(weight, those)| Some((weight, categories.first_of(those)?)))
            .unwrap_or((i32::MAX, Category::QuietForward));
        if self.gap_weight == 0 {
            return cheapest;
        }
        match categories.first_of(CategorySet::of(&BY_GAP)) {
            Some(quiet) => {
                let cost = self.with_gap(quiet, mv);
                if cost <= cheapest.0 {
                    (cost, quiet)
                } else {
                    cheapest
                }
            }
            None => cheapest,
        }
    }

    fn in_phase(&self, cost: i32, mv: &MoveToPrice<'_>) -> Price {
        Price::from_raw(cost + self.phases[mv.node.phase.index()])
    }

    /// What a quiet move costs with its score gap on top, up to a limit.
    fn with_gap(&self, category: Category, mv: &MoveToPrice<'_>) -> i32 {
        let weight = self.weights[category as usize];
        let max = self.gap_max[usize::from(mv.facts.backward)].max(weight);
        (weight + self.gap_weight * mv.order.gap / 100).min(max)
    }

    /// The same price moved by where the static score after the move lies (off by default: it
    /// makes a move's value depend on the window, as the paper warns).
    pub fn against_window(&self, price: Price, place: AgainstWindow) -> Price {
        match self.window {
            Some(costs) => Price::from_raw(price.raw() + costs[place as usize]),
            None => price,
        }
    }
}

fn by_weight(weights: &[i32; Category::COUNT], with_gap: bool) -> ByWeight {
    let mut sets = BTreeMap::<i32, CategorySet>::new();
    for category in Category::ALL {
        if !(with_gap && BY_GAP.contains(&category)) {
            let set = sets.entry(weights[category as usize]).or_default();
            *set = set.with(CategorySet::of(&[category]));
        }
    }
    sets.into_iter().collect()
}
