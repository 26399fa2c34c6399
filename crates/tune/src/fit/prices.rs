//! A price list as the engine reads it: a weight for each category, of which the cheapest that
//! applies counts, the score gap of quiet moves, and the game phase. Prices are in sixteenths of an
//! SX.

use std::ops::Range;

use sextant_cli::failure::Failure;
use sextant_config::{Config, GapSource, Parameter};
use sextant_search::budget::Category;

use super::samples::{Row, Sample};
use crate::keys;

/// Sixteenths in one SX.
pub(super) const PER_SX: f64 = 16.0;
/// Moves that a price must rest on at least: with a few of them it may come out anywhere.
pub(super) const FEWEST: u64 = 100;

/// The place of the price for each hundred points of the gap; before it are those of the
/// categories.
pub(super) const GAP: usize = Category::COUNT;
/// The places of the prices that are added by game phase.
pub(super) const PHASES: Range<usize> = GAP + 1..GAP + 9;
pub(super) const COUNT: usize = PHASES.end;

/// Prices that need not be whole numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PriceList {
    pub(super) prices: [f64; COUNT],
    pub(super) source: GapSource,
    /// The most expensive that a quiet move may get, by where its category stands behind the first
    /// of them.
    most: [f64; 2],
}

/// Every price with its parameter.
fn parameters() -> impl Iterator<Item = (usize, Parameter)> {
    let categories = Category::ALL.map(|category| category.name().to_owned());
    let phases = (0..).map(|phase| format!("phase_{phase}"));
    let names = categories
        .into_iter()
        .chain(["gap_weight".to_owned()])
        .chain(phases);
    let named = (0..COUNT).zip(names);
    named.filter_map(|(place, name)| Some((place, keys::find(&format!("extensions.{name}"))?)))
}

impl PriceList {
    pub(super) fn of(config: &Config) -> PriceList {
        let e = &config.extensions;
        let mut prices = [0.0; COUNT];
        for (place, parameter) in parameters() {
            prices[place] = parameter.get(config).map_or(0.0, f64::from);
        }
        PriceList {
            prices,
            source: e.gap_source,
            most: [e.quiet_forward_max, e.quiet_backward_max].map(f64::from),
        }
    }

    /// The list that fitting begins with: the sharper a category, the cheaper. It only decides
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
        let mut prices = [0.0; COUNT];
        for category in Category::ALL {
            prices[category as usize] = PER_SX * sx(category);
        }
        PriceList {
            prices,
            source,
            most: [PER_SX * 21.0, PER_SX * 24.0],
        }
    }

    /// A config with these prices, rounded to its sixteenths.
    pub(super) fn written(&self, base: &Config) -> Result<Config, Failure> {
        let mut config = base.clone();
        config.extensions.gap_source = self.source;
        for (place, parameter) in parameters() {
            let set = parameter.set(&mut config, self.prices[place].round() as i32);
            set.map_err(Failure::work)?;
        }
        Ok(config)
    }

    /// The category that decides the price of a move, and the price without that of the phase.
    #[inline]
    pub(super) fn price(&self, row: &Row) -> (usize, f64) {
        let mut best = (0, f64::INFINITY);
        for category in row.categories() {
            let weight = self.prices[category];
            let price = if is_quiet(category) {
                let most = self.most[category - Category::QuietForward as usize].max(weight);
                (weight + self.prices[GAP] * row.hundreds(self.source)).min(most)
            } else {
                weight
            };
            if price < best.1 {
                best = (category, price);
            }
        }
        best
    }

    pub(super) fn phase(&self, phase: usize) -> f64 {
        self.prices[PHASES.start + phase]
    }

    /// Mean price of the best moves, in SX.
    pub(super) fn mean(&self, samples: &[&Sample]) -> f64 {
        let price =
            |sample: &&Sample| self.price(sample.best_move()).1 + self.phase(sample.phase.into());
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

pub(super) fn is_quiet(category: usize) -> bool {
    category == Category::QuietForward as usize || category == Category::QuietBackward as usize
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) applies: u64,
    /// Moves that it counts for, being the cheapest that applies.
    pub(super) moves: u64,
    /// Best moves among these.
    pub(super) best: u64,
}

/// The lowest and the highest that prices may be; a price that is kept has but one value.
pub(super) type Bounds = [(f64, f64); COUNT];

/// What the config allows; but the prices of `base` that `kept` names stay, and those of categories
/// that too few moves of the samples belong to.
pub(super) fn bounds(base: &PriceList, kept: &[Parameter], samples: &[&Sample]) -> Bounds {
    let kept: Vec<String> = kept.iter().map(keys::name).collect();
    let counts = base.counts(samples);
    let mut bounds = base.prices.map(|price| (price, price));
    for (place, parameter) in parameters() {
        let is_known = counts.get(place).is_none_or(|one| one.applies >= FEWEST);
        if let Some(number) = parameter.number()
            && is_known
            && !kept.contains(&keys::name(&parameter))
        {
            bounds[place] = (number.min.into(), number.max.into());
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use sextant_config::parameters as all;

    use super::*;

    #[test]
    fn every_price_is_read_and_written_and_can_be_kept() {
        let mut list = PriceList::of(&Config::default());
        list.prices = std::array::from_fn(|place| (place + 1) as f64);
        let config = list.written(&Config::default()).unwrap();
        assert_eq!(PriceList::of(&config), list);
        let kept = bounds(&list, &all().collect::<Vec<_>>(), &[]);
        assert_eq!(kept, list.prices.map(|price| (price, price)));
    }
}
