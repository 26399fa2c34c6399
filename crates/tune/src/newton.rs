//! Newton's method for the likeliest weights, and the decomposition of matrices that it needs.

use sextant_cli::{failure::Failure, signals};

/// More steps than the method takes on a convex problem of few weights.
const MOST_STEPS: usize = 100;

/// Weights, what they cost in nats, and the derivatives of that.
pub(crate) struct Point {
    pub(crate) weights: Vec<f64>,
    pub(crate) cost: f64,
    pub(crate) gradient: Vec<f64>,
    /// The second derivatives, or what is expected of them (Fisher's scoring).
    pub(crate) information: Vec<Vec<f64>>,
}

/// The weights that cost least, and their decomposed information, whose inverse is the covariance.
/// The optimum is reached where the gradient is shorter than `flat`.
pub(crate) fn minimize(
    start: Vec<f64>,
    flat: f64,
    at: impl Fn(Vec<f64>) -> Point,
) -> Result<(Vec<f64>, Cholesky), Failure> {
    let failed = || Failure::work("the fit does not converge; more games are needed");
    let mut point = at(start);
    for _ in 0..MOST_STEPS {
        if signals::is_interrupted() {
            let message = "stopped while fitting; nothing is written";
            return Err(Failure::interrupted(message));
        }
        let information = Cholesky::new(point.information).ok_or_else(failed)?;
        if dot(&point.gradient, &point.gradient).sqrt() < flat {
            return Ok((point.weights, information));
        }
        let step = information.solve(&point.gradient);
        let ahead = |share: f64| {
            let pairs = point.weights.iter().zip(&step);
            at(pairs.map(|(weight, s)| weight - share * s).collect())
        };
        // A whole step may lead beyond the optimum, but not a short one. Next to it costs are equal
        // but for their last digits.
        let most = point.cost * (1.0 + 1e-12);
        let mut tried = (0..30).map(|halvings| ahead(0.5_f64.powi(halvings)));
        point = tried.find(|next| next.cost <= most).ok_or_else(failed)?;
    }
    Err(failed())
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

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_positive_definite_is_not_decomposed() {
        assert!(Cholesky::new(vec![vec![1.0, 2.0], vec![2.0, 4.0]]).is_none());
    }
}
