//! The little statistics that the experiments need; distributions come from `statrs`.

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};
use statrs::statistics::Statistics;

/// Two-sided level of every test and interval here.
const LEVEL: f64 = 0.05;

/// A one-sample t-test of the mean against 0; on differences it is the paired t-test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TTest {
    pub(crate) count: usize,
    pub(crate) mean: f64,
    pub(crate) t: f64,
    /// Probability, if the mean were 0, of a t at least as large (one tail, upwards).
    pub(crate) p_one_tail: f64,
    /// The same for a t at least as far from 0.
    pub(crate) p_two_tails: f64,
    /// The interval that holds the mean with probability 0.95.
    pub(crate) interval: [f64; 2],
}

impl TTest {
    /// Tests `values`; `None` when there are fewer than two, or they are all equal.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<TTest> {
        let values = &values.into_iter().collect::<Vec<f64>>()[..];
        let count = values.len();
        let error = values.std_dev() / (count as f64).sqrt();
        let student = StudentsT::new(0.0, 1.0, count.saturating_sub(1) as f64);
        let student = student.ok().filter(|_| error > 0.0)?;
        let mean = values.mean();
        let t = mean / error;
        let reach = student.inverse_cdf(1.0 - LEVEL / 2.0) * error;
        Some(TTest {
            count,
            mean,
            t,
            p_one_tail: student.sf(t),
            p_two_tails: 2.0 * student.sf(t.abs()),
            interval: [mean - reach, mean + reach],
        })
    }

    /// Whether the mean differs from 0 at the two-sided level.
    pub(crate) fn significant(&self) -> bool {
        self.p_two_tails < LEVEL
    }

    /// The mean and the ends of its interval.
    pub(crate) fn span(&self) -> [f64; 3] {
        [self.mean, self.interval[0], self.interval[1]]
    }

    /// Mean and interval of a test of logarithms, as factors.
    pub(crate) fn factors(&self) -> [f64; 3] {
        self.span().map(f64::exp)
    }

    pub(crate) fn p(&self) -> String {
        probability(self.p_two_tails)
    }
}

/// The exact two-sided sign test (McNemar's test on matched pairs).
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignTest {
    /// Pairs whose first is the larger, and those whose second is.
    pub(crate) more: u64,
    pub(crate) less: u64,
    /// How likely a split at least as uneven is, were both equally likely; 1 without any pair.
    p: f64,
}

impl SignTest {
    pub(crate) fn of<T: Ord>(pairs: impl Iterator<Item = (T, T)>) -> SignTest {
        let (mut more, mut less) = (0, 0);
        for (first, second) in pairs {
            more += u64::from(first > second);
            less += u64::from(first < second);
        }
        let split = Binomial::new(0.5, more + less);
        let p = split.map_or(1.0, |split| (2.0 * split.cdf(more.min(less))).min(1.0));
        SignTest { more, less, p }
    }

    pub(crate) fn significant(&self) -> bool {
        self.p < LEVEL
    }

    pub(crate) fn p(&self) -> String {
        probability(self.p)
    }
}

/// A probability in words: small ones as a bound, for nobody knows their digits.
pub(crate) fn probability(p: f64) -> String {
    if p < 0.0001 {
        "p < 0.0001".to_owned()
    } else {
        format!("p = {p:.4}")
    }
}

/// The base of a number system in which `1 + b + ... + b^depth` is `nodes`: the effective
/// branching factor of a search that took so many nodes to that depth.
pub(crate) fn effective_branching(nodes: f64, depth: u32) -> f64 {
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
pub(crate) fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    Some(values.geometric_mean()).filter(|mean| mean.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_textbook_sample_gives_the_textbook_numbers_and_too_little_none() {
        // Student's own data of 1908: extra hours of sleep by two drugs.
        let test = TTest::of([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]).unwrap();
        let near = |found: f64, known: f64, error: f64| (found - known).abs() < error;
        assert!(near(test.t, 4.0621, 1e-4), "{test:?}");
        assert!(near(test.p_two_tails, 0.00283, 1e-5));
        assert!(near(test.interval[0], 0.70011, 1e-4) && near(test.interval[1], 2.45989, 1e-4));
        for few in [&[][..], &[1.0], &[2.0, 2.0, 2.0]] {
            assert_eq!(TTest::of(few.iter().copied()), None);
        }
    }

    #[test]
    fn the_sign_test_counts_coins() {
        // Five heads of five: 2/32 two-sided; six of eight: 2 (1 + 8 + 28) / 256.
        for (heads, tails, p) in [
            (5, 0, 0.0625),
            (2, 6, 74.0 / 256.0),
            (4, 4, 1.0),
            (0, 0, 1.0),
        ] {
            let coins = [vec![(1, 0); heads], vec![(0, 1); tails], vec![(1, 1); 3]].concat();
            let test = SignTest::of(coins.into_iter());
            assert_eq!((test.more, test.less), (heads as u64, tails as u64));
            assert!((test.p - p).abs() < 1e-12, "{test:?}");
        }
    }

    #[test]
    fn the_effective_branching_factor_of_a_uniform_tree_is_its_own() {
        for b in [2.0_f64, 3.0, 40.0] {
            let nodes = (0..=5).map(|i| b.powi(i)).sum();
            assert!((effective_branching(nodes, 5) - b).abs() < 1e-9);
        }
    }
}
