//! The sequential probability ratio test (SPRT): play until it is clear enough.
//!
//! The log-likelihood ratio compares how well the results fit two hypotheses about the strength
//! when everything else (the share of draws, the bias of the openings) is fitted to each. It is the
//! generalized ratio of a multinomial distribution under a constraint on its mean, or for
//! normalized Elo on its mean in standard deviations (Michel Van den Bergh, "Comparing the
//! approximations for the generalized log likelihood ratio of a multinomial distribution" and
//! "Comments on normalized Elo"), as fastchess and fishtest compute it.

use std::f64::consts::{LN_10, SQRT_2};

use thiserror::Error;

use crate::pentanomial::{Pentanomial, expectation, score_of_elo};

/// What the bounds of a test count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SprtModel {
    Logistic,
    /// Normalized Elo: the length of a test does not depend on the share of draws.
    Normalized,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: SprtModel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SprtResult {
    /// The difference is rather `elo0`: not worth having.
    H0,
    /// The difference is rather `elo1`: passed.
    H1,
}

#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SprtError {
    #[error("SPRT bounds {elo0} and {elo1}: the first must be below the second, within +-1000")]
    Bounds { elo0: f64, elo1: f64 },
    #[error("SPRT error rate {found}: it must be above 0 and below 0.5, such as 0.05")]
    Rate { found: f64 },
}

impl Sprt {
    /// A test of `elo0` against `elo1`. `alpha` is the rate at which a true `elo0` passes, `beta`
    /// that at which a true `elo1` fails.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: SprtModel,
    ) -> Result<Sprt, SprtError> {
        let sane = |elo: f64| elo.abs() <= 1000.0;
        if !(sane(elo0) && sane(elo1) && elo0 < elo1) {
            return Err(SprtError::Bounds { elo0, elo1 });
        }
        for found in [alpha, beta] {
            if !(found > 0.0 && found < 0.5) {
                return Err(SprtError::Rate { found });
            }
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    pub fn model(&self) -> SprtModel {
        self.model
    }

    /// The log-likelihood ratios at which the test ends, for H0 and for H1 (Wald 1945).
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// Log-likelihood ratio of `elo1` to `elo0`; 0 without any pair.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let seen = Seen::new(pairs);
        let fit = |elo| match self.model {
            SprtModel::Logistic => seen.fit_score(score_of_elo(elo)),
            SprtModel::Normalized => seen.fit_normalized(elo),
        };
        let (p0, p1) = (fit(self.elo0), fit(self.elo1));
        let gains = (0..5).map(|i| seen.shares[i] * (p1[i] / p0[i]).ln());
        seen.total * gains.sum::<f64>()
    }

    /// What the test says, if it is over.
    pub fn verdict(&self, pairs: &Pentanomial) -> Option<SprtResult> {
        let llr = self.llr(pairs);
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Some(SprtResult::H1)
        } else if llr <= lower {
            Some(SprtResult::H0)
        } else {
            None
        }
    }
}

/// What was seen, as a distribution that leaves nothing impossible.
struct Seen {
    total: f64,
    shares: [f64; 5],
}

impl Seen {
    /// Stands for a count of 0: without it a result that did not come up yet could never come up,
    /// and the first pairs would prove anything.
    const NEVER: f64 = 1e-3;

    fn new(pairs: &Pentanomial) -> Seen {
        let counts = pairs.0.map(|count| match count {
            0 => Seen::NEVER,
            count => count as f64,
        });
        let total = counts.iter().sum();
        Seen {
            total,
            shares: counts.map(|count| count / total),
        }
    }

    /// The likeliest distribution whose mean is `score`.
    fn fit_score(&self, score: f64) -> [f64; 5] {
        self.fit(Pentanomial::SCORES.map(|value| value - score))
    }

    /// The likeliest distribution whose mean is `elo` normalized Elo from one half. The constraint
    /// holds the distribution's own deviation, so it is made linear at the last guess and solved
    /// again until the guess stays.
    fn fit_normalized(&self, elo: f64) -> [f64; 5] {
        let lead = SQRT_2 * elo * LN_10 / 800.0;
        let mut guess = [0.2; 5];
        for _ in 0..10 {
            let mean = expectation(&guess, |value| value);
            let deviation = expectation(&guess, |value| (value - mean).powi(2)).sqrt();
            let next = self.fit(Pentanomial::SCORES.map(|value| {
                let spread = 1.0 + ((value - mean) / deviation).powi(2);
                value - 0.5 - 0.5 * lead * deviation * spread
            }));
            let changes = next.iter().zip(guess).map(|(p, old)| (p - old).abs());
            let change = changes.fold(0.0, f64::max);
            guess = next;
            if change < 1e-6 {
                break;
            }
        }
        guess
    }

    /// The likeliest distribution under which `excess` has mean 0: p = share / (1 + theta * excess)
    /// with the one Lagrange multiplier theta that does it. The mean falls from plus to minus
    /// infinity between the poles, so that halving finds it.
    fn fit(&self, excess: [f64; 5]) -> [f64; 5] {
        let most = excess.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = excess.iter().copied().fold(f64::INFINITY, f64::min);
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        let fitted = |theta: f64| -> [f64; 5] {
            std::array::from_fn(|i| self.shares[i] / (1.0 + theta * excess[i]))
        };
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let terms = fitted(middle).into_iter().zip(excess);
            let mean: f64 = terms.map(|(p, value)| p * value).sum();
            if mean > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        fitted(0.5 * (low + high))
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::Random;

    use super::*;

    fn test(elo0: f64, elo1: f64, model: SprtModel) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    /// Counts, bounds and ratios from fastchess's own tests; they are given to 1 %.
    #[test]
    fn published_vectors() {
        let logistic = [
            ([223, 9863, 21_279, 10_037, 246], [0.5, 2.5], -3.07),
            ([871, 26_175, 55_983, 26_678, 821], [0.0, 2.0], -4.98),
        ];
        let normalized = [
            ([365, 16_618, 36_229, 16_974, 390], [0.0, 2.0], 2.25),
            ([127, 4883, 10_712, 5150, 104], [-1.75, 0.25], 3.01),
        ];
        for (model, cases) in [
            (SprtModel::Logistic, logistic),
            (SprtModel::Normalized, normalized),
        ] {
            for (counts, [elo0, elo1], expected) in cases {
                let llr = test(elo0, elo1, model).llr(&Pentanomial(counts));
                let tolerance: f64 = 0.01 * (1.0 + f64::abs(expected));
                let off = (llr - expected).abs();
                assert!(off < tolerance, "{counts:?}: {llr} is not {expected}");
            }
        }
    }

    /// When one side won every game, the likeliest even distribution halves wins and losses, and
    /// the other one shifts them by t standard deviations, where t^2 + 1 = 1 / (2 sigma)^2.
    #[test]
    fn a_clean_sweep_in_closed_form() {
        let sprt = test(0.0, 5.0, SprtModel::Normalized);
        let lead = SQRT_2 * 5.0 * LN_10 / 800.0;
        let share = 0.5 + 0.5 * lead / (1.0 + lead * lead).sqrt();
        let expected = 104.0 * (share / 0.5).ln();
        let llr = sprt.llr(&Pentanomial([0, 0, 0, 0, 104]));
        assert!((llr - expected).abs() < 0.01, "{llr} is not {expected}");
    }

    #[test]
    fn bounds_of_wald() {
        let (lower, upper) = test(0.0, 10.0, SprtModel::Logistic).bounds();
        assert!((lower + 2.944_439).abs() < 1e-6 && (upper - 2.944_439).abs() < 1e-6);
    }

    #[test]
    fn the_other_view_turns_the_sign_and_even_results_have_none() {
        for (elo0, elo1, mut counts) in [
            (-2.0, 7.0, [3, 10, 40, 25, 7]),
            (-2.0, 7.0, [0, 0, 0, 0, 5]),
            (-2.0, 7.0, [1, 0, 0, 0, 0]),
            (-2.0, 7.0, [0, 7, 0, 7, 0]),
            (-5.0, 5.0, [0, 0, 0, 0, 0]),
            (-5.0, 5.0, [4, 20, 60, 20, 4]),
            (-5.0, 5.0, [0, 0, 500, 0, 0]),
        ] {
            let pairs = Pentanomial(counts);
            counts.reverse();
            for model in [SprtModel::Logistic, SprtModel::Normalized] {
                let here = test(elo0, elo1, model).llr(&pairs);
                let there = test(-elo1, -elo0, model).llr(&Pentanomial(counts));
                let sum = here + there;
                assert!(sum.abs() < 1e-6, "{model:?} {counts:?}: {here} {there}");
            }
        }
    }

    #[test]
    fn senseless_tests_are_refused() {
        let new = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, SprtModel::Logistic);
        assert!(new(0.0, 10.0, 0.05, 0.1).is_ok());
        let nan = f64::NAN;
        for (elo0, elo1) in [(5.0, 5.0), (10.0, 0.0), (nan, 1.0), (0.0, f64::INFINITY)] {
            let refused = new(elo0, elo1, 0.05, 0.05);
            assert!(matches!(refused, Err(SprtError::Bounds { .. })));
        }
        for rate in [0.0, 0.5, -0.1, nan] {
            for refused in [new(0.0, 5.0, rate, 0.05), new(0.0, 5.0, 0.05, rate)] {
                assert!(matches!(refused, Err(SprtError::Rate { .. })));
            }
        }
    }

    /// Pair results of a player that is `elo` stronger: a usual spread, tilted until its mean fits.
    fn spread(elo: f64) -> [f64; 5] {
        Seen {
            total: 1.0,
            shares: [0.04, 0.22, 0.48, 0.22, 0.04],
        }
        .fit_score(score_of_elo(elo))
    }

    fn draw(shares: &[f64; 5], random: &mut Random) -> usize {
        let mut left = random.next_u64() as f64 / 2_f64.powi(64);
        for (index, share) in shares.iter().enumerate() {
            left -= share;
            if left < 0.0 {
                return index;
            }
        }
        4
    }

    /// Share of `runs` simulated tests that pass when the truth is `elo`, and their mean length.
    fn simulate(sprt: &Sprt, elo: f64, runs: u32, random: &mut Random) -> (f64, f64) {
        let shares = spread(elo);
        let (mut passed, mut length) = (0, 0);
        for _ in 0..runs {
            let mut pairs = Pentanomial::default();
            let verdict = loop {
                pairs.0[draw(&shares, random)] += 1;
                if let Some(verdict) = sprt.verdict(&pairs) {
                    break verdict;
                }
            };
            passed += u32::from(verdict == SprtResult::H1);
            length += pairs.pairs();
        }
        (
            f64::from(passed) / f64::from(runs),
            length as f64 / f64::from(runs),
        )
    }

    /// Wide bounds keep the runs short. 600 runs at a rate of 5 % have a standard error of 0.9 %,
    /// so the limits are three standard errors away.
    #[test]
    fn the_error_rates_hold() {
        let random = &mut Random::new(20_260_101);
        let sprt = test(0.0, 40.0, SprtModel::Logistic);
        let (false_passes, length) = simulate(&sprt, 0.0, 600, random);
        assert!((0.015..0.077).contains(&false_passes), "{false_passes}");
        let (passes, _) = simulate(&sprt, 40.0, 600, random);
        assert!((0.923..0.985).contains(&passes), "{passes}");
        let (middle, longest) = simulate(&sprt, 20.0, 600, random);
        assert!(
            (0.44..0.56).contains(&middle) && longest > length,
            "{middle} {longest} {length}"
        );
        let (far, short) = simulate(&sprt, 120.0, 200, random);
        assert!(far == 1.0 && short < length / 2.0, "{far} {short} {length}");
    }
}
