//! AdamW: Adam with decoupled weight decay (Loshchilov and Hutter, "Decoupled Weight Decay
//! Regularization", 2017), and its learning rate over a run.

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

/// A linear warm-up, then a cosine decay to the last rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    pub(super) rate: f32,
    pub(super) last_rate: f32,
    /// Batches of the warm-up, and of the whole run.
    pub(super) warm_up: u64,
    pub(super) batches: u64,
}

impl Schedule {
    /// The rate of batch number `batch`, counted from 0.
    pub(super) fn at(&self, batch: u64) -> f32 {
        if batch < self.warm_up {
            return self.rate * (batch + 1) as f32 / self.warm_up as f32;
        }
        let falling = (self.batches - self.warm_up.min(self.batches)).max(1);
        let done = ((batch - self.warm_up) as f32 / falling as f32).min(1.0);
        let share = 0.5 * (1.0 + (done * std::f32::consts::PI).cos());
        self.last_rate + (self.rate - self.last_rate) * share
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

    #[test]
    fn it_rises_and_falls() {
        let schedule = Schedule {
            rate: 1.0,
            last_rate: 0.1,
            warm_up: 10,
            batches: 110,
        };
        for (batch, rate) in [(0, 0.1), (9, 1.0), (10, 1.0), (60, 0.55), (110, 0.1)] {
            assert!((schedule.at(batch) - rate).abs() < 1e-6, "{batch}");
        }
        assert!((10..109).all(|batch| schedule.at(batch) >= schedule.at(batch + 1)));
        // A run may be shorter than its warm-up.
        let short = Schedule {
            batches: 3,
            ..schedule
        };
        assert!((0..20).all(|batch| short.at(batch).is_finite()));
    }
}
