//! A price list as the engine reads it: a weight for each category, of which the cheapest that applies
//! counts, the score gap of quiet moves, and the game phase. Prices are in sixteenths of an SX.

use sextant_config::{Config, GapSource, Parameter};
use sextant_search::budget::Category;

use super::sample::{Row, Sample};
use crate::keys;

/// Sixteenths in one SX.
pub(super) const PER_SX: f64 = 16.0;
/// Samples that a price must rest on at least.
pub(super) const FEWEST: u64 = 8;

/// Prices that need not be whole numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PriceList {
    pub(super) weights: [f64; Category::COUNT],
    /// For each hundred points of the gap.
    pub(super) gap: f64,
    pub(super) source: GapSource,
    /// Dearest quiet move forward, and backward.
    pub(super) most: [f64; 2],
    /// Added by game phase.
    pub(super) phases: [f64; 8],
}

impl PriceList {
    /// The prices of a config.
    pub(super) fn of(config: &Config) -> PriceList {
        let e = &config.extensions;
        PriceList {
            weights: Category::ALL.map(|category| f64::from(category.weight(e))),
            gap: f64::from(e.gap_weight),
            source: e.gap_source,
            most: [e.quiet_forward_max, e.quiet_backward_max].map(f64::from),
            phases: e.phase.map(f64::from),
        }
    }

    /// The list that fitting begins with: the sharper a category, the cheaper. It only decides which
    /// category a move counts for while nothing is learned yet.
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

    /// Writes the prices into a config, rounded to its sixteenths.
    pub(super) fn write(&self, config: &mut Config) {
        let e = &mut config.extensions;
        for category in Category::ALL {
            *category.weight_mut(e) = self.weights[category as usize].round() as i32;
        }
        e.gap_weight = self.gap.round() as i32;
        e.gap_source = self.source;
        e.phase = self.phases.map(|price| price.round() as i32);
    }

    /// The category that decides the price of a move, and the price without that of the phase.
    #[inline]
    pub(super) fn price(&self, row: &Row) -> (usize, f64) {
        let mut best = (0, f64::INFINITY);
        for category in row.categories() {
            let weight = self.weights[category];
            let price = if is_quiet(category) {
                let most = self.most[usize::from(row.is_backward())].max(weight);
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

    /// Mean price of the best moves, in SX.
    pub(super) fn mean(&self, samples: &[&Sample]) -> f64 {
        let price = |sample: &&Sample| {
            self.price(sample.best_move()).1 + self.phases[usize::from(sample.phase)]
        };
        samples.iter().map(price).sum::<f64>() / (PER_SX * samples.len().max(1) as f64)
    }

    /// How often each category applies, counts, and is best.
    pub(super) fn counts(&self, samples: &[&Sample]) -> [Count; Category::COUNT] {
        let mut counts = [Count::default(); Category::COUNT];
        for sample in samples {
            for (place, row) in sample.moves.iter().enumerate() {
                row.categories()
                    .for_each(|index| counts[index].applies += 1);
                let count = &mut counts[self.price(row).0];
                count.moves += 1;
                count.best += u64::from(place == usize::from(sample.best));
            }
        }
        counts
    }
}

/// Is the gap added to this category?
pub(super) fn is_quiet(category: usize) -> bool {
    category == Category::QuietForward as usize || category == Category::QuietBackward as usize
}

/// How often a category applies, counts, and is best.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    /// Moves that it applies to.
    pub(super) applies: u64,
    /// Moves that it counts for, being the cheapest that applies.
    pub(super) moves: u64,
    /// Best moves among these.
    pub(super) best: u64,
}

/// The lowest and the highest that prices may be; a price that is kept has but one value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    weights: [(f64, f64); Category::COUNT],
    pub(super) gap: (f64, f64),
    phases: [(f64, f64); 8],
}

impl Bounds {
    /// What the config allows; but the prices of `base` that `kept` names stay, and those of
    /// categories that too few moves of the samples belong to.
    pub(super) fn new(base: &PriceList, kept: &[Parameter], samples: &[&Sample]) -> Bounds {
        let kept: Vec<String> = kept.iter().map(keys::name).collect();
        let bounds = |name: &str, price: f64, is_known: bool| {
            let name = format!("extensions.{name}");
            let range = keys::find(&name).and_then(|parameter| parameter.number());
            match range.filter(|_| is_known && !kept.contains(&name)) {
                Some(number) => (f64::from(number.min), f64::from(number.max)),
                None => (price, price),
            }
        };
        let counts = base.counts(samples);
        Bounds {
            weights: Category::ALL.map(|category| {
                let index = category as usize;
                let is_known = counts[index].applies >= FEWEST;
                bounds(category.name(), base.weights[index], is_known)
            }),
            gap: bounds("gap_weight", base.gap, true),
            phases: std::array::from_fn(|phase| {
                bounds(&format!("phase_{phase}"), base.phases[phase], true)
            }),
        }
    }

    /// Cuts a price list to them.
    pub(super) fn cut(&self, list: &mut PriceList) {
        let prices = list.weights.iter_mut().chain(&mut list.phases);
        let bounds = self.weights.iter().chain(&self.phases);
        for (price, (low, high)) in prices.zip(bounds).chain([(&mut list.gap, &self.gap)]) {
            *price = price.clamp(*low, *high);
        }
    }
}

#[cfg(test)]
mod tests {
    use sextant_config::parameters;

    use super::*;

    #[test]
    fn every_price_that_is_fitted_can_be_kept() {
        let base = PriceList {
            weights: [1.0; Category::COUNT],
            gap: 2.0,
            phases: [3.0; 8],
            ..PriceList::of(&Config::default())
        };
        let all: Vec<Parameter> = parameters().collect();
        let mut list = PriceList::of(&Config::default());
        Bounds::new(&base, &all, &[]).cut(&mut list);
        assert_eq!(list, base);
    }
}
