//! Experiment 7: Ronald de Man's Bloom filter for repetitions: false alarms and costs on recorded
//! searches of the engine. That the rate on random keys follows the formula is a test of the crate
//! `repetition`.

mod cost;

use cost::{Costs, Step, Trace, replay};
use sextant_board::{Move, MoveSets, Random};
use sextant_repetition::History;
use sextant_search::{Game, MoveSearched, Node, Observer, Unobserved};

use crate::experiments::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "bloom",
    title: "Repetitions through a Bloom filter",
    claim: "A small table of counters, indexed by low bits of the hash key, incremented on entering a \
            node and decremented on leaving it, speeds up repetition detection (Ronald de Man, after \
            the Chess Programming Wiki).",
    takes_hours: false,
    run,
};

/// Bits of the filters.
const SIZES: [u32; 7] = [2, 4, 6, 8, 10, 12, 14];
fn run(context: &Context) -> Result<Report, Failure> {
    let (traces, seconds) = traces(context)?;
    let filters = SIZES.into_iter().map(|bits| Filter::of(bits, &traces));
    let filters = filters.collect::<Result<Vec<_>, _>>()?;
    let costs = Costs::measure(&traces, seconds, context.sized(3, 15))?;
    let errs = if costs.agree() { "never errs" } else { "errs" };
    Ok(Report {
        tables: vec![table(&filters), costs.table()],
        summary: format!(
            "The filter {errs} and saves {:.2} % of the search's time against a plain scan.",
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
            "On the recorded searches filter and scan took {by_scan:.2} times as long as the scan \
             alone."
        ),
        noted!(
            "Against a plain scan the filter saves {:.2} % of the engine's search time, by one run \
             on a machine that may have been busy.",
            costs.percent(costs.scan.seconds - costs.best_filter())
        ),
    ];
    findings.extend(filters.last().map(|filter| {
        noted!(
            "In real searches a filter of {} bits raised a false alarm in {:.3} % of the queries, \
             where the formula says {:.3} %.",
            filter.bits,
            filter.percent(filter.false_alarms as f64),
            filter.percent(filter.predicted)
        )
    }));
    findings
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
    let mut random = Random::new(context.settings.seed);
    let (mut traces, mut seconds) = (Vec::new(), 0.0);
    for position in track("real searches", positions) {
        let game = shuffled(Game::new(position), 30, &mut random);
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
fn shuffled(mut game: Game, plies: usize, random: &mut Random) -> Game {
    for _ in 0..plies {
        let position = game.position();
        let moves = MoveSets::generate(position);
        let is_quiet = |&mv: &Move| position.make(mv).0.clock() > 0;
        let quiet: Vec<Move> = moves.iter().filter(is_quiet).collect();
        if quiet.is_empty() {
            break;
        }
        game.play(quiet[random.below(quiet.len())]);
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_counters_fewer_alarms() {
        assert!((predicted(14, 50) - 1.0 / 328.0).abs() < 1e-4);
        assert!(predicted(2, 100) > 0.999);
    }
}
