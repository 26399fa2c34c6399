//! The conditional logit (McFadden 1974): of several alternatives one is chosen, each with a
//! probability in proportion to the exponential of its utility. Newton's method finds the likeliest
//! weights of the utilities.

use std::f64::consts::LN_2;

use sextant_cli::failure::Failure;

use crate::newton::{self, Cholesky, Point, dot};

/// The optimum is reached where the gradient of the mean cost of a choice is below this.
const FLAT: f64 = 1e-8;

/// What makes the utility of an alternative: two weights, by their places, with their factors.
pub(super) type Features = [(usize, f64); 2];

/// Decisions of one kind, whose utilities have `width` weights.
pub(super) struct Choices {
    pub(super) width: usize,
    pub(super) all: Vec<Choice>,
}

pub(super) struct Choice {
    pub(super) alternatives: Vec<Features>,
    /// The place of that which was taken.
    pub(super) taken: usize,
}

pub(super) struct Fitted {
    pub(super) weights: Vec<f64>,
    /// The decomposed matrix of the second derivatives: the inverse of it is the covariance.
    information: Cholesky,
}

impl Fitted {
    /// The standard error of the sum of the weights, each times its factor, as if choices were
    /// independent.
    pub(super) fn error(&self, factors: &[(usize, f64)]) -> f64 {
        let mut row = vec![0.0; self.weights.len()];
        factors.iter().for_each(|&(place, x)| row[place] += x);
        dot(&self.information.solve(&row), &row).max(0.0).sqrt()
    }
}

impl Choices {
    /// The logarithms of the probabilities of the alternatives, in nats, for each choice.
    pub(super) fn log_probabilities(&self, weights: &[f64]) -> impl Iterator<Item = Vec<f64>> {
        self.all
            .iter()
            .map(|choice| choice.log_probabilities(weights))
    }

    /// What each choice costs, in bits.
    pub(super) fn bits(&self, weights: &[f64]) -> Vec<f64> {
        let logs = self.log_probabilities(weights);
        let taken = self.all.iter().zip(logs);
        taken
            .map(|(choice, logs)| -logs[choice.taken] / LN_2)
            .collect()
    }

    /// The likeliest weights under a normal prior around zero with a variance of one over `ridge`:
    /// what the data say little about stays near zero, and what they cannot tell apart (a constant
    /// added to all weights) is settled.
    pub(super) fn fit(&self, ridge: f64, start: Vec<f64>) -> Result<Fitted, Failure> {
        let flat = FLAT * self.all.len().max(1) as f64;
        let (weights, information) = newton::minimize(start, flat, |w| self.at(ridge, w))?;
        Ok(Fitted {
            weights,
            information,
        })
    }

    /// The cost of weights with its derivatives.
    fn at(&self, ridge: f64, weights: Vec<f64>) -> Point {
        let width = self.width;
        let mut point = Point {
            cost: 0.5 * ridge * dot(&weights, &weights),
            gradient: weights.iter().map(|weight| ridge * weight).collect(),
            information: vec![vec![0.0; width]; width],
            weights,
        };
        (0..width).for_each(|place| point.information[place][place] = ridge);
        for choice in &self.all {
            add(&mut point, choice);
        }
        point
    }
}

impl Choice {
    fn log_probabilities(&self, weights: &[f64]) -> Vec<f64> {
        let utility = |&[(a, x), (b, y)]: &Features| weights[a] * x + weights[b] * y;
        let mut logs: Vec<f64> = self.alternatives.iter().map(utility).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|utility| (utility - most).exp()).sum();
        let all = most + sum.ln();
        logs.iter_mut().for_each(|utility| *utility -= all);
        logs
    }
}

fn add(point: &mut Point, choice: &Choice) {
    let logs = choice.log_probabilities(&point.weights);
    point.cost -= logs[choice.taken];
    let mut mean = vec![0.0; point.weights.len()];
    for (features, log) in choice.alternatives.iter().zip(&logs) {
        let probability = log.exp();
        for &(a, x) in features {
            mean[a] += probability * x;
            for &(b, y) in features {
                point.information[a][b] += probability * x * y;
            }
        }
    }
    for (row, a) in point.information.iter_mut().zip(&mean) {
        row.iter_mut()
            .zip(&mean)
            .for_each(|(cell, b)| *cell -= a * b);
    }
    for (partial, expected) in point.gradient.iter_mut().zip(&mean) {
        *partial += expected;
    }
    for &(place, x) in &choice.alternatives[choice.taken] {
        point.gradient[place] -= x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradient_and_information_are_derivatives() {
        let rows = [
            [(0, 1.0), (0, 0.0)],
            [(1, 2.0), (0, 0.0)],
            [(0, -1.0), (1, 0.5)],
        ];
        let choice = Choice {
            alternatives: rows.into(),
            taken: 2,
        };
        let choices = Choices {
            width: 2,
            all: vec![choice],
        };
        let at = |shift: [f64; 2]| choices.at(0.3, vec![0.3 + shift[0], shift[1] - 0.2]);
        let here = at([0.0; 2]);
        for place in 0..2 {
            let shift = |by: f64| at(std::array::from_fn(|i| if i == place { by } else { 0.0 }));
            let (above, below) = (shift(1e-5), shift(-1e-5));
            let partial = (above.cost - below.cost) / 2e-5;
            assert!((here.gradient[place] - partial).abs() < 1e-6);
            for other in 0..2 {
                let curve = (above.gradient[other] - below.gradient[other]) / 2e-5;
                assert!((here.information[place][other] - curve).abs() < 1e-5);
            }
        }
    }
}
