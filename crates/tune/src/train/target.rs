//! The target of a position and the loss of missing it.

use super::record::Sample;

/// The loss: |expectation - target| to a power, where the target blends the score of the search
/// with the result of the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Objective {
    /// Share of the score in the target, 0 to 1; the result has the rest.
    pub(super) score_share: f32,
    /// Centipawns at which the logistic curve expects 1 / (1 + 1/e) = 73 %; also what one unit of
    /// the network's output is worth.
    pub(super) scale: f32,
    /// Power of the error: 2 is the squared error, more weighs large errors higher.
    pub(super) power: f32,
}

/// The logistic curve: expected points of a value in units of the scale.
fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

impl Objective {
    /// The points that the side to move should expect, 0 to 1.
    pub(super) fn target(&self, score: i16, result: f32) -> f32 {
        let by_score = sigmoid(f32::from(score) / self.scale);
        self.score_share * by_score + (1.0 - self.score_share) * result
    }

    /// The loss of expecting `expected` where `target` is right.
    fn loss(&self, expected: f32, target: f32) -> f32 {
        let error = (expected - target).abs();
        if self.power == 2.0 {
            error * error
        } else {
            error.powf(self.power)
        }
    }

    /// The loss of an output of the network for a position.
    pub(super) fn of(&self, sample: &Sample, output: f32) -> f64 {
        let target = self.target(sample.score, sample.result);
        self.loss(sigmoid(output), target).into()
    }

    /// The loss of an output of the network and its gradient at that output.
    pub(super) fn loss_and_gradient(&self, output: f32, target: f32) -> (f32, f32) {
        let expected = sigmoid(output);
        let error = expected - target;
        let by_error = if self.power == 2.0 {
            2.0 * error
        } else {
            self.power * error.abs().powf(self.power - 1.0) * error.signum()
        };
        let gradient = by_error * expected * (1.0 - expected);
        (self.loss(expected, target), gradient)
    }

    /// The smallest mean loss that one expectation for all positions can have.
    ///
    /// The loss is convex in the expectation, so its minimum is found by thirds. 0 for no targets.
    pub(super) fn best_constant(&self, targets: &[f32]) -> f64 {
        let mean = |expected: f32| {
            let losses = targets.iter().map(|&target| self.loss(expected, target));
            losses.map(f64::from).sum::<f64>() / targets.len().max(1) as f64
        };
        let (mut low, mut high) = (0.0_f32, 1.0_f32);
        // (2/3)^30 of the way: far below what moves a printed digit.
        for _ in 0..30 {
            let third = (high - low) / 3.0;
            if mean(low + third) <= mean(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        mean(f32::midpoint(low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBJECTIVE: Objective = Objective {
        score_share: 0.75,
        scale: 400.0,
        power: 2.0,
    };

    #[test]
    fn the_target_blends_score_and_result() {
        for (score, result, target) in [
            (0, 0.5, 0.5),
            (0, 1.0, 0.625),
            (400, 0.0, 0.75 * 0.731_058_6),
        ] {
            assert!((OBJECTIVE.target(score, result) - target).abs() < 1e-6);
        }
    }

    #[test]
    fn the_best_constant_of_squares_is_the_mean() {
        let targets = [0.0, 0.0, 1.0, 0.4];
        // Their mean is 0.35.
        let variance = (2.0 * 0.35 * 0.35 + 0.65 * 0.65 + 0.05 * 0.05) / 4.0;
        assert!((OBJECTIVE.best_constant(&targets) - variance).abs() < 1e-6);
        assert_eq!(OBJECTIVE.best_constant(&[]), 0.0);
    }
}
