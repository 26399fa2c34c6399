//! The first outputs of a network that is trained on, fitted to the new labels: their unit may be
//! another one, and in each phase by another factor. To compute a factor takes seconds, to learn it
//! costs what the network knows.

use super::{record::Sample, target::Objective};

/// The factors that are looked at, and how often the interval between them shrinks to 0.62.
const RANGE: [f32; 2] = [0.1, 10.0];
const STEPS: usize = 30;
/// Fewer positions of an output bucket say nothing.
const FEWEST: usize = 100;

/// For each output bucket the factor of its outputs with the least loss, 1 where too few positions
/// tell.
pub(super) fn factors(
    objective: &Objective,
    outputs: &[(Sample, f32)],
    buckets: usize,
) -> Vec<f32> {
    let of_bucket = |bucket: usize| {
        let outputs = outputs.iter().filter(|(sample, _)| sample.bucket == bucket);
        let outputs: Vec<&(Sample, f32)> = outputs.collect();
        if outputs.len() < FEWEST {
            return 1.0;
        }
        least(|factor| {
            let losses = outputs.iter();
            losses
                .map(|(sample, output)| objective.of(sample, output * factor))
                .sum()
        })
    };
    (0..buckets).map(of_bucket).collect()
}

/// The factor with the least loss, by golden-section search over its logarithm.
fn least(loss: impl Fn(f32) -> f64) -> f32 {
    const GOLDEN: f32 = 0.618_034;
    let [mut low, mut high] = RANGE.map(f32::ln);
    for _ in 0..STEPS {
        let width = GOLDEN * (high - low);
        let (left, right) = (high - width, low + width);
        if loss(left.exp()) < loss(right.exp()) {
            high = right;
        } else {
            low = left;
        }
    }
    ((low + high) / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use sextant_eval::nnue::{Architecture, Layers};

    use crate::train::{fixture, trainer::Trainer};

    /// A network whose buckets are off by known factors gets its outputs back.
    #[test]
    fn factors_that_were_put_in_are_found() {
        for layers in [Layers::One, Layers::Three { relations: true }] {
            let architecture = Architecture::new(64, [0; 32], 8).unwrap();
            let architecture = architecture.with_layers(layers).unwrap();
            let mut trainer = fixture::trainer(architecture, 1);
            fixture::teach(&mut trainer, 20_000);
            let records = fixture::positions(3_000, 2);
            let outputs = |trainer: &Trainer| {
                let outputs = trainer.outputs(&records).unwrap();
                outputs
                    .into_iter()
                    .map(|(_, output)| output)
                    .collect::<Vec<f32>>()
            };
            trainer.refit(&records).unwrap();
            let right = outputs(&trainer);
            // The positions have up to 14 pieces.
            trainer.scale_outputs(&[0.5, 2.0, 0.7, 1.5, 1.0, 1.0, 1.0, 1.0]);
            let off = outputs(&trainer);
            assert!(right.iter().zip(&off).any(|(a, b)| (a - b).abs() > 0.05));
            trainer.refit(&records).unwrap();
            for (before, after) in right.iter().zip(&outputs(&trainer)) {
                assert!((before - after).abs() < 1e-3, "{before} {after}");
            }
        }
    }
}
