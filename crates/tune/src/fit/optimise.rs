//! The likeliest weights, and how sure they are.

use std::cell::RefCell;

use argmin::{
    core::{CostFunction, Error, Executor, Gradient, State},
    solver::{linesearch::MoreThuenteLineSearch, quasinewton::LBFGS},
};

use super::likelihood::{Likelihood, Ridge};
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
    /// Their standard errors.
    pub(super) errors: Vec<f64>,
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
    let errors = standard_errors(&ridge, &weights)?;
    Ok(Fitted { weights, errors })
}

/// The weights alone, for rivals whose errors nobody asks for.
///
/// # Errors
/// [`Failure`] if the solver fails.
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
    let failed = |error: Error| Failure::work(format!("the fit does not converge: {error}"));
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

/// Square roots of the diagonal of the inverse information.
fn standard_errors<L: Likelihood>(likelihood: &L, weights: &[f64]) -> Result<Vec<f64>, Failure> {
    let information = likelihood.information(weights);
    let inverse = information.cholesky().ok_or_else(|| {
        Failure::work("the samples leave some weights undecided; more of them are needed")
    })?;
    let inverse = inverse.inverse();
    Ok(inverse
        .diagonal()
        .iter()
        .map(|value| value.sqrt())
        .collect())
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
    fn evaluate(&self, weights: &[f64]) -> (f64, Vec<f64>) {
        if let Some((known, cost, gradient)) = &*self.last.borrow()
            && known == weights
        {
            return (*cost, gradient.clone());
        }
        let mut gradient = vec![0.0; self.likelihood.width()];
        let cost = self.scale * self.likelihood.cost(weights, &mut gradient);
        gradient.iter_mut().for_each(|slope| *slope *= self.scale);
        *self.last.borrow_mut() = Some((weights.to_vec(), cost, gradient.clone()));
        (cost, gradient)
    }
}

impl<L: Likelihood> CostFunction for Problem<'_, L> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, weights: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.evaluate(weights).0)
    }
}

impl<L: Likelihood> Gradient for Problem<'_, L> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, weights: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.evaluate(weights).1)
    }
}

#[cfg(test)]
mod tests {
    use sextant_search::play::Random;

    use super::*;
    use crate::fit::{
        choice::Choices,
        hazard::{Trials, probability},
    };

    fn uniform(random: &mut Random) -> f64 {
        (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Estimates must lie around the truth as their standard errors say: the sum of the squared
    /// deviations in errors has mean `free`.
    fn recovered(fitted: &Fitted, truth: &[f64], free: usize) {
        let deviations: Vec<f64> = fitted
            .weights
            .iter()
            .zip(truth)
            .zip(&fitted.errors)
            .map(|((found, truth), error)| (found - truth) / error)
            .collect();
        assert!(
            deviations.iter().all(|one| one.abs() < 3.5),
            "{deviations:?}"
        );
        let sum: f64 = deviations.iter().map(|one| one * one).sum();
        let free = free as f64;
        assert!(sum > 0.1 * free && sum < 3.0 * free, "{deviations:?}");
        assert!(
            fitted
                .errors
                .iter()
                .all(|&error| error > 1e-3 && error < 0.2),
            "{fitted:?}"
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
        let mut fitted = fit(&choices, 1e-3, choices.len(), vec![0.0; 6]).unwrap();
        // Only differences of the first five mean something: the fifth one is taken for the truth.
        let information = choices.information(&fitted.weights);
        let reduced = information.remove_row(4).remove_column(4);
        let errors = reduced.cholesky().unwrap().inverse().diagonal();
        let shift = truth[4] - fitted.weights[4];
        let mut truth = truth.to_vec();
        fitted.weights[..4]
            .iter_mut()
            .for_each(|weight| *weight += shift);
        fitted.weights.remove(4);
        truth.remove(4);
        fitted.errors = errors.iter().map(|value| value.sqrt()).collect();
        recovered(&fitted, &truth, 5);
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
        recovered(&fitted, &truth, 4);
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
