//! Experiment 7: Ronald de Man's Bloom filter for repetitions: false alarms in real searches, where
//! filters of all sizes ride along with the engine. That the rate on random keys follows the formula
//! is a test of the crate `repetition`.

mod cost;

use sextant_board::{MoveSets, Position};
use sextant_cli::{chart::Axis, failure::Failure};
use sextant_repetition::History;
use sextant_search::{Game, MoveSearched, Node, Observer};

use crate::{
    engine::{FreshEngine, to_nodes},
    experiment::{Context, Experiment, track},
    random::Dice,
    report::{Figure, Finding, Report, Table, dashed, dots},
};
use cost::Costs;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "bloom",
    title: "Repetitions through a Bloom filter",
    claim: "A small table of counters, indexed by low bits of the hash key, incremented on entering a \
            node and decremented on leaving it, speeds up repetition detection (Ronald de Man, after \
            the Chess Programming Wiki).",
    run,
};

/// Filter sizes that ride along.
const SIZES: [u32; 7] = [2, 4, 6, 8, 10, 12, 14];
/// Longest trace that is kept for timing, in nodes.
const TRACE: usize = 300_000;

fn run(context: &Context) -> Result<Report, Failure> {
    let watched = Watched::searches(context)?;
    let costs = Costs::measure(&watched, context)?;
    Ok(Report {
        tables: vec![watched.table(), costs.table()],
        figures: vec![watched.chart(), costs.chart()],
        summary: summary(costs.agree, costs.share_saved()),
        findings: findings(&watched, &costs),
    })
}

fn summary(agree: bool, share_saved: f64) -> String {
    let errs = if agree { "never errs" } else { "errs" };
    format!(
        "The filter {errs}; against a plain scan it saves {:.2} % of the search's time.",
        100.0 * share_saved
    )
}

fn findings(watched: &Watched, costs: &Costs) -> Vec<Finding> {
    let mut findings = vec![
        Finding::tested(
            costs.agree,
            "All detectors (filter and scan, scan alone, hash set) saw the same repetitions on the \
             recorded searches.",
        ),
        Finding::tested(
            costs.filter_against_scan() < 1.0,
            format!(
                "On the recorded searches filter and scan took {:.2} of the time of the scan alone \
                 and {:.2} of the hash set's.",
                costs.filter_against_scan(),
                costs.filter_against_set()
            ),
        ),
        Finding::noted(format!(
            "Share of the engine's search time that the filter saves against a plain scan: {:.2} % \
             (timings of one run on a machine that may have been busy).",
            100.0 * costs.share_saved()
        )),
    ];
    findings.extend(watched.counts.last().map(|counts| {
        Finding::noted(format!(
            "In real searches a filter of {} bits raised a false alarm in {:.3} % of the queries; \
             the formula says {:.3} %.",
            counts.bits,
            counts.percent(counts.false_alarms as f64),
            counts.percent(counts.predicted)
        ))
    }));
    findings
}

/// Probability that a key which is not there finds its counter taken, with `others` keys in a
/// filter of 2^`bits` counters.
fn predicted(bits: u32, others: usize) -> f64 {
    1.0 - (1.0 - 0.5_f64.powi(bits as i32)).powf(others as f64)
}

/// One node as a detector sees it.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Distance from the root.
    ply: u16,
    /// Half-move clock.
    clock: u16,
    /// Key for repetitions.
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

/// One filter's counts.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    bits: u32,
    queries: u64,
    maybes: u64,
    false_alarms: u64,
    /// Sum of the formula over all queries.
    predicted: f64,
}

impl Counts {
    fn percent(&self, sum: f64) -> f64 {
        100.0 * sum / self.queries.max(1) as f64
    }

    fn add(&mut self, other: &Counts) {
        self.queries += other.queries;
        self.maybes += other.maybes;
        self.false_alarms += other.false_alarms;
        self.predicted += other.predicted;
    }
}

/// A filter of one size, and its counts in this search.
struct Passenger {
    history: History,
    counts: Counts,
}

impl Passenger {
    fn look(&mut self, step: Step, game: usize) {
        while self.history.plies() >= usize::from(step.ply) {
            self.history.leave();
        }
        self.history.enter(step.key, step.clock);
        let before = self.history.alarms();
        let _ = self.history.is_repetition();
        let after = self.history.alarms();
        if after.queries == before.queries {
            return;
        }
        self.counts.queries += 1;
        // The game was shuffled without an irreversible move, so all of it is in the filter.
        let others = self.history.plies() - 1 + game;
        self.counts.predicted += predicted(self.counts.bits, others);
        if after.maybes > before.maybes {
            self.counts.maybes += 1;
            self.counts.false_alarms += u64::from(self.history.occurrences() == 0);
        }
    }
}

/// Sees every move that the engine tries in full width, also those that end in a draw at once.
struct Watcher {
    passengers: Vec<Passenger>,
    trace: Trace,
    /// Nodes seen, also those that the trace has no room for.
    nodes: u64,
    /// The positions of the current line, the root first.
    line: Vec<Position>,
    /// The keys that the passengers hold, the root's child first.
    keys: Vec<u64>,
}

impl Watcher {
    fn new(game: &Game) -> Result<Watcher, Failure> {
        let passenger = |bits| {
            let mut history = History::new(bits).map_err(Failure::work)?;
            history.set_game(game.keys().iter().copied());
            let counts = Counts {
                bits,
                ..Counts::default()
            };
            Ok::<Passenger, Failure>(Passenger { history, counts })
        };
        let passengers = SIZES.into_iter().map(passenger);
        let trace = Trace {
            game: game.keys().to_vec(),
            steps: Vec::new(),
        };
        Ok(Watcher {
            passengers: passengers.collect::<Result<_, _>>()?,
            trace,
            nodes: 0,
            line: Vec::new(),
            keys: Vec::new(),
        })
    }

    fn visit(&mut self, ply: usize, position: &Position) {
        let step = Step {
            ply: ply as u16,
            clock: position.clock(),
            key: position.key(),
        };
        self.nodes += 1;
        self.keys.truncate(ply - 1);
        self.keys.push(step.key);
        for passenger in &mut self.passengers {
            passenger.look(step, self.trace.game.len());
        }
        if self.trace.steps.len() < TRACE {
            self.trace.steps.push(step);
        }
    }
}

impl Observer for Watcher {
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

/// Filters that rode along with searches, and what was recorded for timing.
struct Watched {
    counts: [Counts; SIZES.len()],
    /// The searches as detectors see them.
    traces: Vec<Trace>,
    /// Seconds of the same searches without anybody watching.
    seconds: f64,
    /// Nodes in the watched searches, also those that no trace had room for.
    seen: u64,
}

impl Watched {
    /// Searches positions that were reached by shuffling, with all filters on board.
    fn searches(context: &Context) -> Result<Watched, Failure> {
        let positions = context.positions(context.sized(3, 12))?;
        let limits = to_nodes(context.sized(20_000, 400_000));
        let mut engine = FreshEngine::with_hash(&context.config, 16)?;
        let mut dice = Dice::new(context.seed);
        let mut watched = Watched {
            counts: SIZES.map(|bits| Counts {
                bits,
                ..Counts::default()
            }),
            traces: Vec::new(),
            seconds: 0.0,
            seen: 0,
        };
        for position in track("filters in real searches", positions) {
            let game = shuffled(Game::new(position), 30, &mut dice);
            let alone = engine.search_game(&game, &limits, &mut |_| {});
            watched.seconds += alone.time.as_secs_f64();
            let watcher = Watcher::new(&game)?;
            let (_, watcher) = engine.watch_game(&game, &limits, watcher, &mut |_| {});
            watched.seen += watcher.nodes;
            for (sum, passenger) in watched.counts.iter_mut().zip(&watcher.passengers) {
                sum.add(&passenger.counts);
            }
            watched.traces.push(watcher.trace);
        }
        Ok(watched)
    }

    /// Nodes in the traces.
    fn traced(&self) -> u64 {
        self.traces
            .iter()
            .map(|trace| trace.steps.len() as u64)
            .sum()
    }

    /// The counts by filter size.
    fn table(&self) -> Table {
        let title = "The engine's searches (full-width nodes): what filters of each size did";
        Table::of("in-search", title, &self.counts)
            .column("bits", |counts| counts.bits)
            .column("queries", |counts| counts.queries)
            .column("maybes", |counts| counts.maybes)
            .column("false alarms", |counts| counts.false_alarms)
            .real("false (%)", 3, |counts| {
                counts.percent(counts.false_alarms as f64)
            })
            .real("formula (%)", 3, |counts| counts.percent(counts.predicted))
            .done()
    }

    fn chart(&self) -> Figure {
        let points = |sum: fn(&Counts) -> f64| {
            let counts = self.counts.iter();
            counts.map(move |counts| (f64::from(counts.bits), counts.percent(sum(counts))))
        };
        Figure::chart(
            "False alarms in real searches by filter size",
            [Axis::linear("filter bits"), Axis::log("false alarms (%)")],
            [
                dashed("formula", points(|counts| counts.predicted)),
                dots("measured", points(|counts| counts.false_alarms as f64)),
            ],
        )
    }
}

/// Plays up to `plies` reversible moves drawn by lot, so that there is something to repeat.
fn shuffled(mut game: Game, plies: usize, dice: &mut Dice) -> Game {
    for _ in 0..plies {
        let position = game.position();
        let moves = MoveSets::generate(position);
        let quiet: Vec<_> = moves
            .iter()
            .filter(|&mv| position.make(mv).0.clock() > 0)
            .collect();
        if quiet.is_empty() {
            break;
        }
        game.play(quiet[dice.below(quiet.len())]);
    }
    game
}

#[cfg(test)]
mod tests {
    use sextant_config::Config;

    use super::*;
    use crate::experiment::quick;

    #[test]
    fn the_summary_says_what_was_found() {
        let good = summary(true, -0.0013);
        let expected = "The filter never errs; against a plain scan it saves -0.13 % of the search's \
                        time.";
        assert_eq!(good, expected);
        assert!(summary(false, 0.0).starts_with("The filter errs;"));
    }

    #[test]
    fn more_counters_fewer_alarms() {
        assert!((predicted(14, 50) - 1.0 / 328.0).abs() < 1e-4);
        assert!(predicted(2, 100) > 0.999);
    }

    #[test]
    fn the_config_of_the_run_is_the_one_that_is_watched() {
        let mut context = quick(1);
        let shipped = Watched::searches(&context).unwrap().table();
        context.config = Config::preset("integer-ply").unwrap();
        assert_ne!(Watched::searches(&context).unwrap().table(), shipped);
    }
}
