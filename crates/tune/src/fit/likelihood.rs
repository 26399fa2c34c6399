//! What the two models have in common: data that say how likely weights make them.

use nalgebra::DMatrix;

/// A negative log-likelihood in nats, convex in its weights.
pub(super) trait Likelihood {
    /// Number of weights.
    fn width(&self) -> usize;

    /// The negative log-likelihood; its gradient is added to `gradient`.
    fn cost(&self, weights: &[f64], gradient: &mut [f64]) -> f64;

    /// The matrix of its second derivatives.
    fn information(&self, weights: &[f64]) -> DMatrix<f64>;
}

/// A likelihood with a normal prior around zero: what the data say little about stays near zero, and
/// what they cannot tell apart (in a choice, a constant added to all weights) is settled.
pub(super) struct Ridge<'a, L> {
    /// The data.
    pub(super) data: &'a L,
    /// One over the variance of the prior.
    pub(super) strength: f64,
}

impl<L: Likelihood> Likelihood for Ridge<'_, L> {
    fn width(&self) -> usize {
        self.data.width()
    }

    fn cost(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        let mut cost = self.data.cost(weights, gradient);
        for (slope, weight) in gradient.iter_mut().zip(weights) {
            *slope += self.strength * weight;
            cost += 0.5 * self.strength * weight * weight;
        }
        cost
    }

    fn information(&self, weights: &[f64]) -> DMatrix<f64> {
        let mut information = self.data.information(weights);
        for place in 0..self.width() {
            information[(place, place)] += self.strength;
        }
        information
    }
}

/// Features of an alternative or an event: few of many are not zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Sparse {
    starts: Vec<u32>,
    entries: Vec<(u8, f32)>,
}

impl Sparse {
    /// No rows yet.
    pub(super) fn new() -> Sparse {
        Sparse {
            starts: vec![0],
            entries: Vec::new(),
        }
    }

    /// Appends a row; zeros are left out.
    pub(super) fn push(&mut self, row: impl IntoIterator<Item = (usize, f64)>) {
        let filled = row.into_iter().filter(|(_, value)| *value != 0.0);
        self.entries
            .extend(filled.map(|(place, value)| (place as u8, value as f32)));
        self.starts.push(self.entries.len() as u32);
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The features of a row that are not zero.
    #[inline]
    pub(super) fn row(&self, index: usize) -> &[(u8, f32)] {
        &self.entries[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// The product of a row with weights.
    #[inline]
    pub(super) fn dot(&self, index: usize, weights: &[f64]) -> f64 {
        let terms = self.row(index).iter();
        terms
            .map(|&(place, value)| weights[usize::from(place)] * f64::from(value))
            .sum()
    }

    /// Adds `factor` times a row to a vector.
    #[inline]
    pub(super) fn add_to(&self, index: usize, factor: f64, vector: &mut [f64]) {
        for &(place, value) in self.row(index) {
            vector[usize::from(place)] += factor * f64::from(value);
        }
    }

    /// Adds `factor` times the square of a row to a matrix.
    pub(super) fn add_square(&self, index: usize, factor: f64, matrix: &mut DMatrix<f64>) {
        let row = self.row(index);
        for &(a, x) in row {
            for &(b, y) in row {
                matrix[(usize::from(a), usize::from(b))] += factor * f64::from(x) * f64::from(y);
            }
        }
    }
}
