//! One step of AdamW: Adam with decoupled weight decay (Loshchilov and Hutter, "Decoupled Weight
//! Decay Regularization", 2017).

use multiversion::multiversion;

use super::tiles::{Row, WIDTH};

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
}

impl Step {
    /// Step number `number`, counted from 0. `decay` is the share of a weight that is lost in a
    /// step of rate 1.
    pub(super) fn new(number: u64, rate: f32, decay: f32) -> Step {
        let power = i32::try_from(number + 1).unwrap_or(i32::MAX);
        Step {
            rate,
            decay: 1.0 - rate * decay,
            mean_correction: 1.0 / (1.0 - BETA_1.powi(power)),
            square_correction: 1.0 / (1.0 - BETA_2.powi(power)),
        }
    }
}

/// Moves weights against their gradient by a step of AdamW; the gradient is also averaged into
/// `means`, its square into `squares`.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(super) fn adam_w(
    step: &Step,
    weights: &mut [Row],
    means: &mut [Row],
    squares: &mut [Row],
    gradient: &[Row],
) {
    let moments = means.iter_mut().zip(squares);
    for ((weights, gradient), (means, squares)) in weights.iter_mut().zip(gradient).zip(moments) {
        for neuron in 0..WIDTH {
            let gradient = gradient.0[neuron];
            let mean = BETA_1 * means.0[neuron] + (1.0 - BETA_1) * gradient;
            let square = BETA_2 * squares.0[neuron] + (1.0 - BETA_2) * gradient * gradient;
            (means.0[neuron], squares.0[neuron]) = (mean, square);
            let size = (square * step.square_correction).sqrt() + EPSILON;
            weights.0[neuron] =
                weights.0[neuron] * step.decay - step.rate * mean * step.mean_correction / size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_has_the_size_of_the_rate_and_weights_decay() {
        for (rate, decay, before, gradient, after) in [
            (0.01, 0.0, 0.5, 3.0, 0.49),
            (0.01, 0.0, 0.5, -0.001, 0.51),
            (0.01, 0.0, 0.0, 0.0, 0.0),
            (0.1, 0.5, 1.0, 0.0, 0.95),
        ] {
            let rows = |value| [Row([value; WIDTH])];
            let (mut weights, mut means, mut squares) = (rows(before), rows(0.0), rows(0.0));
            let step = Step::new(0, rate, decay);
            adam_w(
                &step,
                &mut weights,
                &mut means,
                &mut squares,
                &rows(gradient),
            );
            let moved = weights[0].0;
            assert!(
                moved.iter().all(|weight| (weight - after).abs() < 1e-5),
                "{before} {gradient}: {moved:?}"
            );
        }
    }
}
