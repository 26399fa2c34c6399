//! The little statistics that the experiments need; distributions come from `statrs`.

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};
use statrs::statistics::Statistics;

use crate::error::LabError;

/// Two-sided level of every test and interval here.
pub const LEVEL: f64 = 0.05;

/// A one-sample t-test of the mean against 0; on differences it is the paired t-test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TTest {
    /// Number of measurements.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Standard error of the mean.
    pub error: f64,
    /// Student's t.
    pub t: f64,
    /// Probability, if the mean were 0, of a t at least as large (one tail, upwards).
    pub p_one_tail: f64,
    /// The same for a t at least as far from 0.
    pub p_two_tails: f64,
    /// The interval that holds the mean with probability 0.95.
    pub interval: (f64, f64),
}

impl TTest {
    /// Tests `values`.
    ///
    /// # Errors
    /// When there are fewer than two values, or they are all equal.
    pub fn of(values: &[f64]) -> Result<TTest, LabError> {
        let count = values.len();
        let error = values.std_dev() / (count as f64).sqrt();
        let student = distribution(count)?;
        if error.is_nan() || error <= 0.0 {
            return Err(LabError::AllEqual {
                what: "a t-test",
                found: count,
            });
        }
        let mean = values.mean();
        let t = mean / error;
        let reach = student.inverse_cdf(1.0 - LEVEL / 2.0) * error;
        Ok(TTest {
            count,
            mean,
            error,
            t,
            p_one_tail: student.sf(t),
            p_two_tails: 2.0 * student.sf(t.abs()),
            interval: (mean - reach, mean + reach),
        })
    }

    /// Whether the mean differs from 0 at the two-sided level.
    #[must_use]
    pub fn significant(&self) -> bool {
        self.p_two_tails < LEVEL
    }
}

/// The t beyond which a two-sided test of `count` values rejects.
///
/// # Errors
/// When there are fewer than two values.
pub fn critical_t(count: usize) -> Result<f64, LabError> {
    Ok(distribution(count)?.inverse_cdf(1.0 - LEVEL / 2.0))
}

fn distribution(count: usize) -> Result<StudentsT, LabError> {
    let too_few = LabError::TooFew {
        what: "a t-test",
        found: count,
        needed: 2,
    };
    let freedom = count.saturating_sub(1) as f64;
    StudentsT::new(0.0, 1.0, freedom).map_err(|_| too_few)
}

/// The exact two-sided sign test (McNemar's test on matched pairs): how likely a split at least as
/// uneven as `more` against `less` is, were both sides equally likely. 1 without any pair.
#[must_use]
pub fn sign_test(more: u64, less: u64) -> f64 {
    let pairs = more + less;
    Binomial::new(0.5, pairs).map_or(1.0, |split| (2.0 * split.cdf(more.min(less))).min(1.0))
}

/// A probability in words: small ones as a bound, for nobody knows their digits.
#[must_use]
pub fn probability(p: f64) -> String {
    if p < 0.0001 {
        "p < 0.0001".to_owned()
    } else {
        format!("p = {p:.4}")
    }
}

/// The base of a number system in which `1 + b + ... + b^depth` is `nodes`: the effective
/// branching factor of a search that took so many nodes to that depth.
#[must_use]
pub fn effective_branching(nodes: f64, depth: u32) -> f64 {
    let sum = |b: f64| (0..=depth).fold(0.0, |sum, _| sum * b + 1.0);
    let (mut low, mut high) = (0.0, nodes.max(1.0));
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if sum(middle) < nodes {
            low = middle
        } else {
            high = middle
        }
    }
    low
}

/// The geometric mean of positive numbers, or `None` without any.
#[must_use]
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty())
        .then(|| (values.iter().map(|v| v.ln()).sum::<f64>() / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_textbook_sample_gives_the_textbook_numbers() {
        // Student's own data of 1908: extra hours of sleep by two drugs.
        let extra = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        let test = TTest::of(&extra).unwrap();
        assert!((test.t - 4.0621).abs() < 1e-4, "{test:?}");
        assert!((test.p_two_tails - 0.00283).abs() < 1e-5);
        assert!(
            (test.interval.0 - 0.70011).abs() < 1e-4 && (test.interval.1 - 2.45989).abs() < 1e-4
        );
    }

    #[test]
    fn too_little_to_test_is_an_error() {
        assert!(TTest::of(&[]).is_err());
        assert!(TTest::of(&[1.0]).is_err());
        let equal = TTest::of(&[2.0, 2.0, 2.0]).unwrap_err().to_string();
        assert_eq!(equal, "a t-test: all 3 measurements are equal");
    }

    #[test]
    fn the_sign_test_counts_coins() {
        // Five heads of five: 2/32 two-sided; six of eight: 2 (1 + 8 + 28) / 256.
        assert!((sign_test(5, 0) - 0.0625).abs() < 1e-12);
        assert!((sign_test(2, 6) - 74.0 / 256.0).abs() < 1e-12);
        assert_eq!((sign_test(4, 4), sign_test(0, 0)), (1.0, 1.0));
    }

    #[test]
    fn the_effective_branching_factor_of_a_uniform_tree_is_its_own() {
        for b in [2.0_f64, 3.0, 40.0] {
            let nodes = (0..=5).map(|i| b.powi(i)).sum();
            assert!((effective_branching(nodes, 5) - b).abs() < 1e-9);
        }
    }
}
