//! Fits, and measures what was fitted on the games kept for it.

use sextant_config::{Config, GapSource, Parameter, diff};
use sextant_search::budget::Category;

use super::{
    args::Model,
    calibration,
    choice::Choices,
    contest::{self, Judge},
    fixed::Fixed,
    hazard,
    outcome::{CategoryRow, Prices, Reductions, Task, Weight},
    parts::Parts,
    prices,
    reductions::{self, Trial},
    rivals,
    sample::Sample,
    table::{PER_SX, PriceList},
};
use crate::{failure::Failure, hash::hex, keys};

/// What everything is measured with.
pub(super) struct Study<'a> {
    /// The samples.
    pub(super) parts: &'a Parts<'a>,
    /// The config that is fitted.
    pub(super) base: (&'a str, &'a Config),
    /// Others to compare with.
    pub(super) others: &'a [(String, Config)],
    /// Keys that stay as the base has them.
    pub(super) kept: &'a [Parameter],
    /// The gap by which quiet moves grow dearer.
    pub(super) gap: GapSource,
    /// Resampled sets of games.
    pub(super) bootstrap: u32,
    /// Decides the resampling.
    pub(super) seed: u64,
}

impl Study<'_> {
    /// What was fitted, for the report.
    pub(super) fn task(&self, model: Model, fitted: &Config) -> Task {
        let (name, config) = self.base;
        Task {
            config: name.to_owned(),
            config_hash: hex(config.hash()),
            fitted_hash: hex(fitted.hash()),
            model: model.word(),
            gap_source: self.gap.word(),
            split_seed: self.seed,
            bootstrap: self.bootstrap,
            except: self.kept.iter().map(keys::name).collect(),
        }
    }

    fn judge(&self, games: Vec<u64>, bits: Vec<f64>) -> Judge {
        Judge {
            games,
            bits,
            times: self.bootstrap,
            seed: self.seed,
        }
    }

    /// Gives the kept keys the values of the base again.
    fn keep(&self, config: &mut Config) {
        for parameter in self.kept {
            if let Some(value) = parameter.get(self.base.1) {
                parameter
                    .set(config, value)
                    .expect("what a config holds is in range");
            }
        }
    }

    /// Refuses to keep so much that nothing makes the best moves cost what they should.
    fn check_scale(&self, mean: f64) -> Result<(), Failure> {
        let are_kept = self.kept.iter().any(|one| one.spec.section == "extensions");
        if are_kept && (mean - prices::NOMINAL).abs() > 0.01 {
            return Err(Failure::usage(format!(
                "with the prices that --except keeps the best moves cost {mean:.2} SX on average \
                 whatever the others are, and not {:.0}; keep fewer of them, or --model reductions",
                prices::NOMINAL
            )));
        }
        Ok(())
    }

    /// Fits prices and writes them into `config`, but for the kept keys.
    ///
    /// # Errors
    /// [`Failure`] if the samples do not say enough.
    pub(super) fn prices(&self, config: &mut Config) -> Result<Prices, Failure> {
        let Parts {
            train,
            valid,
            test,
            test_games,
        } = self.parts;
        let before = PriceList::of(self.base.1);
        let ridge = {
            let guess = super::table::first_guess(self.gap);
            let train = prices::choices(train, &guess);
            let valid = prices::choices(valid, &guess);
            contest::best_ridge(&train, &valid, train.len())?
        };
        let fixed = Fixed::new(&before, self.kept, train);
        let learned = prices::learn(train, self.gap, ridge, &fixed)?;
        self.check_scale(prices::mean_price(train, &learned.prices))?;
        prices::write(&learned.prices, config);
        let after = PriceList::of(config);

        let data = prices::choices(test, &learned.assigned);
        let bits = data.bits(&learned.fitted.weights);
        let mean_bits = contest::mean(&bits);
        let judge = self.judge(test_games.clone(), bits);
        let others: Vec<_> = self
            .others
            .iter()
            .filter(|(_, other)| other.extensions != self.base.1.extensions)
            .map(|(name, other)| (name, PriceList::of(other)))
            .collect();
        let mut lists = vec![(format!("prices of {}", self.base.0), &before)];
        lists.extend(
            others
                .iter()
                .map(|(name, list)| (format!("prices of {name}"), list)),
        );
        lists.push(("learned prices as written".to_owned(), &after));
        Ok(Prices {
            ridge,
            rounds: learned.rounds,
            kappa: learned.kappa,
            mean: (
                prices::mean_price(test, &before),
                prices::mean_price(test, &after),
            ),
            bits: mean_bits,
            entropy: entropy(&data, &learned.fitted.weights),
            categories: categories(train, &learned, &before, &after),
            gap: Weight {
                name: format!("gap_weight {} -> {}", before.gap, after.gap),
                weight: learned.fitted.weight(prices::GAP).0,
                error: learned.fitted.weight(prices::GAP).1,
            },
            phases: (in_sx(&before.phases), in_sx(&after.phases)),
            rivals: rivals::of_prices(train, test, &lists, &learned, &judge)?,
            calibration: calibration_of(&data, &learned.fitted.weights),
        })
    }

    /// Refuses samples that say nothing of late moves.
    ///
    /// # Errors
    /// [`Failure`] if those of one part hold no late move that was the one.
    pub(super) fn check_late_moves(&self) -> Result<(), Failure> {
        for (samples, purpose) in [
            (&self.parts.train, "learn from"),
            (&self.parts.valid, "choose the ridge by"),
            (&self.parts.test, "judge by"),
        ] {
            let trials = || reductions::trials(samples, self.base.1);
            if !trials().any(|trial| trial.ended) {
                return Err(Failure::usage(format!(
                    "the samples to {purpose} hold {} late moves that {} reduces, and none of them was \
                     the one; take more samples, or --model prices",
                    trials().count(),
                    self.base.0
                )));
            }
        }
        Ok(())
    }

    /// Fits reductions and writes them into `config`, but for the kept keys.
    ///
    /// # Errors
    /// [`Failure`] if the samples do not say enough.
    pub(super) fn reductions(&self, config: &mut Config) -> Result<Reductions, Failure> {
        let parts = self.parts;
        let base = self.base.1;
        let of = |samples| -> Vec<Trial<'_>> { reductions::trials(samples, base).collect() };
        let (train, valid, test) = (of(&parts.train), of(&parts.valid), of(&parts.test));
        let data =
            |trials: &[Trial<'_>]| reductions::data(trials.iter().copied(), reductions::SAYABLE);
        let ridge = contest::best_ridge(&data(&train), &data(&valid), train.len())?;
        let learned = reductions::learn(&parts.train, base, ridge)?;
        let before = config.clone();
        reductions::write(&learned, &parts.train, config, |config| self.keep(config));

        let tested = data(&test);
        let weights = &learned.sayable.weights;
        let bits = tested.bits(weights);
        let mean_bits = contest::mean(&bits);
        let games = self.games_of(&test);
        let mut configs = vec![(format!("reductions of {}", self.base.0), base)];
        configs.extend(
            self.others
                .iter()
                .filter(|(_, other)| {
                    other.reductions.enabled && other.reductions != base.reductions
                })
                .map(|(name, config)| (format!("reductions of {name}"), config)),
        );
        configs.push(("learned reductions as written".to_owned(), config));
        let judge = self.judge(games, bits);
        let predictions = (0..tested.len()).map(|index| {
            let logit = tested.logit(index, weights);
            (hazard::probability(logit), tested.ended(index))
        });
        Ok(Reductions {
            enabled: base.reductions.enabled,
            ridge,
            trials: (
                test.len() as u64,
                test.iter().filter(|trial| trial.ended).count() as u64,
            ),
            bits: mean_bits,
            rho: learned.rho,
            weights: named(&learned.sayable),
            keys: keys(&before, config),
            rivals: rivals::of_reductions(&train, &test, &configs, &learned, &judge)?,
            calibration: calibration::bins(predictions),
        })
    }

    /// The game of each trial of the test games.
    fn games_of(&self, trials: &[Trial<'_>]) -> Vec<u64> {
        // Trials come sample by sample, in the order of the samples.
        let mut samples = self
            .parts
            .test
            .iter()
            .zip(&self.parts.test_games)
            .peekable();
        let game = |trial: &Trial<'_>| {
            while samples
                .next_if(|(sample, _)| !std::ptr::eq(**sample, trial.sample))
                .is_some()
            {}
            samples.peek().map_or(0, |(_, game)| **game)
        };
        trials.iter().map(game).collect()
    }
}

/// Only differences of utilities mean something: they are shown against this one.
const REFERENCE: usize = Category::QuietForward as usize;

fn categories(
    train: &[&Sample],
    learned: &prices::Learned,
    before: &PriceList,
    after: &PriceList,
) -> Vec<CategoryRow> {
    let counts = prices::counts(train, &learned.assigned);
    let row = |category: Category| {
        let index = category as usize;
        let count = counts[index];
        let (utility, error) = learned.fitted.difference(index, REFERENCE);
        CategoryRow {
            name: category.name(),
            applies: count.applies,
            counts: count.moves,
            best: count.best,
            utility,
            error,
            bits: learned.bits[index],
            before: before.weights[index] / PER_SX,
            after: after.weights[index] / PER_SX,
            paper: paper(category),
        }
    };
    Category::ALL.map(row).into()
}

/// The decrements that the paper names (Levy, Broughton and Taylor 1989, for Cyrus 68K): ranges, of
/// which it says no more.
fn paper(category: Category) -> &'static str {
    match category {
        Category::CheckSafe
        | Category::CheckUnsafe
        | Category::CaptureWinning
        | Category::CaptureEqual
        | Category::CaptureLosing
        | Category::Recapture => "3 to 7",
        Category::QuietForward => "up to 21",
        Category::QuietBackward => "up to 24",
        _ => "",
    }
}

fn in_sx(sixteenths: &[f64]) -> Vec<f64> {
    sixteenths.iter().map(|price| price / PER_SX).collect()
}

/// The mean entropy of choices under a model, in bits.
fn entropy(choices: &Choices, weights: &[f64]) -> f64 {
    let mut logs = Vec::new();
    let bits = (0..choices.len()).map(|index| {
        choices.log_probabilities(index, weights, &mut logs);
        logs.iter().map(|log| -log.exp() * log).sum::<f64>() / std::f64::consts::LN_2
    });
    bits.sum::<f64>() / choices.len().max(1) as f64
}

fn calibration_of(choices: &Choices, weights: &[f64]) -> Vec<calibration::Bin> {
    let mut logs = Vec::new();
    let predictions = (0..choices.len()).flat_map(|index| {
        choices.log_probabilities(index, weights, &mut logs);
        let taken = choices.taken(index);
        let one = |(place, log): (usize, &f64)| (log.exp(), place == taken);
        logs.iter().enumerate().map(one).collect::<Vec<_>>()
    });
    calibration::bins(predictions)
}

fn named(fitted: &super::optimise::Fitted) -> Vec<Weight> {
    let named = reductions::NAMES.iter().take(fitted.weights.len());
    named
        .enumerate()
        .map(|(place, name)| {
            let (weight, error) = fitted.weight(place);
            Weight {
                name: (*name).to_owned(),
                weight,
                error,
            }
        })
        .collect()
}

/// The keys that changed.
fn keys(before: &Config, after: &Config) -> Vec<(String, i32, i32)> {
    let number = |value: &sextant_config::Value| match value {
        sextant_config::Value::Number(number) => Some(*number),
        _ => None,
    };
    diff(before, after)
        .iter()
        .filter_map(|one| Some((one.spec.key(), number(&one.from)?, number(&one.to)?)))
        .collect()
}
