//! What a query costs: the same recorded searches through three detectors.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasherDefault, Hasher},
    hint::black_box,
    time::Instant,
};

use sextant_repetition::History;

use crate::experiments::prelude::*;

#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) ply: u16,
    pub(super) clock: u16,
    pub(super) key: u64,
}

/// A search as detectors see it: the game before it and its nodes in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    /// Key and clock of the game's positions, the root last.
    pub(super) game: Vec<(u64, u16)>,
    /// Nodes in the order of the search; the root is left out.
    pub(super) steps: Vec<Step>,
}

/// Something that knows the line and says whether its last position has occurred before.
trait Detector {
    fn start(&mut self, game: &[(u64, u16)]);
    fn enter(&mut self, key: u64, clock: u16);
    fn leave(&mut self);
    fn repeats(&self) -> bool;
}

impl Detector for History {
    fn start(&mut self, game: &[(u64, u16)]) {
        self.set_game(game.iter().copied());
    }
    fn enter(&mut self, key: u64, clock: u16) {
        History::enter(self, key, clock);
    }
    fn leave(&mut self) {
        History::leave(self);
    }
    fn repeats(&self) -> bool {
        self.is_repetition()
    }
}

/// The line and nothing else: every query looks back over all reversible positions.
#[derive(Default)]
struct PlainScan {
    line: Vec<(u64, u16)>,
    game: usize,
}

impl Detector for PlainScan {
    fn start(&mut self, game: &[(u64, u16)]) {
        self.line = game.to_vec();
        self.game = game.len();
    }
    fn enter(&mut self, key: u64, clock: u16) {
        self.line.push((key, clock));
    }
    fn leave(&mut self) {
        self.line.pop();
    }
    /// One occurrence after the root, or two at all.
    fn repeats(&self) -> bool {
        let Some((&(key, clock), before)) = self.line.split_last() else {
            return false;
        };
        let reach = usize::from(clock).min(before.len());
        let window = &before[before.len() - reach..];
        // The position four plies back is the nearest that can be the same.
        let backwards = (4..=reach).step_by(2);
        let mut earlier = backwards.filter(|&back| window[reach - back].0 == key);
        let is_in_search = |back| back < self.line.len() - self.game;
        earlier
            .next()
            .is_some_and(|back| is_in_search(back) || earlier.next().is_some())
    }
}

/// Keys are scrambled already: hashing them again would only be slower.
#[derive(Default)]
struct NoHash(u64);

impl Hasher for NoHash {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 | u64::from(byte);
        }
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// How often each key stands in the line; a query that finds its key twice scans exactly.
#[derive(Default)]
struct HashSet {
    counts: HashMap<u64, u32, BuildHasherDefault<NoHash>>,
    scan: PlainScan,
}

impl Detector for HashSet {
    fn start(&mut self, game: &[(u64, u16)]) {
        self.counts.clear();
        self.scan.start(&[]);
        game.iter().for_each(|&(key, clock)| self.enter(key, clock));
        self.scan.game = game.len();
    }
    fn enter(&mut self, key: u64, clock: u16) {
        *self.counts.entry(key).or_default() += 1;
        self.scan.enter(key, clock);
    }
    fn leave(&mut self) {
        let key = self.scan.line.last().map_or(0, |&(key, _)| key);
        if let Entry::Occupied(mut count) = self.counts.entry(key) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
        self.scan.leave();
    }
    fn repeats(&self) -> bool {
        let key = self.scan.line.last().map_or(0, |&(key, _)| key);
        self.counts.get(&key).is_some_and(|&count| count > 1) && self.scan.repeats()
    }
}

/// Runs all traces through a detector; returns the seconds and the repetitions that it saw.
fn replay(detector: &mut impl Detector, traces: &[Trace]) -> (f64, u64) {
    let begin = Instant::now();
    let mut repetitions = 0;
    for trace in traces {
        detector.start(&trace.game);
        let mut plies = 0;
        for &Step { ply, clock, key } in &trace.steps {
            while plies >= ply {
                detector.leave();
                plies -= 1;
            }
            detector.enter(key, clock);
            plies += 1;
            repetitions += u64::from(black_box(detector.repeats()));
        }
    }
    (begin.elapsed().as_secs_f64(), repetitions)
}

const SIZES: [u32; 4] = [4, 8, 12, 14];

pub(super) struct Costs {
    /// Each detector and the seconds of its fastest round: the scan, the hash set, the filters.
    detectors: Vec<(String, f64)>,
    nodes: usize,
    /// Seconds of the searches themselves.
    search_seconds: f64,
    repetitions: u64,
    /// Whether all of them saw the same repetitions.
    pub(super) agree: bool,
}

impl Costs {
    /// Times every detector on the recorded searches, which took the engine so many seconds, in
    /// turn, several rounds; the fastest round counts, for what disturbs a round only ever makes it
    /// slower.
    pub(super) fn measure(traces: &[Trace], seconds: f64, rounds: u32) -> Result<Costs, Failure> {
        let filters: Result<Vec<_>, _> = SIZES.into_iter().map(History::new).collect();
        let mut filters = filters.map_err(Failure::work)?;
        let (mut scan, mut set) = (PlainScan::default(), HashSet::default());
        let mut best = [(f64::INFINITY, 0); SIZES.len() + 2];
        for _ in track("cost of a query", 0..rounds) {
            let mut round = vec![replay(&mut scan, traces), replay(&mut set, traces)];
            round.extend(filters.iter_mut().map(|filter| replay(filter, traces)));
            for (best, found) in best.iter_mut().zip(round) {
                *best = (best.0.min(found.0), found.1);
            }
        }
        let mut names = vec!["scan alone".to_owned(), "hash set, then scan".to_owned()];
        names.extend(SIZES.map(|bits| format!("filter of {bits} bits, then scan")));
        let repetitions = best[0].1;
        Ok(Costs {
            detectors: names.into_iter().zip(best.map(|found| found.0)).collect(),
            nodes: traces.iter().map(|trace| trace.steps.len()).sum(),
            search_seconds: seconds,
            repetitions,
            agree: best.iter().all(|&(_, seen)| seen == repetitions),
        })
    }

    /// Seconds of the scan, of the hash set and of the best filter.
    pub(super) fn seconds(&self) -> [f64; 3] {
        let filters = self.detectors[2..].iter().map(|filter| filter.1);
        let best = filters.fold(f64::INFINITY, f64::min);
        [self.detectors[0].1, self.detectors[1].1, best]
    }

    /// So many seconds in percent of the search's time.
    pub(super) fn percent(&self, seconds: f64) -> f64 {
        100.0 * seconds / self.search_seconds.max(f64::MIN_POSITIVE)
    }

    fn nanoseconds(&self, seconds: f64) -> f64 {
        1e9 * seconds / self.nodes.max(1) as f64
    }

    pub(super) fn table(&self) -> Table {
        let title = "Cost of entering, asking and leaving on the recorded searches (fastest round)";
        table!("costs", title, self.detectors, |row| {
            "detector" => row.0.as_str(),
            "nodes" => self.nodes,
            "repetitions" => self.repetitions,
            "ns a node" => real(self.nanoseconds(row.1), 1),
            "share of the search (%)" => real(self.percent(row.1), 2),
        })
    }

    pub(super) fn chart(&self) -> Chart {
        let (others, filters) = self.detectors.split_at(2);
        let at =
            |bits: u32, detector: &(String, f64)| (f64::from(bits), self.nanoseconds(detector.1));
        let title = "Cost of repetition detection a node";
        let filters = SIZES.into_iter().zip(filters);
        let chart = Chart::new(title, "filter bits", "ns a node").line(
            "filter, then scan",
            filters.map(|(bits, filter)| at(bits, filter)),
        );
        others.iter().fold(chart, |chart, other| {
            chart.dashed(&other.0, [4, 14].map(|bits| at(bits, other)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Dice, scramble};

    /// A search that wanders among few positions, with an irreversible move now and then.
    fn wandering(seed: u64) -> Trace {
        let mut dice = Dice::new(seed);
        let mut key = |ply: usize| scramble((ply % 2 * 100 + dice.below(4)) as u64);
        let game = (0..9).map(|ply| (key(ply), ply as u16)).collect();
        let mut random = Dice::new(seed ^ 1);
        let mut clocks = vec![8_u16];
        let mut steps = Vec::new();
        for _ in 0..4_000 {
            // A child of any position on the line, mostly of its last one.
            let back = random.below(3).saturating_sub(1) * random.below(6);
            let ply = (clocks.len() - 1).saturating_sub(back).min(40) + 1;
            clocks.truncate(ply);
            let is_reversible = random.below(12) > 0;
            let clock = if is_reversible {
                clocks[ply - 1] + 1
            } else {
                0
            };
            clocks.push(clock);
            let (ply, key) = (ply as u16, key(ply));
            steps.push(Step { ply, clock, key });
        }
        Trace { game, steps }
    }

    #[test]
    fn all_detectors_see_the_same_repetitions() {
        for seed in 0..20 {
            let costs = Costs::measure(&[wandering(seed)], 1.0, 1).unwrap();
            let seen = costs.repetitions;
            assert!(costs.agree && seen > 100, "seed {seed}, {seen} by a scan");
        }
    }
}
