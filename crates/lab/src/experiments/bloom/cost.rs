//! What a query costs: the same recorded searches through a scan and through filters.

use std::{hint::black_box, time::Instant};

use sextant_repetition::History;

use crate::experiments::prelude::*;

/// Those that are timed.
const TIMED: [u32; 4] = [4, 8, 12, 14];

/// A node as detectors see it.
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
pub(super) trait Detector {
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

/// Takes a detector through all traces, and does something at each node.
pub(super) fn replay<D: Detector>(
    detector: &mut D,
    traces: &[Trace],
    mut visit: impl FnMut(&D, &Trace),
) {
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
            visit(detector, trace);
        }
    }
}

/// A detector's fastest round, and the repetitions that it saw.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    pub(super) seconds: f64,
    repetitions: u64,
}

impl Cost {
    const NONE: Cost = Cost {
        seconds: f64::INFINITY,
        repetitions: 0,
    };

    /// Takes another round; what disturbs one only ever makes it slower.
    fn measure(&mut self, detector: &mut impl Detector, traces: &[Trace]) {
        let (begin, mut repetitions) = (Instant::now(), 0);
        replay(detector, traces, |detector, _| {
            repetitions += u64::from(black_box(detector.repeats()));
        });
        *self = Cost {
            seconds: self.seconds.min(begin.elapsed().as_secs_f64()),
            repetitions,
        };
    }
}

pub(super) struct Costs {
    pub(super) scan: Cost,
    /// Of each size in turn.
    filters: [Cost; TIMED.len()],
    nodes: usize,
    /// Seconds of the searches themselves.
    search_seconds: f64,
}

impl Costs {
    /// Times every detector on the recorded searches, which took the engine so many seconds, in
    /// turn, several rounds.
    pub(super) fn measure(traces: &[Trace], seconds: f64, rounds: u32) -> Result<Costs, Failure> {
        let histories: Result<Vec<_>, _> = TIMED.into_iter().map(History::new).collect();
        let mut histories = histories.map_err(Failure::work)?;
        let mut plain = PlainScan::default();
        let mut costs = Costs {
            scan: Cost::NONE,
            filters: [Cost::NONE; TIMED.len()],
            nodes: traces.iter().map(|trace| trace.steps.len()).sum(),
            search_seconds: seconds,
        };
        for _ in track("cost of a query", 0..rounds) {
            costs.scan.measure(&mut plain, traces);
            for (cost, history) in costs.filters.iter_mut().zip(&mut histories) {
                cost.measure(history, traces);
            }
        }
        Ok(costs)
    }

    /// Whether all of them saw the same repetitions.
    pub(super) fn agree(&self) -> bool {
        let mut filters = self.filters.iter();
        filters.all(|filter| filter.repetitions == self.scan.repetitions)
    }

    /// Seconds of the best filter.
    pub(super) fn best_filter(&self) -> f64 {
        let filters = self.filters.iter().map(|filter| filter.seconds);
        filters.fold(f64::INFINITY, f64::min)
    }

    /// So many seconds in percent of the search's time.
    pub(super) fn percent(&self, seconds: f64) -> f64 {
        100.0 * seconds / self.search_seconds.max(f64::MIN_POSITIVE)
    }

    fn nanoseconds(&self, cost: &Cost) -> f64 {
        1e9 * cost.seconds / self.nodes.max(1) as f64
    }

    pub(super) fn table(&self) -> Table {
        let mut rows = vec![("scan alone".to_owned(), &self.scan)];
        let named = |bits| format!("filter of {bits} bits, then scan");
        rows.extend(TIMED.map(named).into_iter().zip(&self.filters));
        let title = "Cost of entering, asking and leaving on the recorded searches (fastest round)";
        table!("costs", title, rows, |row| {
            "detector" => row.0.as_str(),
            "nodes" => self.nodes,
            "repetitions" => row.1.repetitions,
            "ns a node" => real(self.nanoseconds(row.1), 1),
            "share of the search (%)" => real(self.percent(row.1.seconds), 2),
        })
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::Random;

    use super::*;
    /// A search that wanders among few positions.
    fn wandering(seed: u64) -> Trace {
        let mut lot = Random::new(seed);
        let mut key = |ply: u16| u64::from(ply % 2) * 100 + lot.below(4) as u64;
        let game = (0..9).map(|clock| (key(clock), clock)).collect();
        let (mut random, mut ply) = (Random::new(seed ^ 1), 0);
        let steps = (0..4_000).map(|_| {
            // A child of any position on the line, mostly of its last one.
            let back = random.below(3).saturating_sub(1) * random.below(6);
            ply = (ply + 1_u16).saturating_sub(back as u16).clamp(1, 40);
            let (clock, key) = (8 + ply, key(ply));
            Step { ply, clock, key }
        });
        let steps = steps.collect();
        Trace { game, steps }
    }

    #[test]
    fn filter_and_scan_see_the_same_repetitions() {
        for seed in 0..20 {
            let costs = Costs::measure(&[wandering(seed)], 1.0, 1).unwrap();
            let seen = costs.scan.repetitions;
            assert!(costs.agree() && seen > 100, "seed {seed}, {seen} by a scan");
        }
    }
}
