//! How far a run looks and steps: the gain sequences of SPSA (Spall 1998), with the constants that
//! OpenBench gives them, so that a run here and a run there mean the same.

use serde::{Deserialize, Serialize};

/// Exponent by which the steps shrink.
const ALPHA: f64 = 0.602;
/// Exponent by which the perturbations shrink.
const GAMMA: f64 = 0.101;
/// Share of the run by which the step sequence is delayed, so that its first steps are no jumps.
const A_RATIO: f64 = 0.1;
/// A smaller perturbation of an integer could round to nothing.
const LEAST_PERTURBATION: f64 = 0.5;

/// The sequences of one run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Gains {
    pub(super) iterations: u64,
    /// The last step for one point of results, in squared last perturbations.
    pub(super) r_end: f64,
}

/// What holds for one parameter in one iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gain {
    /// How far both probes lie from the value.
    pub(super) perturbation: f64,
    /// How far the value moves for one point of results.
    pub(super) step: f64,
}

impl Gains {
    /// Can it be a learning rate at the end of a run?
    pub(super) fn is_rate(rate: f64) -> bool {
        rate > 0.0 && rate <= 1.0
    }

    /// The gain of iteration `index`, counted from 0, for a parameter whose last perturbation is
    /// `c_end`.
    pub(super) fn at(&self, index: u64, c_end: f64) -> Gain {
        let (planned, k) = (self.iterations as f64, (index + 1) as f64);
        let c0 = c_end * planned.powf(GAMMA);
        let a0 = self.r_end * c_end.powi(2) * (A_RATIO * planned + planned).powf(ALPHA);
        let perturbation = (c0 / k.powf(GAMMA)).max(LEAST_PERTURBATION);
        let a = a0 / (A_RATIO * planned + k).powf(ALPHA);
        Gain {
            perturbation,
            step: a / perturbation,
        }
    }
}

/// Reads a learning rate.
///
/// # Errors
/// What is allowed.
pub(crate) fn rate(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|rate| Gains::is_rate(*rate))
        .ok_or_else(|| format!("{text} is no rate; allowed is more than 0, at most 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_with_what_was_declared() {
        let gains = Gains {
            iterations: 1000,
            r_end: 0.002,
        };
        let last = gains.at(999, 20.0);
        assert!((last.perturbation - 20.0).abs() < 1e-9);
        assert!((last.step - 0.002 * 20.0).abs() < 1e-9);
        let first = gains.at(0, 20.0);
        // 1000^0.101 and (1100 / 101)^0.602 / 1000^0.101.
        assert!((first.perturbation / 20.0 - 2.0091).abs() < 1e-3);
        assert!(
            (first.step / last.step - 2.0962).abs() < 1e-3,
            "{}",
            first.step / last.step
        );
    }

    #[test]
    fn integers_are_always_moved() {
        let gains = Gains {
            iterations: 100,
            r_end: 0.002,
        };
        assert_eq!(gains.at(99, 0.1).perturbation, 0.5);
    }
}
