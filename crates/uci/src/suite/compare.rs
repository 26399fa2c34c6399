//! Two configs on the same positions: McNemar's exact test.

use serde_json::{Value, json};

use super::judge::Verdict;

/// Positions that only one of two configs solved. If both were equally good, each such position
/// would be the toss of a coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct McNemar {
    only_a: u64,
    only_b: u64,
}

impl McNemar {
    pub(super) fn of(a: &[Verdict], b: &[Verdict]) -> McNemar {
        let count = |a: &[Verdict], b: &[Verdict]| {
            a.iter()
                .zip(b)
                .filter(|(a, b)| a.solved && !b.solved)
                .count() as u64
        };
        McNemar {
            only_a: count(a, b),
            only_b: count(b, a),
        }
    }

    /// The two-sided p-value of the binomial test.
    fn p_value(self) -> f64 {
        let n = self.only_a + self.only_b;
        let few = self.only_a.min(self.only_b);
        // Logarithms, since 2^-n is too small for thousands of positions.
        let mut log_choose = 0.0_f64;
        let mut tail = 0.0;
        for k in 0..=few {
            if k > 0 {
                log_choose += ((n - k + 1) as f64).ln() - (k as f64).ln();
            }
            tail += (log_choose - n as f64 * std::f64::consts::LN_2).exp();
        }
        (2.0 * tail).min(1.0)
    }

    pub(super) fn to_text(self, a: &str, b: &str) -> String {
        let McNemar { only_a, only_b } = self;
        let p = self.p_value();
        format!("McNemar: only {a} {only_a}, only {b} {only_b}, two-sided exact p = {p:.4}")
    }

    pub(super) fn to_json(self) -> Value {
        json!({ "only_a": self.only_a, "only_b": self.only_b, "p": self.p_value() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(only_a: u64, only_b: u64) -> f64 {
        McNemar { only_a, only_b }.p_value()
    }

    #[test]
    fn p_values_are_those_of_the_binomial_test() {
        assert_eq!(p(0, 0), 1.0);
        assert_eq!(p(5, 5), 1.0);
        // 2 * (1 + 10) / 2^10
        assert!((p(1, 9) - 22.0 / 1024.0).abs() < 1e-12);
        assert!((p(9, 1) - p(1, 9)).abs() < 1e-12);
        assert!(p(3000, 2000) < 1e-40 && p(3000, 2000) >= 0.0);
    }
}
