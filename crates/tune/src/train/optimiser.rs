//! Adam with decoupled weight decay (Loshchilov and Hutter 2017).

/// Memory of the gradients' mean and its reciprocal's square, as in the paper on Adam.
const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
/// Keeps weights that never saw a slope from moving wildly.
const EPSILON: f32 = 1e-8;

/// What all parameters of one step share.
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

    /// Moves parameters against their slopes and clips them to +-`limit`.
    pub(super) fn apply(
        &self,
        limit: f32,
        parameters: &mut [f32],
        means: &mut [f32],
        squares: &mut [f32],
        slopes: &[f32],
    ) {
        let memory = means.iter_mut().zip(squares);
        for ((parameter, &slope), (mean, square)) in parameters.iter_mut().zip(slopes).zip(memory) {
            *mean = BETA_1 * *mean + (1.0 - BETA_1) * slope;
            *square = BETA_2 * *square + (1.0 - BETA_2) * slope * slope;
            let size = (*square * self.square_correction).sqrt() + EPSILON;
            let moved = *parameter * self.decay - self.rate * *mean * self.mean_correction / size;
            *parameter = moved.clamp(-limit, limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_has_the_size_of_the_rate() {
        let mut parameters = [0.5, 0.5, 0.0];
        let (mut means, mut squares) = ([0.0; 3], [0.0; 3]);
        Step::new(0, 0.01, 0.0).apply(
            1.98,
            &mut parameters,
            &mut means,
            &mut squares,
            &[3.0, -0.001, 0.0],
        );
        assert!((parameters[0] - 0.49).abs() < 1e-5);
        assert!((parameters[1] - 0.51).abs() < 1e-5);
        assert_eq!(parameters[2], 0.0);
    }

    #[test]
    fn weights_decay_and_stay_within_the_limit() {
        let mut parameters = [1.0, 5.0];
        let (mut means, mut squares) = ([0.0; 2], [0.0; 2]);
        let step = Step::new(0, 0.1, 0.5);
        step.apply(1.98, &mut parameters, &mut means, &mut squares, &[0.0; 2]);
        assert!((parameters[0] - 0.95).abs() < 1e-6);
        assert_eq!(parameters[1], 1.98);
    }
}
