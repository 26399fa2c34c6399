//! Pentanomial results: the strength that game pairs show.

use std::f64::consts::{LN_10, SQRT_2};

use serde::{Deserialize, Serialize};

/// 97.5 % point of the normal distribution: two-sided intervals of 95 %.
const Z95: f64 = 1.959_963_984_540_054;

/// How many game pairs brought the first player 0, 1/2, 1, 3/2 and 2 points.
///
/// Pairs, not games, are the independent events: with an unbalanced opening the two games of a pair
/// are anything but independent, and a model that counts single games overstates the variance.
///
/// ```
/// use sextant_play::Pentanomial;
/// let pairs = Pentanomial([34, 54, 63, 64, 75]);
/// let (elo, error) = (pairs.elo(), pairs.elo_error().unwrap());
/// assert_eq!(format!("{elo:.2} +- {error:.2}"), "55.58 +- 27.65");
/// ```
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Hash, Serialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Share of the points for each kind of pair.
    pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean share of the points, 0 to 1; one half without any pair.
    pub fn score(&self) -> f64 {
        if self.pairs() == 0 {
            0.5
        } else {
            self.mean(|score| score)
        }
    }

    /// Variance of a pair's share of the points.
    pub fn variance(&self) -> f64 {
        if self.pairs() == 0 {
            return 0.0;
        }
        let mean = self.score();
        self.mean(|score| (score - mean).powi(2))
    }

    /// Logistic Elo difference; infinite for a score of 0 or 1.
    pub fn elo(&self) -> f64 {
        elo_of_score(self.score())
    }

    /// Half the width of the 95 % interval of [`Pentanomial::elo`]. `None` where there is no such
    /// number: no two pairs differ, or the interval of the score reaches 0 or 1.
    pub fn elo_error(&self) -> Option<f64> {
        let error = Z95 * self.standard_error()?;
        let (low, high) = (self.score() - error, self.score() + error);
        (low > 0.0 && high < 1.0).then(|| (elo_of_score(high) - elo_of_score(low)) / 2.0)
    }

    /// Normalized Elo difference, the score in standard deviations of a game: it counts what a test
    /// can see, and draws do not squeeze it (Van den Bergh, "Normalized Elo"). `None` if no two
    /// pairs differ.
    pub fn normalized_elo(&self) -> Option<f64> {
        let deviation = (2.0 * self.variance()).sqrt();
        (deviation > 0.0).then(|| (self.score() - 0.5) / deviation * 800.0 / LN_10)
    }

    /// Half the width of the 95 % interval of [`Pentanomial::normalized_elo`].
    pub fn normalized_elo_error(&self) -> Option<f64> {
        self.standard_error()?;
        Some(Z95 / (2.0 * self.pairs() as f64).sqrt() * 800.0 / LN_10)
    }

    /// Likelihood of superiority: the probability that the first player is the stronger one, given
    /// these results and nothing known before. `None` if no two pairs differ.
    pub fn superiority(&self) -> Option<f64> {
        let lead = self.score() - 0.5;
        self.standard_error()
            .map(|error| 0.5 * libm::erfc(-lead / error / SQRT_2))
    }

    /// Standard error of the score, `None` if the variance is 0.
    fn standard_error(&self) -> Option<f64> {
        let variance = self.variance();
        (variance > 0.0).then(|| (variance / self.pairs() as f64).sqrt())
    }

    fn mean(&self, of: impl Fn(f64) -> f64) -> f64 {
        expectation(&self.0.map(|count| count as f64), of) / self.pairs() as f64
    }
}

/// The sum of a function of the shares of the points, each weighed.
pub(super) fn expectation(weights: &[f64; 5], of: impl Fn(f64) -> f64) -> f64 {
    let pairs = weights.iter().zip(Pentanomial::SCORES);
    pairs.map(|(weight, score)| weight * of(score)).sum()
}

/// Elo difference at which this share of the points is expected.
fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Share of the points that is expected with an Elo difference.
pub(super) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts with the values that fastchess, the field's match runner, prints for them.
    #[test]
    fn published_vectors() {
        let cases = [
            ([34, 54, 63, 64, 75], [55.58, 27.65, 57.94, 28.28]),
            ([332, 433, 498, 333, 334], [-8.64, 10.33, -9.17, 10.96]),
            ([7895, 8757, 5685, 568, 9999], [-21.04, 2.95, -19.01, 2.65]),
        ];
        for (counts, expected) in cases {
            let pairs = Pentanomial(counts);
            let found = [
                Some(pairs.elo()),
                pairs.elo_error(),
                pairs.normalized_elo(),
                pairs.normalized_elo_error(),
            ];
            for (found, expected) in found.into_iter().zip(expected) {
                let off = (found.unwrap() - expected).abs();
                assert!(off <= 0.005 * (1.0 + 1e-9), "{pairs:?}: {found:?}");
            }
        }
        let superiority = Pentanomial(cases[1].0).superiority().unwrap();
        assert!((superiority - 0.0505).abs() < 5e-5, "{superiority}");
    }

    #[test]
    fn the_other_view_is_the_mirror_image() {
        let even = [5, 20, 50, 20, 5];
        for mut counts in [even, [3, 10, 40, 25, 7], [0, 1, 0, 5, 9], [50, 0, 0, 0, 1]] {
            let pairs = Pentanomial(counts);
            counts.reverse();
            let mirror = Pentanomial(counts);
            assert!((pairs.elo() + mirror.elo()).abs() < 1e-9);
            let sum = pairs.superiority().unwrap() + mirror.superiority().unwrap();
            assert!((sum - 1.0).abs() < 1e-12);
            assert_eq!(pairs.elo_error().is_some(), mirror.elo_error().is_some());
        }
    }

    #[test]
    fn results_without_spread_have_no_error_bars() {
        let none = Pentanomial::default();
        let even = Pentanomial([0, 0, 9, 0, 0]);
        let swept = Pentanomial([0, 0, 0, 0, 9]);
        for pairs in [none, even, swept] {
            assert_eq!(pairs.elo_error(), None);
            assert_eq!(pairs.normalized_elo(), None);
            assert_eq!(pairs.normalized_elo_error(), None);
            assert_eq!(pairs.superiority(), None);
        }
        let elos = [none, even, swept, Pentanomial([9, 0, 0, 0, 0])].map(|pairs| pairs.elo());
        assert_eq!(elos, [0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY]);
        // The interval of the score reaches beyond 1.
        assert_eq!(Pentanomial([0, 0, 1, 0, 9]).elo_error(), None);
    }
}
