//! Two configs on the same positions: McNemar's exact test.

use serde_json::{Value, json};
use sextant_play::Solved;
use statrs::distribution::{Binomial, DiscreteCDF as _};

/// Positions that only one of two configs solved. If both were equally good, each such position
/// would be the toss of a coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct McNemar {
    only_a: u64,
    only_b: u64,
}

impl McNemar {
    pub(super) fn new(a: &[Solved], b: &[Solved]) -> McNemar {
        let count = |a: &[Solved], b: &[Solved]| {
            let pairs = a.iter().zip(b);
            pairs
                .filter(|(a, b)| a.is_solved() && !b.is_solved())
                .count() as u64
        };
        McNemar {
            only_a: count(a, b),
            only_b: count(b, a),
        }
    }

    /// The two-sided p-value of the binomial test.
    fn p_value(self) -> f64 {
        let few = self.only_a.min(self.only_b);
        let tail = Binomial::new(0.5, self.only_a + self.only_b);
        tail.map_or(1.0, |tosses| (2.0 * tosses.cdf(few)).min(1.0))
    }

    pub(super) fn text(self, a: &str, b: &str) -> String {
        let McNemar { only_a, only_b } = self;
        let p = self.p_value();
        format!("McNemar: only {a} {only_a}, only {b} {only_b}, two-sided exact p = {p:.4}")
    }

    pub(super) fn json(self) -> Value {
        json!({ "only_a": self.only_a, "only_b": self.only_b, "p": self.p_value() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_are_those_of_the_binomial_test() {
        let p = |only_a, only_b| McNemar { only_a, only_b }.p_value();
        assert_eq!((p(0, 0), p(5, 5)), (1.0, 1.0));
        // 2 * (1 + 10) / 2^10
        assert!((p(1, 9) - 22.0 / 1024.0).abs() < 1e-12);
        assert!((p(9, 1) - p(1, 9)).abs() < 1e-12);
        assert!(p(3000, 2000) < 1e-40 && p(3000, 2000) >= 0.0);
    }
}
