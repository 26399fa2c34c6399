//! The likeliest weights, and how sure they are.

use std::cell::RefCell;

use argmin::{
    core::{CostFunction, Error, Executor, Gradient, State},
    solver::{linesearch::MoreThuenteLineSearch, quasinewton::LBFGS},
};
use nalgebra::DMatrix;

use super::{
    go_on,
    likelihood::{Likelihood, Ridge},
};
use crate::failure::Failure;

/// Steps that L-BFGS looks back.
const MEMORY: usize = 10;
/// More steps than any of these convex problems takes.
const MOST_STEPS: u64 = 500;
/// The optimum is reached where the gradient of the mean cost of an observation is below this.
const FLAT: f64 = 1e-8;

/// Weights of the least cost under a ridge.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fitted {
    /// The weights.
    pub(super) weights: Vec<f64>,
    /// Their covariance: the inverse of the information.
    covariance: DMatrix<f64>,
}

impl Fitted {
    /// A weight and its standard error.
    pub(super) fn weight(&self, place: usize) -> (f64, f64) {
        (self.weights[place], self.covariance[(place, place)].sqrt())
    }

    /// A weight less another one, and the standard error of the difference: where only differences
    /// mean something.
    pub(super) fn difference(&self, place: usize, from: usize) -> (f64, f64) {
        let c = &self.covariance;
        let variance = c[(place, place)] + c[(from, from)] - 2.0 * c[(place, from)];
        let difference = self.weights[place] - self.weights[from];
        (difference, variance.max(0.0).sqrt())
    }
}

/// Finds the weights of `data` under a ridge of `strength`, from `start` on.
///
/// # Errors
/// [`Failure`] if the data leave something undecided.
pub(super) fn fit<L: Likelihood>(
    data: &L,
    strength: f64,
    observations: usize,
    start: Vec<f64>,
) -> Result<Fitted, Failure> {
    let ridge = Ridge { data, strength };
    let weights = minimise(&ridge, observations, start)?;
    let covariance = covariance(&ridge, &weights)?;
    Ok(Fitted {
        weights,
        covariance,
    })
}

/// The weights alone, for rivals whose errors nobody asks for.
///
/// # Errors
/// [`Failure`] if the solver fails, or somebody has stopped the run.
pub(super) fn minimise<L: Likelihood>(
    likelihood: &L,
    observations: usize,
    start: Vec<f64>,
) -> Result<Vec<f64>, Failure> {
    let problem = Problem {
        likelihood,
        scale: 1.0 / observations.max(1) as f64,
        last: RefCell::new(None),
    };
    let failed = |error: Error| {
        let ours = error.downcast::<Failure>();
        ours.unwrap_or_else(|error| Failure::work(format!("the fit does not converge: {error}")))
    };
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY)
        .with_tolerance_grad(FLAT)
        .and_then(|solver| solver.with_tolerance_cost(1e-14))
        .map_err(failed)?;
    let result = Executor::new(problem, solver)
        .configure(|state| state.param(start).max_iters(MOST_STEPS))
        .run()
        .map_err(failed)?;
    let weights = result.state.get_best_param().cloned();
    weights.ok_or_else(|| Failure::work("the fit does not converge"))
}

/// The inverse of the information.
fn covariance<L: Likelihood>(likelihood: &L, weights: &[f64]) -> Result<DMatrix<f64>, Failure> {
    let information = likelihood.information(weights);
    let decomposed = information.cholesky().ok_or_else(|| {
        Failure::work("the samples leave some weights undecided; more of them are needed")
    })?;
    Ok(decomposed.inverse())
}

/// The likelihood as the solver asks for it: cost and gradient apart, of the same weights one after
/// the other.
struct Problem<'a, L> {
    likelihood: &'a L,
    scale: f64,
    last: RefCell<Option<Point>>,
}

/// Weights, their cost, and its gradient.
type Point = (Vec<f64>, f64, Vec<f64>);

impl<L: Likelihood> Problem<'_, L> {
    fn evaluate(&self, weights: &[f64]) -> Result<(f64, Vec<f64>), Failure> {
        go_on()?;
        if let Some((known, cost, gradient)) = &*self.last.borrow()
            && known == weights
        {
            return Ok((*cost, gradient.clone()));
        }
        let mut gradient = vec![0.0; self.likelihood.width()];
        let cost = self.scale * self.likelihood.cost(weights, &mut gradient);
        gradient.iter_mut().for_each(|slope| *slope *= self.scale);
        *self.last.borrow_mut() = Some((weights.to_vec(), cost, gradient.clone()));
        Ok((cost, gradient))
    }
}

impl<L: Likelihood> CostFunction for Problem<'_, L> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, weights: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.evaluate(weights)?.0)
    }
}

impl<L: Likelihood> Gradient for Problem<'_, L> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, weights: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.evaluate(weights)?.1)
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::Random;

    use super::*;
    use crate::fit::{
        choice::Choices,
        hazard::{Trials, probability},
    };

    fn uniform(random: &mut Random) -> f64 {
        (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Estimates, each with its standard error, must lie around the truth as the errors say: the sum
    /// of the squared deviations in errors has their number as its mean.
    fn recovered(found: &[(f64, f64)], truth: &[f64]) {
        let pairs = found.iter().zip(truth);
        let deviations: Vec<f64> = pairs
            .map(|((found, error), truth)| (found - truth) / error)
            .collect();
        assert!(
            deviations.iter().all(|one| one.abs() < 3.5),
            "{deviations:?}"
        );
        let sum: f64 = deviations.iter().map(|one| one * one).sum();
        let free = truth.len() as f64;
        assert!(sum > 0.1 * free && sum < 3.0 * free, "{deviations:?}");
        assert!(
            found.iter().all(|(_, error)| (0.001..0.2).contains(error)),
            "{found:?}"
        );
    }

    #[test]
    fn planted_utilities_come_back() {
        let truth = [1.2, -0.7, 0.4, 0.1, -1.0, 0.5];
        let mut random = Random::new(11);
        let mut choices = Choices::new(truth.len());
        for _ in 0..30_000 {
            let rows: Vec<[(usize, f64); 2]> = (0..2 + random.below(30))
                .map(|_| [(random.below(5), 1.0), (5, 2.0 * uniform(&mut random))])
                .collect();
            let odds: Vec<f64> = rows
                .iter()
                .map(|row| row.iter().map(|&(i, x)| truth[i] * x).sum::<f64>().exp())
                .collect();
            let mut left = uniform(&mut random) * odds.iter().sum::<f64>();
            let taken = odds.iter().position(|odds| {
                left -= odds;
                left < 0.0
            });
            choices.push(rows, taken.unwrap_or(0));
        }
        let fitted = fit(&choices, 1e-3, choices.len(), vec![0.0; 6]).unwrap();
        // Only differences of the first five mean something.
        let mut found: Vec<_> = (0..4).map(|place| fitted.difference(place, 4)).collect();
        found.push(fitted.weight(5));
        let truth = [2.2, 0.3, 1.4, 1.1, 0.5];
        recovered(&found, &truth);
    }

    #[test]
    fn planted_hazards_come_back() {
        let truth = [-1.5, -0.6, 0.8, 0.3];
        let mut random = Random::new(12);
        let mut trials = Trials::new(truth.len());
        for _ in 0..8_000 {
            for number in 1..=30 {
                let row = [
                    (0, 1.0),
                    (1, f64::from(number).ln()),
                    (2, 2.0 * uniform(&mut random) - 1.0),
                    (3, f64::from(u8::from(random.below(3) == 0))),
                ];
                let logit = row.iter().map(|&(i, x)| truth[i] * x).sum();
                let ended = uniform(&mut random) < probability(logit);
                trials.push(row, ended);
                if ended {
                    break;
                }
            }
        }
        let fitted = fit(&trials, 1e-3, trials.len(), vec![0.0; 4]).unwrap();
        let found: Vec<_> = (0..4).map(|place| fitted.weight(place)).collect();
        recovered(&found, &truth);
    }

    #[test]
    fn gradients_and_information_are_derivatives() {
        let mut choices = Choices::new(2);
        choices.push(
            [vec![(0, 1.0)], vec![(1, 2.0)], vec![(0, -1.0), (1, 0.5)]],
            2,
        );
        let mut trials = Trials::new(2);
        trials.push([(0, 1.0), (1, 3.0)], true);
        trials.push([(0, 1.0), (1, -40.0)], false);
        check(&Ridge {
            data: &choices,
            strength: 0.3,
        });
        check(&Ridge {
            data: &trials,
            strength: 0.3,
        });
    }

    fn check<L: Likelihood>(likelihood: &L) {
        let at = [0.3, -0.2];
        let cost = |weights: &[f64]| {
            let mut gradient = vec![0.0; 2];
            (likelihood.cost(weights, &mut gradient), gradient)
        };
        let (_, gradient) = cost(&at);
        let information = likelihood.information(&at);
        for place in 0..2 {
            let (mut above, mut below) = (at, at);
            above[place] += 1e-5;
            below[place] -= 1e-5;
            let ((high, up), (low, down)) = (cost(&above), cost(&below));
            assert!((gradient[place] - (high - low) / 2e-5).abs() < 1e-6);
            for other in 0..2 {
                let curve = (up[other] - down[other]) / 2e-5;
                assert!((information[(place, other)] - curve).abs() < 1e-5);
            }
        }
    }
}
