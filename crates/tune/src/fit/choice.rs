//! The conditional logit (McFadden 1974): of several alternatives one is chosen, each with a
//! probability in proportion to the exponential of its utility.

use nalgebra::{DMatrix, DVector};

use super::likelihood::{Likelihood, Sparse};

/// Choices among alternatives.
#[derive(Clone, Debug)]
pub(super) struct Choices {
    width: usize,
    /// The alternatives of all choices, one choice after the other.
    features: Sparse,
    /// Where the alternatives of each choice begin, and where the last ones end.
    starts: Vec<u32>,
    /// Which alternative was taken.
    taken: Vec<u32>,
}

impl Choices {
    /// No choices yet; utilities will have `width` weights.
    pub(super) fn new(width: usize) -> Choices {
        Choices {
            width,
            features: Sparse::new(),
            starts: vec![0],
            taken: Vec::new(),
        }
    }

    /// Adds a choice: the features of every alternative, and which was taken.
    pub(super) fn push<R: IntoIterator<Item = (usize, f64)>>(
        &mut self,
        alternatives: impl IntoIterator<Item = R>,
        taken: usize,
    ) {
        for row in alternatives {
            self.features.push(row);
        }
        self.starts.push(self.features.len() as u32);
        self.taken.push(taken as u32);
    }

    /// Number of choices.
    pub(super) fn len(&self) -> usize {
        self.taken.len()
    }

    /// Which alternative of a choice was taken.
    pub(super) fn taken(&self, index: usize) -> usize {
        self.taken[index] as usize
    }

    /// The logarithms of the probabilities of a choice's alternatives, in nats.
    pub(super) fn log_probabilities(&self, index: usize, weights: &[f64], logs: &mut Vec<f64>) {
        let (from, to) = (self.starts[index] as usize, self.starts[index + 1] as usize);
        logs.clear();
        logs.extend((from..to).map(|row| self.features.dot(row, weights)));
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|utility| (utility - most).exp()).sum();
        let all = most + sum.ln();
        logs.iter_mut().for_each(|utility| *utility -= all);
    }

    /// What each choice costs, in bits.
    pub(super) fn bits(&self, weights: &[f64]) -> Vec<f64> {
        let mut logs = Vec::new();
        let cost = |index| {
            self.log_probabilities(index, weights, &mut logs);
            -logs[self.taken(index)] / std::f64::consts::LN_2
        };
        (0..self.len()).map(cost).collect()
    }
}

impl Likelihood for Choices {
    fn width(&self) -> usize {
        self.width
    }

    fn cost(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        let (mut cost, mut logs) = (0.0, Vec::new());
        for index in 0..self.len() {
            self.log_probabilities(index, weights, &mut logs);
            let (first, taken) = (self.starts[index] as usize, self.taken(index));
            cost -= logs[taken];
            for (place, log) in logs.iter().enumerate() {
                self.features.add_to(first + place, log.exp(), gradient);
            }
            self.features.add_to(first + taken, -1.0, gradient);
        }
        cost
    }

    fn information(&self, weights: &[f64]) -> DMatrix<f64> {
        let mut information = DMatrix::zeros(self.width, self.width);
        let mut logs = Vec::new();
        let mut mean = DVector::zeros(self.width);
        for index in 0..self.len() {
            self.log_probabilities(index, weights, &mut logs);
            let first = self.starts[index] as usize;
            mean.fill(0.0);
            for (place, log) in logs.iter().enumerate() {
                let probability = log.exp();
                self.features
                    .add_to(first + place, probability, mean.as_mut_slice());
                self.features
                    .add_square(first + place, probability, &mut information);
            }
            information.ger(-1.0, &mean, &mean, 1.0);
        }
        information
    }
}
