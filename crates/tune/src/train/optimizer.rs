//! AdamW: Adam with decoupled weight decay (Loshchilov and Hutter, "Decoupled Weight Decay
//! Regularization", 2017).

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

    /// Moves parameters against their gradient, which is also averaged into `means`, its square into
    /// `squares`.
    pub(super) fn apply(
        &self,
        parameters: &mut [f32],
        means: &mut [f32],
        squares: &mut [f32],
        gradient: &[f32],
    ) {
        let moments = means.iter_mut().zip(squares);
        for ((parameter, &gradient), (mean, square)) in
            parameters.iter_mut().zip(gradient).zip(moments)
        {
            *mean = BETA_1 * *mean + (1.0 - BETA_1) * gradient;
            *square = BETA_2 * *square + (1.0 - BETA_2) * gradient * gradient;
            let size = (*square * self.square_correction).sqrt() + EPSILON;
            *parameter = *parameter * self.decay - self.rate * *mean * self.mean_correction / size;
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
            let (mut parameters, mut means, mut squares) = ([before], [0.0], [0.0]);
            let step = Step::new(0, rate, decay);
            step.apply(&mut parameters, &mut means, &mut squares, &[gradient]);
            assert!((parameters[0] - after).abs() < 1e-5, "{before} {gradient}");
        }
    }
}
