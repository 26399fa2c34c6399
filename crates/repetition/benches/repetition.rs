//! What a node pays to know whether it repeats: enter, ask, leave, for three ways to know it.
//!
//! Every iteration replays 1,000 nodes, so that a microsecond reads as a nanosecond a node. The
//! lines come from a small alpha-beta search over positions with shuffled pasts (`support::toy`),
//! or from the file that `REPETITION_TRACE` names (format in `support::lines`). `bare` replays the
//! lines and detects nothing: what remains above it is the cost of the detector.

#[path = "support/detectors.rs"]
mod detectors;
#[path = "support/lines.rs"]
mod lines;
#[path = "support/toy.rs"]
mod toy;

use std::cell::RefCell;
use std::sync::LazyLock;

use detectors::{Bare, Crowded, Detector, Filtered, HashSet, PlainScan};
use divan::Bencher;
use lines::{BANDS, Forest, NODES};

/// The half-move clocks of `BANDS`, as the table of results shows them.
const LABELS: [&str; BANDS.len()] = ["00-08", "08-40", "40-100"];

/// Lines by clock band.
static FORESTS: LazyLock<[Vec<Forest>; BANDS.len()]> = LazyLock::new(|| {
    let forests = match std::env::var_os("REPETITION_TRACE") {
        Some(path) => lines::from_trace(
            &std::fs::read_to_string(&path).expect("REPETITION_TRACE names a readable text file"),
        ),
        None => lines::collect(toy::searches()),
    };
    for (band, forests) in BANDS.iter().zip(&forests) {
        let nodes: Vec<_> = forests.iter().flat_map(|forest| &forest.nodes).collect();
        let clocks: usize = nodes.iter().map(|node| usize::from(node.clock)).sum();
        let hits: usize = forests.iter().map(replay_hits).sum();
        println!(
            "clock {band:?}: {} lines of {NODES} nodes, mean clock {:.1}, {:.2} % repetitions",
            forests.len(),
            clocks as f64 / nodes.len().max(1) as f64,
            100.0 * hits as f64 / nodes.len().max(1) as f64,
        );
    }
    forests
});

fn replay_hits(forest: &Forest) -> usize {
    let mut detector = PlainScan::default();
    forest.prepare(&mut detector);
    forest.replay(&mut detector)
}

fn main() {
    LazyLock::force(&FORESTS);
    divan::main();
}

/// Replays the band's lines, a thousand nodes an iteration.
fn run(bencher: Bencher, band: &str, detector: impl Detector) {
    measure(bencher, band, detector, Forest::replay);
}

/// Sets each line up outside the measured time and times the replay.
fn measure<D: Detector>(
    bencher: Bencher,
    band: &str,
    detector: D,
    question: fn(&Forest, &mut D) -> usize,
) {
    let Some(band) = LABELS.iter().position(|&label| label == band) else {
        return;
    };
    let forests = &FORESTS[band];
    if forests.is_empty() {
        return;
    }
    let detector = RefCell::new(detector);
    let mut turn = 0;
    bencher
        .with_inputs(|| {
            turn = (turn + 1) % forests.len();
            forests[turn].prepare(&mut *detector.borrow_mut());
            &forests[turn]
        })
        .bench_local_values(|forest| question(forest, &mut *detector.borrow_mut()));
}

#[divan::bench(args = LABELS, sample_size = 1, sample_count = 4000)]
fn bare(bencher: Bencher, band: &str) {
    run(bencher, band, Bare);
}

#[divan::bench(args = LABELS, consts = [10, 12, 14, 16], sample_size = 1, sample_count = 4000)]
fn filter_and_scan<const BITS: u32>(bencher: Bencher, band: &str) {
    run(bencher, band, Filtered::new(BITS));
}

#[divan::bench(args = LABELS, sample_size = 1, sample_count = 4000)]
fn plain_scan(bencher: Bencher, band: &str) {
    run(bencher, band, PlainScan::default());
}

#[divan::bench(args = LABELS, sample_size = 1, sample_count = 4000)]
fn hash_set(bencher: Bencher, band: &str) {
    run(bencher, band, HashSet::default());
}

/// Upcoming repetition: at every node, ask about eight children as well.
mod upcoming {
    use super::{Filtered, Forest, LABELS, PlainScan};
    use divan::Bencher;

    #[divan::bench(args = LABELS, sample_size = 1, sample_count = 1000)]
    fn filter_and_scan(bencher: Bencher, band: &str) {
        super::measure(
            bencher,
            band,
            Filtered::new(14),
            Forest::replay_asking_ahead,
        );
    }

    #[divan::bench(args = LABELS, sample_size = 1, sample_count = 1000)]
    fn plain_scan(bencher: Bencher, band: &str) {
        super::measure(
            bencher,
            band,
            PlainScan::default(),
            Forest::replay_asking_ahead,
        );
    }
}

/// The basic measure with other data passing through the first-level cache at every node.
mod crowded {
    use super::{Bare, Crowded, Filtered, HashSet, LABELS, PlainScan};
    use divan::Bencher;

    #[divan::bench(args = LABELS, sample_size = 1, sample_count = 1000)]
    fn bare(bencher: Bencher, band: &str) {
        super::run(bencher, band, Crowded::new(Bare));
    }

    #[divan::bench(args = LABELS, consts = [10, 12, 14, 16], sample_size = 1, sample_count = 1000)]
    fn filter_and_scan<const BITS: u32>(bencher: Bencher, band: &str) {
        super::run(bencher, band, Crowded::new(Filtered::new(BITS)));
    }

    #[divan::bench(args = LABELS, sample_size = 1, sample_count = 1000)]
    fn plain_scan(bencher: Bencher, band: &str) {
        super::run(bencher, band, Crowded::new(PlainScan::default()));
    }

    #[divan::bench(args = LABELS, sample_size = 1, sample_count = 1000)]
    fn hash_set(bencher: Bencher, band: &str) {
        super::run(bencher, band, Crowded::new(HashSet::default()));
    }
}
