//! Experiment 7: Ronald de Man's Bloom filter for repetitions: false alarms and costs on recorded
//! searches of the engine. That the rate on random keys follows the formula is a test of the crate
//! `repetition`.

use std::{hint::black_box, time::Instant};

use sextant_board::{Move, MoveSets};
use sextant_repetition::History;
use sextant_search::{Game, MoveSearched, Node, Observer, Unobserved};

use crate::experiments::prelude::*;
use crate::random::Dice;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "bloom",
    title: "Repetitions through a Bloom filter",
    claim: "A small table of counters, indexed by low bits of the hash key, incremented on entering a \
            node and decremented on leaving it, speeds up repetition detection (Ronald de Man, after \
            the Chess Programming Wiki).",
    run,
};

/// Bits of the filters.
const SIZES: [u32; 7] = [2, 4, 6, 8, 10, 12, 14];
/// Those that are timed.
const TIMED: [u32; 4] = [4, 8, 12, 14];

fn run(context: &Context) -> Result<Report, Failure> {
    let (traces, seconds) = traces(context)?;
    let filters = SIZES.into_iter().map(|bits| Filter::of(bits, &traces));
    let filters = filters.collect::<Result<Vec<_>, _>>()?;
    let costs = Costs::measure(&traces, seconds, context.sized(3, 15))?;
    let errs = if costs.agree() { "never errs" } else { "errs" };
    Ok(Report {
        tables: vec![table(&filters), costs.table()],
        summary: format!(
            "The filter {errs}; against a plain scan it saves {:.2} % of the search's time.",
            costs.percent(costs.scan.seconds - costs.best_filter())
        ),
        findings: findings(&filters, &costs),
        ..Report::default()
    })
}

fn findings(filters: &[Filter], costs: &Costs) -> Vec<Finding> {
    let by_scan = costs.best_filter() / costs.scan.seconds;
    let mut findings = vec![
        tested!(
            costs.agree(),
            "Filter and scan saw the same repetitions on the recorded searches as the scan alone."
        ),
        tested!(
            by_scan < 1.0,
            "On the recorded searches filter and scan took {by_scan:.2} of the time of the scan \
             alone."
        ),
        noted!(
            "Share of the engine's search time that the filter saves against a plain scan: {:.2} % \
             (timings of one run on a machine that may have been busy).",
            costs.percent(costs.scan.seconds - costs.best_filter())
        ),
    ];
    findings.extend(filters.last().map(|filter| {
        noted!(
            "In real searches a filter of {} bits raised a false alarm in {:.3} % of the queries; \
             the formula says {:.3} %. On random keys the rate follows the formula: that is a test \
             of the crate repetition.",
            filter.bits,
            filter.percent(filter.false_alarms as f64),
            filter.percent(filter.predicted)
        )
    }));
    findings
}

/// A node as detectors see it.
#[derive(Clone, Copy, Debug)]
struct Step {
    ply: u16,
    clock: u16,
    key: u64,
}

/// A search as detectors see it: the game before it and its nodes in order.
#[derive(Clone, Debug, Default)]
struct Trace {
    /// Key and clock of the game's positions, the root last.
    game: Vec<(u64, u16)>,
    /// Nodes in the order of the search; the root is left out.
    steps: Vec<Step>,
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

/// Takes a detector through all traces, and does something at each node.
fn replay<D: Detector>(detector: &mut D, traces: &[Trace], mut visit: impl FnMut(&D, &Trace)) {
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
struct Cost {
    seconds: f64,
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

struct Costs {
    scan: Cost,
    /// Of each size in turn.
    filters: [Cost; TIMED.len()],
    nodes: usize,
    /// Seconds of the searches themselves.
    search_seconds: f64,
}

impl Costs {
    /// Times every detector on the recorded searches, which took the engine so many seconds, in
    /// turn, several rounds.
    fn measure(traces: &[Trace], seconds: f64, rounds: u32) -> Result<Costs, Failure> {
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
    fn agree(&self) -> bool {
        let mut filters = self.filters.iter();
        filters.all(|filter| filter.repetitions == self.scan.repetitions)
    }

    /// Seconds of the best filter.
    fn best_filter(&self) -> f64 {
        let filters = self.filters.iter().map(|filter| filter.seconds);
        filters.fold(f64::INFINITY, f64::min)
    }

    /// So many seconds in percent of the search's time.
    fn percent(&self, seconds: f64) -> f64 {
        100.0 * seconds / self.search_seconds.max(f64::MIN_POSITIVE)
    }

    fn nanoseconds(&self, cost: &Cost) -> f64 {
        1e9 * cost.seconds / self.nodes.max(1) as f64
    }

    fn table(&self) -> Table {
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

/// Probability that a key which is not there finds its counter taken, with `others` keys in a
/// filter of 2^`bits` counters.
fn predicted(bits: u32, others: usize) -> f64 {
    1.0 - (1.0 - 0.5_f64.powi(bits as i32)).powf(others as f64)
}

/// What a filter of one size did in the recorded searches.
#[derive(Default)]
struct Filter {
    bits: u32,
    queries: u64,
    maybes: u64,
    false_alarms: u64,
    /// Sum of the formula over all queries.
    predicted: f64,
}

impl Filter {
    fn of(bits: u32, traces: &[Trace]) -> Result<Filter, Failure> {
        let mut history = History::new(bits).map_err(Failure::work)?;
        let mut filter = Filter {
            bits,
            ..Filter::default()
        };
        replay(&mut history, traces, |history, trace| {
            // The game was shuffled without an irreversible move, so all of it is in the filter.
            filter.ask(history, history.plies() - 1 + trace.game.len());
        });
        Ok(filter)
    }

    /// Asks about the last position, with so many others in the filter.
    fn ask(&mut self, history: &History, others: usize) {
        let before = history.alarms();
        let _ = history.is_repetition();
        let after = history.alarms();
        if after.queries == before.queries {
            return;
        }
        self.queries += 1;
        self.predicted += predicted(self.bits, others);
        if after.maybes > before.maybes {
            self.maybes += 1;
            self.false_alarms += u64::from(history.occurrences() == 0);
        }
    }

    fn percent(&self, sum: f64) -> f64 {
        100.0 * sum / self.queries.max(1) as f64
    }
}

fn table(filters: &[Filter]) -> Table {
    let title = "The engine's searches (full-width nodes): what filters of each size did";
    table!("in-search", title, filters, |filter| {
        "bits" => filter.bits,
        "queries" => filter.queries,
        "maybes" => filter.maybes,
        "false alarms" => filter.false_alarms,
        "false (%)" => real(filter.percent(filter.false_alarms as f64), 3),
        "formula (%)" => real(filter.percent(filter.predicted), 3),
    })
}

/// Searches positions that were reached by shuffling. Returns the searches as detectors see them,
/// and the seconds that they took with nobody watching.
fn traces(context: &Context) -> Result<(Vec<Trace>, f64), Failure> {
    let positions = context.positions(context.sized(3, 12))?;
    let limits = to_nodes(context.sized(20_000, 400_000));
    let mut engine = FreshEngine::new(&context.config, 16)?;
    let mut dice = Dice::new(context.settings.seed);
    let (mut traces, mut seconds) = (Vec::new(), 0.0);
    for position in track("real searches", positions) {
        let game = shuffled(Game::new(position), 30, &mut dice);
        let alone = engine.watch_game(&game, &limits, Unobserved, &mut |_| {}).0;
        seconds += alone.time.as_secs_f64();
        let recorder = Recorder::default();
        let (_, recorder) = engine.watch_game(&game, &limits, recorder, &mut |_| {});
        traces.push(Trace {
            game: game.keys().to_vec(),
            steps: recorder.steps,
        });
    }
    Ok((traces, seconds))
}

/// Records every move that the engine tries in full width, also those that end in a draw at once.
#[derive(Default)]
struct Recorder {
    steps: Vec<Step>,
    /// The positions of the current line, the root first.
    line: Vec<Position>,
    /// The keys of the last steps, the root's child first.
    keys: Vec<u64>,
}

impl Recorder {
    fn visit(&mut self, ply: usize, position: &Position) {
        let key = position.key();
        self.keys.truncate(ply - 1);
        self.keys.push(key);
        self.steps.push(Step {
            ply: ply as u16,
            clock: position.clock(),
            key,
        });
    }
}

impl Observer for Recorder {
    fn enter(&mut self, node: &Node<'_>) {
        let ply = node.ply.index();
        // A null move is not tried like other moves: its node is first seen here.
        if ply > 0 && self.keys.get(ply - 1) != Some(&node.pos.key()) {
            self.visit(ply, node.pos);
        }
        self.line.truncate(ply);
        self.line.push(node.pos.clone());
    }

    fn move_searched(&mut self, tried: &MoveSearched<'_>) {
        let ply = tried.ply.index();
        if let Some(position) = self.line.get(ply) {
            let child = position.make(tried.mv).0;
            self.visit(ply + 1, &child);
        }
    }
}

/// Plays up to `plies` reversible moves drawn by lot, so that there is something to repeat.
fn shuffled(mut game: Game, plies: usize, dice: &mut Dice) -> Game {
    for _ in 0..plies {
        let position = game.position();
        let moves = MoveSets::generate(position);
        let is_quiet = |&mv: &Move| position.make(mv).0.clock() > 0;
        let quiet: Vec<Move> = moves.iter().filter(is_quiet).collect();
        if quiet.is_empty() {
            break;
        }
        game.play(quiet[dice.below(quiet.len())]);
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::scramble;

    #[test]
    fn more_counters_fewer_alarms() {
        assert!((predicted(14, 50) - 1.0 / 328.0).abs() < 1e-4);
        assert!(predicted(2, 100) > 0.999);
    }

    /// A search that wanders among few positions.
    fn wandering(seed: u64) -> Trace {
        let mut dice = Dice::new(seed);
        let mut key = |ply: u16| scramble(u64::from(ply % 2) * 100 + dice.below(4) as u64);
        let game = (0..9).map(|clock| (key(clock), clock)).collect();
        let (mut random, mut ply) = (Dice::new(seed ^ 1), 0);
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
