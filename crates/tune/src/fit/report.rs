//! What was learned, and what it is worth on games that nothing was fitted to.

use std::{collections::BTreeMap, f64::consts::LN_2, fmt::Write as _};

use sextant_cli::failure::Failure;
use sextant_config::{Config, Parameter};
use sextant_search::budget::Category;

use super::{
    learn::{self, GAP, Learned},
    logit::Choices,
    parts::Parts,
    price_list::{FEWEST, PER_SX, PriceList},
    sample::Sample,
};
use crate::{hash::hex, keys};

/// Keeps the one weight of a price list finite where the data say nothing of it.
const LEAST_RIDGE: f64 = 1e-3;
/// Prices are told apart from that of a forward quiet move: only differences of utilities count.
const REFERENCE: usize = Category::QuietForward as usize;

/// A fit that is done.
pub(super) struct Report<'a> {
    pub(super) parts: &'a Parts<'a>,
    /// The config whose prices were fitted.
    pub(super) name: &'a str,
    pub(super) base: &'a Config,
    /// What became of it.
    pub(super) fitted: &'a Config,
    pub(super) learned: &'a Learned,
    pub(super) ridge: f64,
    pub(super) seed: u64,
    /// Keys that the user kept.
    pub(super) kept: &'a [Parameter],
    pub(super) games: usize,
}

/// Writing to a string cannot fail.
macro_rules! line {
    ($text:expr, $($arg:tt)*) => {
        let _ = writeln!($text, $($arg)*);
    };
}

impl Report<'_> {
    /// The report.
    ///
    /// # Errors
    /// [`Failure`] if a fit fails.
    pub(super) fn text(&self) -> Result<String, Failure> {
        let mut text = String::new();
        self.task(&mut text);
        self.prices(&mut text);
        self.gains(&mut text)?;
        Ok(text)
    }

    fn task(&self, text: &mut String) {
        line!(
            text,
            "fitted: {} (hash {} -> {}), gap source {}, split seed {}",
            self.name,
            hex(self.base.hash()),
            hex(self.fitted.hash()),
            self.fitted.extensions.gap_source.word(),
            self.seed
        );
        if !self.kept.is_empty() {
            let names: Vec<_> = self.kept.iter().map(keys::name).collect();
            line!(text, "kept: {}", names.join(", "));
        }
        let [train, valid, test] = self.parts.counts();
        line!(
            text,
            "{} samples of {} games: {train} to train, {valid} to choose the ridge, {test} to test",
            train + valid + test,
            self.games
        );
    }

    fn prices(&self, text: &mut String) {
        let (before, after) = (PriceList::of(self.base), PriceList::of(self.fitted));
        let learned = self.learned;
        let counts = learned.assigned.counts(&self.parts.train);
        line!(
            text,
            "\n{:16} {:>9} {:>9} {:>8} {:>9} {:>9} {:>6}",
            "category",
            "applies",
            "counts",
            "best",
            "before",
            "after",
            "+-"
        );
        let per_nat = learned.kappa / LN_2;
        for category in Category::ALL {
            let (index, count) = (category as usize, counts[category as usize]);
            line!(
                text,
                "{:16} {:>9} {:>9} {:>8} {:>9.4} {:>9.4} {:>6.2}",
                category.name(),
                count.applies,
                count.moves,
                count.best,
                before.weights[index] / PER_SX,
                after.weights[index] / PER_SX,
                per_nat * learned.fitted.error(&[(index, 1.0), (REFERENCE, -1.0)])
            );
        }
        let rare = Category::ALL.map(|category| (category, counts[category as usize].applies));
        let rare = rare.iter().filter(|(_, applies)| *applies < FEWEST);
        let rare: Vec<_> = rare
            .map(|(one, applies)| format!("{} ({applies})", one.name()))
            .collect();
        if !rare.is_empty() {
            line!(
                text,
                "prices kept, since fewer than {FEWEST} moves to train on are such: {}",
                rare.join(", ")
            );
        }
        line!(
            text,
            "gap_weight: {} -> {} +-{:.0}",
            before.gap,
            after.gap,
            PER_SX * per_nat * learned.fitted.error(&[(GAP, 1.0)])
        );
        let phases = |list: &PriceList| list.phases.map(|price| price / PER_SX);
        line!(
            text,
            "game phases, SX: {:.2?} -> {:.2?}",
            phases(&before),
            phases(&after)
        );
        line!(
            text,
            "kappa {:.3} SX a bit, ridge {}; the best moves of the test games cost {:.2} SX on average \
             (before: {:.2})",
            learned.kappa,
            self.ridge,
            after.mean(&self.parts.test),
            before.mean(&self.parts.test)
        );
    }

    /// What the best move of a test game costs under the learned model and under others, each price
    /// list with the kappa that is best for it.
    fn gains(&self, text: &mut String) -> Result<(), Failure> {
        let (train, test) = (&self.parts.train, &self.parts.test);
        let learned = self.learned;
        let ours = learn::choices(test, &learned.assigned).bits(&learned.fitted.weights);
        let uniform = |sample: &&Sample| (sample.moves.len() as f64).log2();
        let by_price = |config: &Config| {
            let list = PriceList::of(config);
            let fitted = by_price(train, &list).fit(LEAST_RIDGE, vec![0.0])?;
            Ok::<_, Failure>(by_price(test, &list).bits(&fitted.weights))
        };
        let others = [
            ("uniform".to_owned(), test.iter().map(uniform).collect()),
            (format!("prices of {}", self.name), by_price(self.base)?),
            (
                "learned prices as written".to_owned(),
                by_price(self.fitted)?,
            ),
        ];
        line!(
            text,
            "\n{:30} {:>8}  gain of the learned model",
            "bits of a best move",
            ""
        );
        line!(text, "{:30} {:>8.4}", "learned model", mean(&ours));
        for (name, theirs) in &others {
            let gains: Vec<f64> = theirs.iter().zip(&ours).map(|(a, b)| a - b).collect();
            line!(
                text,
                "{name:30} {:>8.4}  {:+.4} +-{:.4}",
                mean(theirs),
                mean(&gains),
                error_of_mean(&gains, &self.parts.test_games)
            );
        }
        line!(
            text,
            "\n+- is one standard error: of a price against that of a forward quiet move, as if samples \
             were independent; of a gain with whole games as the units"
        );
        Ok(())
    }
}

/// Choices by nothing but the price.
fn by_price(samples: &[&Sample], list: &PriceList) -> Choices {
    let mut choices = Choices::new(1);
    for sample in samples {
        let prices = sample.moves.iter().map(|row| -list.price(row).1 / PER_SX);
        choices.push(
            prices.map(|price| [(0, price), (0, 0.0)]),
            usize::from(sample.best),
        );
    }
    choices
}

/// The mean of some numbers; 0 of none.
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
        let tossed = |moves: u64| {
            let values = (0..100 * moves).map(|i| (i / moves % 2) as f64);
            let games = (0..100 * moves).map(|i| i / moves);
            error_of_mean(&values.collect::<Vec<_>>(), &games.collect::<Vec<_>>())
        };
        // A fair coin thrown a hundred times.
        for moves in [1, 50] {
            assert!((tossed(moves) - 0.05).abs() < 0.001, "{}", tossed(moves));
        }
    }
}
