//! What a query costs: the same recorded searches through three detectors.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::hint::black_box;
use std::time::Instant;

use sextant_repetition::History;

use super::in_search::{Step, Trace, Watched};
use super::rate::refused;
use crate::error::LabError;
use crate::experiment::Context;
use crate::report::{Axis, Cell, Chart, Series, Stroke, Table};

/// Something that knows the line and says whether its last position has occurred before.
trait Detector {
    fn start(&mut self, game: &[(u64, u16)]);
    fn enter(&mut self, key: u64, clock: u16);
    fn leave(&mut self);
    /// Positions entered since the start.
    fn plies(&self) -> usize;
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
    fn plies(&self) -> usize {
        History::plies(self)
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
    fn plies(&self) -> usize {
        self.line.len() - self.game
    }
    fn repeats(&self) -> bool {
        let Some((&(key, clock), before)) = self.line.split_last() else {
            return false;
        };
        let reach = usize::from(clock).min(before.len());
        let window = &before[before.len() - reach..];
        // The position four plies back is the nearest that can be the same.
        let mut earlier = (4..=reach)
            .step_by(2)
            .filter(|&back| window[reach - back].0 == key);
        draws(&mut earlier, self.plies())
    }
}

/// One occurrence after the root, or two at all.
fn draws(earlier: &mut impl Iterator<Item = usize>, plies: usize) -> bool {
    match earlier.next() {
        None => false,
        Some(back) => back < plies || earlier.next().is_some(),
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

/// A hash set of the line with the places of each key; a query that finds its key scans exactly.
#[derive(Default)]
struct HashSet {
    counts: HashMap<u64, u32, BuildHasherDefault<NoHash>>,
    scan: PlainScan,
}

impl Detector for HashSet {
    fn start(&mut self, game: &[(u64, u16)]) {
        self.counts.clear();
        for &(key, _) in game {
            *self.counts.entry(key).or_default() += 1;
        }
        self.scan.start(game);
    }
    fn enter(&mut self, key: u64, clock: u16) {
        *self.counts.entry(key).or_default() += 1;
        self.scan.enter(key, clock);
    }
    fn leave(&mut self) {
        if let Some(&(key, _)) = self.scan.line.last()
            && let Some(count) = self.counts.get_mut(&key)
        {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&key);
            }
        }
        self.scan.leave();
    }
    fn plies(&self) -> usize {
        self.scan.plies()
    }
    fn repeats(&self) -> bool {
        let Some((key, _)) = self.scan.line.last() else {
            return false;
        };
        self.counts.get(key).is_some_and(|&count| count > 1) && self.scan.repeats()
    }
}

/// Runs a trace through a detector; returns how many repetitions it saw.
fn replay(detector: &mut impl Detector, trace: &Trace) -> u64 {
    detector.start(&trace.game);
    let mut repetitions = 0;
    for &Step { ply, clock, key } in &trace.steps {
        while detector.plies() >= usize::from(ply) {
            detector.leave();
        }
        detector.enter(key, clock);
        repetitions += u64::from(black_box(detector.repeats()));
    }
    repetitions
}

/// Seconds for all traces, and the repetitions seen.
fn timed(detector: &mut impl Detector, traces: &[Trace]) -> (f64, u64) {
    let begin = Instant::now();
    let seen = traces.iter().map(|trace| replay(detector, trace)).sum();
    (begin.elapsed().as_secs_f64(), seen)
}

/// Costs of all detectors on the same searches.
pub struct Costs {
    /// Name and seconds of the fastest round.
    rows: Vec<(String, Option<u32>, f64)>,
    nodes: u64,
    search_seconds: f64,
    repetitions: u64,
    /// Whether all of them saw the same repetitions.
    pub agree: bool,
}

impl Costs {
    /// Times every detector on the recorded searches, in turn, several rounds; the fastest round
    /// counts, for what disturbs a round only ever makes it slower.
    ///
    /// # Errors
    /// Only if the filter refused a size that is on the list.
    pub fn measure(watched: &Watched, context: &Context<'_>) -> Result<Costs, LabError> {
        let rounds = context.sized(3, 15);
        let sizes = [4_u32, 8, 12, 14];
        let mut filters = Vec::new();
        for bits in sizes {
            filters.push(History::new(bits).map_err(refused)?);
        }
        let (mut scan, mut set) = (PlainScan::default(), HashSet::default());
        let mut best = vec![(f64::INFINITY, 0); sizes.len() + 2];
        context.progress.begin(rounds, "cost of a query");
        for _ in 0..rounds {
            let mut round = vec![
                timed(&mut scan, &watched.traces),
                timed(&mut set, &watched.traces),
            ];
            round.extend(
                filters
                    .iter_mut()
                    .map(|filter| timed(filter, &watched.traces)),
            );
            for (best, found) in best.iter_mut().zip(round) {
                *best = (best.0.min(found.0), found.1);
            }
            context.progress.step();
        }
        let names = ["scan alone", "hash set, then scan"].map(|name| (name.to_owned(), None));
        let filters = sizes.map(|bits| (format!("filter of {bits} bits, then scan"), Some(bits)));
        let labels = names.into_iter().chain(filters);
        Ok(Costs {
            agree: best.iter().all(|&(_, seen)| seen == best[0].1),
            repetitions: best[0].1,
            rows: labels
                .zip(&best)
                .map(|((name, bits), &(s, _))| (name, bits, s))
                .collect(),
            nodes: watched.traced,
            // The traces may hold only the beginning of the searches.
            search_seconds: watched.seconds * watched.traced as f64 / watched.seen.max(1) as f64,
        })
    }

    fn seconds(&self, row: usize) -> f64 {
        self.rows[row].2
    }

    fn best_filter(&self) -> f64 {
        self.rows[2..]
            .iter()
            .map(|row| row.2)
            .fold(f64::INFINITY, f64::min)
    }

    /// Time of the best filter over that of the scan.
    #[must_use]
    pub fn filter_against_scan(&self) -> f64 {
        self.best_filter() / self.seconds(0)
    }

    /// Time of the best filter over that of the hash set.
    #[must_use]
    pub fn filter_against_set(&self) -> f64 {
        self.best_filter() / self.seconds(1)
    }

    /// Share of the search's time by which the filter beats the scan.
    #[must_use]
    pub fn share_saved(&self) -> f64 {
        (self.seconds(0) - self.best_filter()) / self.search_seconds.max(f64::MIN_POSITIVE)
    }

    /// Costs per node.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = Table::new(
            "costs",
            "Cost of entering, asking and leaving on the recorded searches (fastest round)",
            &[
                "detector",
                "nodes",
                "repetitions",
                "ns a node",
                "share of the search (%)",
            ],
        );
        for (name, _, seconds) in &self.rows {
            table.row([
                name.as_str().into(),
                self.nodes.into(),
                self.repetitions.into(),
                Cell::real(1e9 * seconds / self.nodes.max(1) as f64, 1),
                Cell::real(
                    100.0 * seconds / self.search_seconds.max(f64::MIN_POSITIVE),
                    2,
                ),
            ]);
        }
        table
    }

    /// Costs by filter size.
    #[must_use]
    pub fn chart(&self) -> Chart {
        let each = |seconds: f64| 1e9 * seconds / self.nodes.max(1) as f64;
        let filters = self
            .rows
            .iter()
            .filter_map(|(_, bits, seconds)| bits.map(|bits| (f64::from(bits), each(*seconds))));
        let level = |row: usize| {
            vec![
                (4.0, each(self.seconds(row))),
                (14.0, each(self.seconds(row))),
            ]
        };
        Chart {
            title: "Cost of repetition detection a node".to_owned(),
            x: Axis::linear("filter bits"),
            y: Axis::linear("ns a node"),
            series: vec![
                Series::new("filter, then scan", Stroke::Solid, filters.collect()),
                Series::new("scan alone", Stroke::Dashed, level(0)),
                Series::new("hash set, then scan", Stroke::Dashed, level(1)),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Dice;

    /// A search that wanders among few positions, with an irreversible move now and then.
    fn wandering(seed: u64) -> Trace {
        let mut dice = Dice::new(seed);
        let mut key = |ply: usize| scrambled(ply % 2, dice.below(4));
        let game: Vec<(u64, u16)> = (0..9).map(|ply| (key(ply), ply as u16)).collect();
        let mut dice = Dice::new(seed + 1);
        let mut clocks = vec![8_u16];
        let mut steps = Vec::new();
        for _ in 0..4_000 {
            // A child of any position on the line, mostly of its last one.
            let back = dice.below(3).saturating_sub(1) * dice.below(6);
            let above = (clocks.len() - 1).saturating_sub(back).min(40);
            clocks.truncate(above + 1);
            let clock = if dice.below(12) == 0 {
                0
            } else {
                clocks[above] + 1
            };
            clocks.push(clock);
            let ply = above + 1;
            let key = scrambled(ply % 2, dice.below(4));
            steps.push(Step {
                ply: ply as u16,
                clock,
                key,
            });
        }
        Trace { game, steps }
    }

    fn scrambled(side: usize, number: usize) -> u64 {
        crate::game::scramble((side * 100 + number) as u64)
    }

    #[test]
    fn all_detectors_see_the_same_repetitions() {
        for seed in 0..20 {
            let trace = wandering(seed);
            let truth = replay(&mut PlainScan::default(), &trace);
            assert!(
                truth > 100,
                "seed {seed}: {truth} repetitions are too few for a test"
            );
            assert_eq!(
                replay(&mut HashSet::default(), &trace),
                truth,
                "seed {seed}"
            );
            for bits in [2, 8, 14] {
                let mut filter = History::new(bits).unwrap();
                assert_eq!(
                    replay(&mut filter, &trace),
                    truth,
                    "seed {seed}, {bits} bits"
                );
            }
        }
    }
}
