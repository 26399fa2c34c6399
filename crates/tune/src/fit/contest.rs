//! The learned model against simpler ones, on games that neither was fitted to.

use serde::Serialize;

use super::{
    bootstrap::{self, Interval},
    likelihood::{Likelihood, Ridge},
    optimise,
};
use crate::failure::Failure;

/// Keeps the weights of a rival finite where the data say nothing of them.
const LEAST_RIDGE: f64 = 1e-3;
/// Ridges to choose from.
const RIDGES: [f64; 4] = [0.1, 1.0, 10.0, 100.0];

/// A model that others are measured by, or that is measured.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Entry {
    /// What it is.
    pub(super) name: String,
    /// Its weights in nats, where it has any.
    pub(super) weights: Vec<f64>,
    /// What a decision of the test games costs under it, in bits.
    pub(super) bits: f64,
    /// How much less it costs under the learned model.
    pub(super) gain: Interval,
}

/// The learned model's costs of the decisions of the test games, and who decides what is chance.
pub(super) struct Judge {
    /// The game of each decision.
    pub(super) games: Vec<u64>,
    /// What it costs, in bits.
    pub(super) bits: Vec<f64>,
    /// Resampled sets of games.
    pub(super) times: u32,
    /// The seed of the resampling.
    pub(super) seed: u64,
}

impl Judge {
    /// Measures a model by its costs of the same decisions.
    ///
    /// # Errors
    /// [`Failure`] if somebody has stopped the run.
    pub(super) fn entry(
        &self,
        name: impl Into<String>,
        weights: Vec<f64>,
        bits: &[f64],
    ) -> Result<Entry, Failure> {
        let pairs = self.games.iter().zip(bits.iter().zip(&self.bits));
        let gains: Vec<_> = pairs
            .map(|(&game, (theirs, ours))| (game, theirs - ours))
            .collect();
        Ok(Entry {
            name: name.into(),
            weights,
            bits: mean(bits),
            gain: bootstrap::mean(&gains, self.times, self.seed)?,
        })
    }
}

/// The weights of a rival.
///
/// # Errors
/// [`Failure`] if the solver fails.
pub(super) fn rival<L: Likelihood>(data: &L, observations: usize) -> Result<Vec<f64>, Failure> {
    let ridge = Ridge {
        data,
        strength: LEAST_RIDGE,
    };
    optimise::minimise(&ridge, observations, vec![0.0; data.width()])
}

/// The ridge under which what `train` teaches costs `valid` least.
///
/// # Errors
/// [`Failure`] if the solver fails.
pub(super) fn best_ridge<L: Likelihood>(
    train: &L,
    valid: &L,
    observations: usize,
) -> Result<f64, Failure> {
    let mut best = (f64::INFINITY, RIDGES[0]);
    let mut weights = vec![0.0; train.width()];
    for strength in RIDGES {
        let ridge = Ridge {
            data: train,
            strength,
        };
        weights = optimise::minimise(&ridge, observations, weights)?;
        let cost = valid.cost(&weights, &mut vec![0.0; valid.width()]);
        if cost < best.0 {
            best = (cost, strength);
        }
    }
    Ok(best.1)
}

/// The mean of some numbers; 0 of none.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
