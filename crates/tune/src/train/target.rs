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

impl Objective {
    /// The points that the side to move should expect, 0 to 1.
    pub(super) fn target(&self, sample: &Sample) -> f32 {
        if sample.bound.is_none() {
            return sample.result;
        }
        let by_score = sigmoid(f32::from(sample.score) / self.scale);
        self.score_share * by_score + (1.0 - self.score_share) * sample.result
    }

    /// The loss of an output of the network for a position.
    pub(super) fn of(&self, sample: &Sample, output: f32) -> f64 {
        self.loss_and_gradient(sample, output).0.into()
    }

    /// The loss of an output of the network for a position and its gradient at that output. What
    /// lies on the right side of a bound is not missed.
    pub(super) fn loss_and_gradient(&self, sample: &Sample, output: f32) -> (f32, f32) {
        let expected = sigmoid(output);
        let error = missed(sample.bound, expected - self.target(sample));
        (error * error, 2.0 * error * expected * (1.0 - expected))
    }
}

/// What of an error counts: nothing on the right side of a bound.
fn missed(bound: Option<Bound>, error: f32) -> f32 {
    match bound {
        Some(Bound::Exact) | None => error,
        Some(Bound::Lower) => error.min(0.0),
        Some(Bound::Upper) => error.max(0.0),
    }
}

/// A target, and what of it is a bound only.
pub(super) type Target = (f32, Option<Bound>);

/// The smallest mean loss that one expectation for all positions can have: without bounds the
/// variance of the targets. 0 for no targets.
pub(super) fn best_constant(targets: &[Target]) -> f64 {
    let errors = |expected: f32| {
        let errors = targets.iter();
        errors.map(move |&(target, bound)| f64::from(missed(bound, expected - target)))
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
            assert!((OBJECTIVE.target(&sample) - target).abs() < 1e-6);
        }
    }

    #[test]
    fn a_bound_is_missed_from_one_side_only() {
        let mut sample = sample();
        (sample.score, sample.result) = (400, 0.5);
        // Its target is 0.67.
        for (bound, output, misses) in [
            (Bound::Exact, 0.0, true),
            (Bound::Exact, 2.0, true),
            (Bound::Lower, 0.0, true),
            (Bound::Lower, 2.0, false),
            (Bound::Upper, 0.0, false),
            (Bound::Upper, 2.0, true),
        ] {
            sample.bound = Some(bound);
            let (loss, gradient) = OBJECTIVE.loss_and_gradient(&sample, output);
            let case = format!("{bound:?} {output}: {loss} {gradient}");
            assert_eq!(loss > 0.01, misses, "{case}");
            assert_eq!(gradient != 0.0, misses, "{case}");
            assert!(gradient * (output - 0.7) >= 0.0, "{case}");
        }
    }

    #[test]
    fn the_best_constant_has_the_variance_as_its_loss() {
        let targets = [0.0, 0.0, 1.0, 0.4].map(|target| (target, None));
        // Their mean is 0.35.
        let variance = (2.0 * 0.35 * 0.35 + 0.65 * 0.65 + 0.05 * 0.05) / 4.0;
        assert!((best_constant(&targets) - variance).abs() < 1e-6);
        assert_eq!(best_constant(&[]), 0.0);
    }

    #[test]
    fn the_best_constant_lies_on_the_right_side_of_bounds() {
        let lower = [0.2, 0.9].map(|target| (target, Some(Bound::Lower)));
        assert!(best_constant(&lower) < 1e-6);
        // Between a lower bound of 0.8 and an upper one of 0.4 lies 0.6, with 0.2 on either side.
        let apart = [(0.8, Some(Bound::Lower)), (0.4, Some(Bound::Upper))];
        assert!((best_constant(&apart) - 0.04).abs() < 1e-5);
    }
}
