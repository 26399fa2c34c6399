//! What samples are, in a few numbers.

use std::collections::BTreeSet;

use super::{
    outcome::Samples,
    sample::{Block, NodeKind, Verdict},
};

/// 1/128 plies in a ply.
const PLY: f64 = 128.0;

/// The numbers of some searches; `parts` says how many samples teach, choose and judge.
pub(super) fn of(blocks: &[Block], parts: [u64; 3]) -> Samples {
    let mut summary = Samples {
        parts,
        ..Samples::default()
    };
    let games: BTreeSet<u64> = blocks.iter().map(|block| block.group).collect();
    summary.games = games.len() as u64;
    for sample in blocks.iter().flat_map(|block| &block.samples) {
        let kind = match sample.kind {
            NodeKind::Pv => 0,
            NodeKind::Cut => 1,
            NodeKind::All => 2,
        };
        let verdict = match sample.label.verdict {
            Verdict::Fails => 0,
            Verdict::Inside => 1,
            Verdict::Cuts => 2,
        };
        summary.count += 1;
        summary.kinds[kind][verdict] += 1;
        summary.depth += f64::from(sample.depth) / PLY;
        summary.label_depth += f64::from(sample.label.depth);
        summary.legal += sample.moves.len() as f64;
    }
    let count = summary.count.max(1) as f64;
    for sum in [
        &mut summary.depth,
        &mut summary.label_depth,
        &mut summary.legal,
    ] {
        *sum /= count;
    }
    let grown = blocks.iter().map(|block| f64::from(block.growth));
    let (sum, grown) = grown
        .filter(|growth| *growth > 0.0)
        .fold((0.0, 0.0), |(sum, count), growth| {
            (sum + growth, count + 1.0)
        });
    summary.growth = (sum / f64::max(grown, 1.0)).exp();
    summary
}
