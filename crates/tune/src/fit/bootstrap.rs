//! Intervals by resampling games: the moves of one game are no independent witnesses.

use std::collections::BTreeMap;

use serde::Serialize;
use sextant_board::Random;

use super::go_on;
use crate::failure::Failure;

/// A mean and where 95 of 100 resampled means lie.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Interval {
    /// The mean of all.
    pub(super) mean: f64,
    /// The lower end.
    pub(super) low: f64,
    /// The upper end.
    pub(super) high: f64,
}

impl Interval {
    /// Does it lie apart from zero?
    pub(super) fn is_apart(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// The mean of `values`, each with the game that it belongs to, and its interval from `times` sets of
/// games drawn with replacement.
///
/// # Errors
/// [`Failure`] if somebody has stopped the run.
pub(super) fn mean(values: &[(u64, f64)], times: u32, seed: u64) -> Result<Interval, Failure> {
    let mut games: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for &(game, value) in values {
        let (sum, count) = games.entry(game).or_default();
        *sum += value;
        *count += 1.0;
    }
    let games: Vec<_> = games.into_values().collect();
    let mean_of = |drawn: &mut dyn Iterator<Item = (f64, f64)>| {
        let (sum, count) = drawn.fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d));
        if count > 0.0 { sum / count } else { 0.0 }
    };
    let mut random = Random::new(seed ^ 0x0062_6f6f_7473);
    let resampled = (0..times).map(|_| {
        go_on()?;
        let mut drawn = (0..games.len()).map(|_| games[random.below(games.len())]);
        Ok(mean_of(&mut drawn))
    });
    let mut means = resampled.collect::<Result<Vec<f64>, Failure>>()?;
    means.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = (share * (means.len().max(1) - 1) as f64).round() as usize;
        means.get(place).copied().unwrap_or(0.0)
    };
    Ok(Interval {
        mean: mean_of(&mut games.iter().copied()),
        low: at(0.025),
        high: at(0.975),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_not_moves_are_drawn() {
        // A hundred games, each of many equal moves: the moves must not make it surer.
        let values = |moves| {
            (0..100)
                .flat_map(move |game| (0..moves).map(move |_| (game, f64::from(game as u32 % 2))))
                .collect::<Vec<_>>()
        };
        let few = mean(&values(1), 1000, 3).unwrap();
        let many = mean(&values(50), 1000, 3).unwrap();
        assert_eq!(few.mean, 0.5);
        // The standard error of a fair coin thrown a hundred times is a twentieth.
        for interval in [few, many] {
            assert!((interval.low - 0.4).abs() < 0.025, "{interval:?}");
            assert!((interval.high - 0.6).abs() < 0.025, "{interval:?}");
            assert!(interval.is_apart());
        }
        assert_eq!(many, mean(&values(50), 1000, 3).unwrap());
    }
}
