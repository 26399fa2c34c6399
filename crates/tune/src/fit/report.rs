//! What was learned, and what it is worth on games that nothing was fitted to.

use std::{collections::BTreeMap, f64::consts::LN_2};

use sextant_cli::failure::Failure;
use sextant_config::{Config, Parameter};
use sextant_search::budget::Category;

use super::{
    learn::{self, Learned},
    logit::{Choice, Choices},
    prices::{FEWEST, GAP, PER_SX, PHASES, PriceList},
    samples::{Parts, Sample},
};
use crate::{hash::hex, keys};

/// Keeps the one weight of a price list finite where the data say nothing of it.
const LEAST_RIDGE: f64 = 1e-3;
/// Prices are told apart from that of a forward quiet move: only differences of utilities count.
const REFERENCE: usize = Category::QuietForward as usize;

pub(super) struct Report<'a> {
    pub(super) parts: &'a Parts<'a>,
    /// The config whose prices were fitted.
    pub(super) name: &'a str,
    pub(super) base: &'a Config,
    pub(super) fitted: &'a Config,
    pub(super) learned: &'a Learned,
    pub(super) seed: u64,
    pub(super) kept: &'a [Parameter],
    pub(super) games: usize,
}

impl Report<'_> {
    pub(super) fn text(&self) -> Result<String, Failure> {
        Ok(self.task() + &self.prices() + &self.gains()?)
    }

    fn task(&self) -> String {
        let [train, test] = [&self.parts.train, &self.parts.test].map(Vec::len);
        let kept: Vec<_> = self.kept.iter().map(keys::name).collect();
        let kept = match &*kept {
            [] => String::new(),
            kept => format!("kept: {}\n", kept.join(", ")),
        };
        format!(
            "fitted: {} (hash {} -> {}), gap source {}, split seed {}\n{kept}{} samples of {} games: \
             {train} to train, {test} to test\n",
            self.name,
            hex(self.base.hash()),
            hex(self.fitted.hash()),
            self.fitted.extensions.gap_source.word(),
            self.seed,
            train + test,
            self.games
        )
    }

    fn prices(&self) -> String {
        let (before, after) = (PriceList::of(self.base), PriceList::of(self.fitted));
        let learned = self.learned;
        let counts = learned.assigned.counts(&self.parts.train);
        let per_nat = learned.kappa / LN_2;
        let row = |category: Category| {
            let (place, count) = (category as usize, counts[category as usize]);
            format!(
                "{:16} {:>9} {:>9} {:>8} {:>9.4} {:>9.4} {:>6.2}\n",
                category.name(),
                count.applies,
                count.moves,
                count.best,
                before.prices[place] / PER_SX,
                after.prices[place] / PER_SX,
                per_nat * learned.fitted.error(&[(place, 1.0), (REFERENCE, -1.0)])
            )
        };
        let rare = Category::ALL.iter().filter_map(|&category| {
            let applies = counts[category as usize].applies;
            (applies < FEWEST).then(|| format!("{} ({applies})", category.name()))
        });
        let rare = match &*rare.collect::<Vec<_>>() {
            [] => String::new(),
            rare => format!(
                "prices kept, since fewer than {FEWEST} moves to train on are such: {}\n",
                rare.join(", ")
            ),
        };
        let phases = |list: &PriceList| PHASES.map(|i| list.prices[i] / PER_SX).collect::<Vec<_>>();
        format!(
            "\n{:16} {:>9} {:>9} {:>8} {:>9} {:>9} {:>6}\n{}{rare}gap_weight: {} -> {} +-{:.0}\n\
             game phases, SX: {:.2?} -> {:.2?}\n\
             kappa {:.3} SX a bit; the best moves of the test games cost {:.2} SX on average \
             (before: {:.2})\n",
            "category",
            "applies",
            "counts",
            "best",
            "before",
            "after",
            "+-",
            Category::ALL.map(row).concat(),
            before.prices[GAP],
            after.prices[GAP],
            PER_SX * per_nat * learned.fitted.error(&[(GAP, 1.0)]),
            phases(&before),
            phases(&after),
            learned.kappa,
            after.mean(&self.parts.test),
            before.mean(&self.parts.test)
        )
    }

    /// What the best move of a test game costs under the learned model and under others, each price
    /// list with the kappa that is best for it.
    fn gains(&self) -> Result<String, Failure> {
        let (train, test) = (&self.parts.train, &self.parts.test);
        let learned = self.learned;
        let ours = learn::choices(test, &learned.assigned).bits(&learned.fitted.weights);
        let uniform = test.iter().map(|sample| (sample.moves.len() as f64).log2());
        let by_price = |config: &Config| {
            let list = PriceList::of(config);
            let fitted = by_price(train, &list).fit(LEAST_RIDGE, vec![0.0])?;
            Ok::<_, Failure>(by_price(test, &list).bits(&fitted.weights))
        };
        let others = [
            ("uniform", uniform.collect()),
            (&*format!("prices of {}", self.name), by_price(self.base)?),
            ("learned prices as written", by_price(self.fitted)?),
        ];
        let row = |(name, theirs): (&str, Vec<f64>)| {
            let gains: Vec<f64> = theirs.iter().zip(&ours).map(|(a, b)| a - b).collect();
            format!(
                "{name:30} {:>8.4}  {:+.4} +-{:.4}\n",
                mean(&theirs),
                mean(&gains),
                error_of_mean(&gains, &self.parts.test_games)
            )
        };
        Ok(format!(
            "\n{:39}  gain of the learned model\n{:30} {:>8.4}\n{}\n\
             +- is one standard error: of a price against that of a forward quiet move, as if samples \
             were independent; of a gain with whole games as the units\n",
            "bits of a best move",
            "learned model",
            mean(&ours),
            others.map(row).concat()
        ))
    }
}

/// Choices by nothing but the price.
fn by_price(samples: &[&Sample], list: &PriceList) -> Choices {
    let price = |row| [(0, -list.price(row).1 / PER_SX), (0, 0.0)];
    let all = samples.iter().map(|sample| Choice {
        alternatives: sample.moves.iter().map(price).collect(),
        taken: sample.best.into(),
    });
    Choices {
        width: 1,
        all: all.collect(),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The standard error of a mean of values that belong to games: the moves of one game are no
/// independent witnesses. NaN for a single game, which has none.
fn error_of_mean(values: &[f64], games: &[u64]) -> f64 {
    let mean = mean(values);
    let mut deviations: BTreeMap<u64, f64> = BTreeMap::new();
    for (game, value) in games.iter().zip(values) {
        *deviations.entry(*game).or_default() += value - mean;
    }
    let games = deviations.len() as f64;
    let sum: f64 = deviations.values().map(|one| one * one).sum();
    (sum * games / (games - 1.0)).sqrt() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moves_of_a_game_do_not_make_it_surer() {
        // A fair coin thrown a hundred times.
        for moves in [1, 50] {
            let games: Vec<u64> = (0..100 * moves).map(|i| i / moves).collect();
            let values: Vec<f64> = games.iter().map(|game| (game % 2) as f64).collect();
            let error = error_of_mean(&values, &games);
            assert!((error - 0.05).abs() < 0.001, "{error}");
        }
    }
}
