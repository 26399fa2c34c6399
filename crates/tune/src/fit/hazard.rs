//! The sequential logit: moves are tried one after the other, and each ends the trying with a
//! probability that depends on its features, given that those before it did not. A move that was not
//! reached says nothing. The likelihood is that of a logistic regression over the moves tried.

use nalgebra::DMatrix;

use super::likelihood::{Likelihood, Sparse};

/// Moves tried, and whether each ended the trying.
#[derive(Clone, Debug)]
pub(super) struct Trials {
    width: usize,
    features: Sparse,
    ended: Vec<bool>,
}

impl Trials {
    /// No trials yet; the logit will have `width` weights.
    pub(super) fn new(width: usize) -> Trials {
        Trials {
            width,
            features: Sparse::new(),
            ended: Vec::new(),
        }
    }

    /// Adds a move that was tried.
    pub(super) fn push(&mut self, row: impl IntoIterator<Item = (usize, f64)>, ended: bool) {
        self.features.push(row);
        self.ended.push(ended);
    }

    /// Number of moves.
    pub(super) fn len(&self) -> usize {
        self.ended.len()
    }

    /// Did a move end the trying?
    pub(super) fn ended(&self, index: usize) -> bool {
        self.ended[index]
    }

    /// The logit of a move.
    pub(super) fn logit(&self, index: usize, weights: &[f64]) -> f64 {
        self.features.dot(index, weights)
    }

    /// What each move costs, in bits.
    pub(super) fn bits(&self, weights: &[f64]) -> Vec<f64> {
        let cost = |index| cost(self.logit(index, weights), self.ended[index]);
        (0..self.len())
            .map(|index| cost(index) / std::f64::consts::LN_2)
            .collect()
    }
}

/// The logistic function.
pub(super) fn probability(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// `-ln` of the probability of what happened, in a form that neither overflows nor cancels.
fn cost(logit: f64, ended: bool) -> f64 {
    let against = if ended { -logit } else { logit };
    against.max(0.0) + (-against.abs()).exp().ln_1p()
}

impl Likelihood for Trials {
    fn width(&self) -> usize {
        self.width
    }

    fn cost(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        let mut all = 0.0;
        for (index, &ended) in self.ended.iter().enumerate() {
            let logit = self.logit(index, weights);
            all += cost(logit, ended);
            let error = probability(logit) - f64::from(u8::from(ended));
            self.features.add_to(index, error, gradient);
        }
        all
    }

    fn information(&self, weights: &[f64]) -> DMatrix<f64> {
        let mut information = DMatrix::zeros(self.width, self.width);
        for index in 0..self.len() {
            let p = probability(self.logit(index, weights));
            self.features
                .add_square(index, p * (1.0 - p), &mut information);
        }
        information
    }
}
