//! The conditional logit (McFadden 1974): of several alternatives one is chosen, each with a
//! probability in proportion to the exponential of its utility. Newton's method finds the likeliest
//! weights of the utilities.

use std::f64::consts::LN_2;

use sextant_cli::{failure::Failure, signals};

/// More steps than Newton's method takes on a convex problem of so few weights.
const MOST_STEPS: usize = 100;
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
        let failed = || Failure::work("the fit does not converge; more samples are needed");
        let flat = FLAT * self.all.len().max(1) as f64;
        let mut point = self.at(ridge, start);
        for _ in 0..MOST_STEPS {
            if signals::is_interrupted() {
                let message = "stopped while fitting; nothing is written";
                return Err(Failure::interrupted(message));
            }
            let information = Cholesky::new(point.information).ok_or_else(failed)?;
            if dot(&point.gradient, &point.gradient).sqrt() < flat {
                return Ok(Fitted {
                    weights: point.weights,
                    information,
                });
            }
            let step = information.solve(&point.gradient);
            let ahead = |share: f64| {
                let pairs = point.weights.iter().zip(&step);
                self.at(ridge, pairs.map(|(weight, s)| weight - share * s).collect())
            };
            // A whole step may lead beyond the optimum, but not a short one. Next to it costs are
            // equal but for their last digits.
            let most = point.cost * (1.0 + 1e-12);
            let mut tried = (0..30).map(|halvings| ahead(0.5_f64.powi(halvings)));
            point = tried.find(|next| next.cost <= most).ok_or_else(failed)?;
        }
        Err(failed())
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
            point.add(choice);
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

/// Weights, what they cost in nats, and the derivatives of that.
struct Point {
    weights: Vec<f64>,
    cost: f64,
    gradient: Vec<f64>,
    information: Vec<Vec<f64>>,
}

impl Point {
    fn add(&mut self, choice: &Choice) {
        let logs = choice.log_probabilities(&self.weights);
        self.cost -= logs[choice.taken];
        let mut mean = vec![0.0; self.weights.len()];
        for (features, log) in choice.alternatives.iter().zip(&logs) {
            let probability = log.exp();
            for &(a, x) in features {
                mean[a] += probability * x;
                for &(b, y) in features {
                    self.information[a][b] += probability * x * y;
                }
            }
        }
        for (row, a) in self.information.iter_mut().zip(&mean) {
            row.iter_mut()
                .zip(&mean)
                .for_each(|(cell, b)| *cell -= a * b);
        }
        for (slope, expected) in self.gradient.iter_mut().zip(&mean) {
            *slope += expected;
        }
        for &(place, x) in &choice.alternatives[choice.taken] {
            self.gradient[place] -= x;
        }
    }
}

/// The lower triangle of a symmetric, positive definite matrix, decomposed.
pub(crate) struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    /// Decomposes a matrix; `None` if it is not positive definite.
    pub(crate) fn new(mut matrix: Vec<Vec<f64>>) -> Option<Cholesky> {
        for row in 0..matrix.len() {
            for column in 0..=row {
                let done = dot(&matrix[row][..column], &matrix[column][..column]);
                let left = matrix[row][column] - done;
                matrix[row][column] = if column < row {
                    left / matrix[column][column]
                } else {
                    Some(left.sqrt()).filter(|root| *root > 0.0)?
                };
            }
        }
        Some(Cholesky(matrix))
    }

    /// What the matrix makes `right` of.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Cholesky(lower) = self;
        let mut x = right.to_vec();
        for row in 0..x.len() {
            x[row] = (x[row] - dot(&lower[row][..row], &x[..row])) / lower[row][row];
        }
        for row in (0..x.len()).rev() {
            let below = (row + 1..x.len()).map(|i| lower[i][row] * x[i]);
            x[row] = (x[row] - below.sum::<f64>()) / lower[row][row];
        }
        x
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
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
            let slope = (above.cost - below.cost) / 2e-5;
            assert!((here.gradient[place] - slope).abs() < 1e-6);
            for other in 0..2 {
                let curve = (above.gradient[other] - below.gradient[other]) / 2e-5;
                assert!((here.information[place][other] - curve).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_not_decomposed() {
        assert!(Cholesky::new(vec![vec![1.0, 2.0], vec![2.0, 4.0]]).is_none());
    }
}
