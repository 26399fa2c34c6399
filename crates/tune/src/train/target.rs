//! The target of a position and the loss of missing it.

use sextant_search::Bound;

use super::record::Sample;

/// The loss: the squared error of the expectation, where the target blends the score of the search
/// with the result of the game, unless the result is beyond doubt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Objective {
    /// Share of the score in the target, 0 to 1; the result has the rest.
    pub(super) score_share: f32,
    /// Centipawns at which the logistic curve expects 1 / (1 + 1/e) = 73 %; also what one unit of
    /// the network's output is worth.
    pub(super) scale: f32,
}

/// The logistic curve: expected points of a value in units of the scale.
fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The least and the most points that the side to move should expect, 0 to 1: the same, unless the
/// score is only a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Target {
    least: f32,
    most: f32,
}

impl Target {
    /// What an expectation is above or below the target.
    fn missed_by(&self, expected: f32) -> f32 {
        expected - expected.clamp(self.least, self.most)
    }
}

impl Objective {
    /// What the side to move should expect. The score is blended with the result, and so is the
    /// largest or smallest that it could be, if it is a bound.
    pub(super) fn target(&self, sample: &Sample) -> Target {
        let blend = |points| self.score_share * points + (1.0 - self.score_share) * sample.result;
        let by_score = || blend(sigmoid(f32::from(sample.score) / self.scale));
        let (least, most) = match sample.bound {
            None => (sample.result, sample.result),
            Some(Bound::Exact) => (by_score(), by_score()),
            Some(Bound::Lower) => (by_score(), blend(1.0)),
            Some(Bound::Upper) => (blend(0.0), by_score()),
        };
        Target { least, most }
    }

    /// The loss of an output of the network for a position.
    pub(super) fn of(&self, sample: &Sample, output: f32) -> f64 {
        self.loss_and_gradient(sample, output).0.into()
    }

    /// The loss of an output of the network for a position and its gradient at that output.
    pub(super) fn loss_and_gradient(&self, sample: &Sample, output: f32) -> (f32, f32) {
        let expected = sigmoid(output);
        let error = self.target(sample).missed_by(expected);
        (error * error, 2.0 * error * expected * (1.0 - expected))
    }
}

/// The smallest mean loss that one expectation for all positions can have: without bounds the
/// variance of the targets. 0 for no targets.
pub(super) fn best_constant(targets: &[Target]) -> f64 {
    let errors = |expected: f32| {
        let errors = targets.iter();
        errors.map(move |target| f64::from(target.missed_by(expected)))
    };
    // The loss is convex: its gradient, the sum of the errors, rises.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..24 {
        let middle = (low + high) / 2.0;
        if errors(middle).sum::<f64>() > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    let squares = errors(low).map(|error| error * error);
    squares.sum::<f64>() / targets.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::Architecture;

    use super::*;
    use crate::train::fixture;

    const OBJECTIVE: Objective = Objective {
        score_share: 0.75,
        scale: 400.0,
    };

    fn sample() -> Sample {
        let architecture = Architecture::plain(32).unwrap();
        Sample::read(&fixture::positions(1, 1)[0], &architecture).unwrap()
    }

    fn exactly(points: f32) -> Target {
        Target {
            least: points,
            most: points,
        }
    }

    fn at_least(least: f32) -> Target {
        Target { least, most: 1.0 }
    }

    #[test]
    fn the_target_blends_score_and_result_unless_the_result_is_known() {
        let exact = Some(Bound::Exact);
        for (bound, score, result, target) in [
            (exact, 0, 0.5, 0.5),
            (exact, 0, 1.0, 0.625),
            (exact, 400, 0.0, 0.75 * 0.731_058_6),
            (None, 0, 1.0, 1.0),
            (None, 10_000, 0.5, 0.5),
        ] {
            let mut sample = sample();
            (sample.bound, sample.score, sample.result) = (bound, score, result);
            let found = OBJECTIVE.target(&sample);
            assert!((found.least - target).abs() < 1e-6);
            assert_eq!(found.least, found.most);
        }
    }

    #[test]
    fn a_bound_is_missed_from_one_side_only() {
        let mut sample = sample();
        (sample.score, sample.result) = (400, 0.5);
        // Its target is 0.67; a lower bound leaves open all up to 0.875.
        for (bound, output, misses) in [
            (Bound::Exact, 0.0, true),
            (Bound::Exact, 1.8, true),
            (Bound::Lower, 0.0, true),
            (Bound::Lower, 1.8, false),
            (Bound::Upper, 0.0, false),
            (Bound::Upper, 1.8, true),
        ] {
            sample.bound = Some(bound);
            let (loss, gradient) = OBJECTIVE.loss_and_gradient(&sample, output);
            let case = format!("{bound:?} {output}: {loss} {gradient}");
            assert_eq!(loss > 0.01, misses, "{case}");
            assert_eq!(gradient != 0.0, misses, "{case}");
            assert!(gradient * (output - 0.7) >= 0.0, "{case}");
        }
    }

    /// The result has its share whatever the score is: a lower bound leaves only its own share open.
    #[test]
    fn a_bound_leaves_open_no_more_than_the_share_of_the_score() {
        let mut sample = sample();
        (sample.score, sample.result) = (0, 0.0);
        for (bound, score_share, least, most) in [
            (Bound::Lower, 1.0, 0.5, 1.0),
            (Bound::Upper, 1.0, 0.0, 0.5),
            (Bound::Lower, 0.75, 0.375, 0.75),
            (Bound::Upper, 0.75, 0.0, 0.375),
            (Bound::Lower, 0.0, 0.0, 0.0),
        ] {
            sample.bound = Some(bound);
            let objective = Objective {
                score_share,
                ..OBJECTIVE
            };
            let target = objective.target(&sample);
            assert_eq!(target, Target { least, most }, "{bound:?} {score_share}");
        }
    }

    #[test]
    fn the_best_constant_has_the_variance_as_its_loss() {
        let targets = [0.0, 0.0, 1.0, 0.4].map(exactly);
        // Their mean is 0.35.
        let variance = (2.0 * 0.35 * 0.35 + 0.65 * 0.65 + 0.05 * 0.05) / 4.0;
        assert!((best_constant(&targets) - variance).abs() < 1e-6);
        assert_eq!(best_constant(&[]), 0.0);
    }

    #[test]
    fn the_best_constant_lies_on_the_right_side_of_bounds() {
        assert!(best_constant(&[0.2, 0.9].map(at_least)) < 1e-6);
        // Between a lower bound of 0.8 and an upper one of 0.4 lies 0.6, with 0.2 on either side.
        let at_most = Target {
            least: 0.0,
            most: 0.4,
        };
        let apart = [at_least(0.8), at_most];
        assert!((best_constant(&apart) - 0.04).abs() < 1e-5);
    }
}
