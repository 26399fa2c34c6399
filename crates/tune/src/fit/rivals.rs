//! What learned prices and reductions are compared with.

use sextant_config::Config;
use sextant_search::Reductions;

use super::{
    choice::Choices,
    contest::{Entry, Judge, rival},
    hazard::Trials,
    prices,
    reductions::{self, Trial},
    sample::{QUIET, Row, Sample},
    table::{PER_SX, PriceList},
};
use crate::failure::Failure;

/// The history that counts as one.
const HISTORY_FULL: f64 = 16_384.0;

/// A price list by name.
pub(super) type Named<'a> = (String, &'a PriceList);

/// The rivals of learned prices: no knowledge, price lists with their own best kappa, the place in the
/// order, place and history, and these with the learned categories.
///
/// # Errors
/// [`Failure`] if a fit fails, or somebody has stopped the run.
pub(super) fn of_prices(
    train: &[&Sample],
    test: &[&Sample],
    lists: &[Named<'_>],
    learned: &prices::Learned,
    judge: &Judge,
) -> Result<Vec<Entry>, Failure> {
    let uniform: Vec<f64> = test
        .iter()
        .map(|sample| (sample.moves.len() as f64).log2())
        .collect();
    let mut entries = vec![judge.entry("uniform", Vec::new(), &uniform)?];
    let mut enter = |name: String, width: usize, features: &Features<'_>| {
        let weights = {
            let data = choices(train, width, features);
            rival(&data, data.len())?
        };
        let bits = choices(test, width, features).bits(&weights);
        entries.push(judge.entry(name, weights, &bits)?);
        Ok::<_, Failure>(())
    };
    for (name, list) in lists {
        let by_price = |_: usize, row: &Row| vec![(0, -list.price(row).1 / PER_SX)];
        enter(name.clone(), 1, &by_price)?;
    }
    enter("ln index".to_owned(), 1, &|index, _| vec![by_index(index)])?;
    enter("ln index + history".to_owned(), 3, &|index, row| {
        vec![by_index(index), by_history(row)]
    })?;
    let all = |index: usize, row: &Row| {
        let (category, _) = learned.assigned.price(row);
        vec![by_index(index), by_history(row), (3 + category, 1.0)]
    };
    enter(
        "ln index + history + categories".to_owned(),
        3 + prices::GAP,
        &all,
    )?;
    Ok(entries)
}

type Features<'a> = dyn Fn(usize, &Row) -> Vec<(usize, f64)> + 'a;

fn choices(samples: &[&Sample], width: usize, features: &Features<'_>) -> Choices {
    let mut choices = Choices::new(width);
    for sample in samples {
        let rows = sample.moves.iter().enumerate();
        choices.push(
            rows.map(|(index, row)| features(index, row)),
            usize::from(sample.label.best),
        );
    }
    choices
}

fn by_index(index: usize) -> (usize, f64) {
    (0, -((index + 1) as f64).ln())
}

fn by_history(row: &Row) -> (usize, f64) {
    let history = f64::from(row.history) / HISTORY_FULL;
    (if row.has(QUIET) { 1 } else { 2 }, history)
}

/// The rivals of learned reductions: one hazard for all, configs' reductions, the number of the move,
/// number and history, and all features freely.
///
/// # Errors
/// [`Failure`] if a fit fails, or somebody has stopped the run.
pub(super) fn of_reductions(
    train: &[Trial<'_>],
    test: &[Trial<'_>],
    configs: &[(String, &Config)],
    learned: &reductions::Learned,
    judge: &Judge,
) -> Result<Vec<Entry>, Failure> {
    let mut entries = Vec::new();
    let mut enter = |name: String, width: usize, features: &TrialFeatures<'_>| {
        let weights = {
            let data = trials(train, width, features);
            rival(&data, data.len())?
        };
        let bits = trials(test, width, features).bits(&weights);
        entries.push(judge.entry(name, weights, &bits)?);
        Ok::<_, Failure>(())
    };
    enter("one hazard".to_owned(), 1, &|_| vec![(0, 1.0)])?;
    for (name, config) in configs {
        let table = Reductions::new(&config.reductions);
        let by_reduction =
            |trial: &Trial<'_>| vec![(0, 1.0), (1, -reductions::hand_set(trial, &table))];
        enter(name.clone(), 2, &by_reduction)?;
    }
    let number = |trial: &Trial<'_>| (1, -(trial.number as f64).ln());
    enter("ln index".to_owned(), 2, &|trial| {
        vec![(0, 1.0), number(trial)]
    })?;
    enter("ln index + history".to_owned(), 4, &|trial| {
        let (place, history) = by_history(&trial.sample.moves[trial.number - 1]);
        vec![(0, 1.0), number(trial), (place + 1, history)]
    })?;
    let free = reductions::data(test.iter().copied(), reductions::WIDTH);
    let (weights, bits) = (&learned.free.weights, free.bits(&learned.free.weights));
    entries.push(judge.entry("ln number and ln depth apart", weights.clone(), &bits)?);
    Ok(entries)
}

type TrialFeatures<'a> = dyn Fn(&Trial<'_>) -> Vec<(usize, f64)> + 'a;

fn trials(of: &[Trial<'_>], width: usize, features: &TrialFeatures<'_>) -> Trials {
    let mut trials = Trials::new(width);
    for trial in of {
        trials.push(features(trial), trial.ended);
    }
    trials
}
