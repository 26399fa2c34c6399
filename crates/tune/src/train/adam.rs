//! One step of AdamW: Adam with decoupled weight decay (Loshchilov and Hutter, "Decoupled Weight
//! Decay Regularization", 2017).

use multiversion::multiversion;

use super::rows::Row;

/// Decay of the moments and what keeps a division finite, as in the paper on Adam.
const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The numbers that all parameters of a step share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    rate: f32,
    decay: f32,
    mean_correction: f32,
    square_correction: f32,
    /// What the gradient of one position weighs.
    per_position: f32,
}

impl Step {
    /// Step number `number`, counted from 0, by the gradient of one position. `decay` is the share
    /// of a weight that is lost in a step of rate 1.
    pub(super) fn new(number: u64, rate: f32, decay: f32) -> Step {
        let power = i32::try_from(number + 1).unwrap_or(i32::MAX);
        Step {
            rate,
            decay: 1.0 - rate * decay,
            mean_correction: 1.0 / (1.0 - BETA_1.powi(power)),
            square_correction: 1.0 / (1.0 - BETA_2.powi(power)),
            per_position: 1.0,
        }
    }

    /// The step by the mean gradient of so many positions, where their sum is found.
    pub(super) fn of_positions(self, count: usize) -> Step {
        Step {
            per_position: 1.0 / count.max(1) as f32,
            ..self
        }
    }
}

/// Moves weights, with the means of their gradients and of the squares of these, against the gradient
/// by a step of AdamW, but not beyond `bound`.
pub(super) fn adam_w(step: &Step, bound: f32, moved: [&mut [Row]; 3], gradient: &[Row]) {
    let moved = moved.map(|rows| Row::numbers_mut(rows).as_flattened_mut());
    move_floats(step, bound, moved, Row::numbers(gradient).as_flattened());
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn move_floats<'a>(
    step: &Step,
    bound: f32,
    [weights, means, squares]: [&'a mut [f32]; 3],
    gradient: &[f32],
) {
    let moments = means.iter_mut().zip(squares);
    for ((weight, gradient), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
        let gradient = step.per_position * gradient;
        *mean = BETA_1 * *mean + (1.0 - BETA_1) * gradient;
        *square = BETA_2 * *square + (1.0 - BETA_2) * gradient * gradient;
        let size = (*square * step.square_correction).sqrt() + EPSILON;
        let moved = *weight * step.decay - step.rate * *mean * step.mean_correction / size;
        *weight = moved.clamp(-bound, bound);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::rows::WIDTH;

    #[test]
    fn the_first_step_has_the_size_of_the_rate_and_weights_decay() {
        for (rate, decay, before, gradient, after) in [
            (0.01, 0.0, 0.5, 3.0, 0.49),
            (0.01, 0.0, 0.5, -0.001, 0.51),
            (0.01, 0.0, 0.0, 0.0, 0.0),
            (0.1, 0.5, 1.0, 0.0, 0.95),
            (0.1, 0.0, 1.95, -2.0, 2.0),
        ] {
            let rows = |value| [Row([value; WIDTH])];
            let (mut weights, mut means, mut squares) = (rows(before), rows(0.0), rows(0.0));
            let step = Step::new(0, rate, decay);
            let state = [&mut weights[..], &mut means[..], &mut squares[..]];
            adam_w(&step, 2.0, state, &rows(gradient));
            let moved = weights[0].0;
            assert!(
                moved.iter().all(|weight| (weight - after).abs() < 1e-5),
                "{before} {gradient}: {moved:?}"
            );
        }
    }
}
