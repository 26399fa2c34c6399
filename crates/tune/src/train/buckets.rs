//! Positions of one output bucket, which meet the same weights behind the neurons, stand together.

use std::ops::Range;

use super::record::Sample;

/// The positions of an output bucket.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) bucket: usize,
    pub(super) positions: Range<usize>,
}

/// The runs of positions that stand in the order of their buckets.
pub(super) fn runs(positions: &[(Sample, f32)]) -> Vec<Run> {
    let mut start = 0;
    let runs = positions.chunk_by(|(a, _), (b, _)| a.bucket == b.bucket);
    let run_of = |run: &[(Sample, f32)]| {
        let positions = start..start + run.len();
        start = positions.end;
        Run {
            bucket: run[0].0.bucket,
            positions,
        }
    };
    runs.map(run_of).collect()
}
