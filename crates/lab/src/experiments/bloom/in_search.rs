//! False alarms in real searches: filters of all sizes ride along with the engine.

use sextant_board::Position;
use sextant_repetition::History;
use sextant_search::{Engine, Game, Limits, MoveSearched, Node, Observer};

use super::rate::{predicted, refused};
use crate::engine::small;
use crate::error::LabError;
use crate::experiment::Context;
use crate::game::Dice;
use crate::report::{Axis, Cell, Chart, Series, Stroke, Table};

/// Filter sizes that ride along.
const SIZES: [u32; 7] = [2, 4, 6, 8, 10, 12, 14];
/// Longest trace that is kept for timing, in nodes.
const TRACE: usize = 300_000;

/// One node as a detector sees it.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Distance from the root.
    pub ply: u16,
    /// Half-move clock.
    pub clock: u16,
    /// Key for repetitions.
    pub key: u64,
}

/// A search as detectors see it: the game before it and its nodes in order.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Key and clock of the game's positions, the root last.
    pub game: Vec<(u64, u16)>,
    /// Nodes in the order of the search; the root is left out.
    pub steps: Vec<Step>,
}

/// One filter's counts.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    queries: u64,
    maybes: u64,
    false_alarms: u64,
    /// Sum of the formula over all queries.
    predicted: f64,
}

struct Passenger {
    bits: u32,
    history: History,
    counts: Counts,
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
    fn new(game: &Game) -> Result<Watcher, LabError> {
        let mut passengers = Vec::new();
        for bits in SIZES {
            let mut history = History::new(bits).map_err(refused)?;
            history.set_game(game.keys().iter().copied());
            passengers.push(Passenger {
                bits,
                history,
                counts: Counts::default(),
            });
        }
        let trace = Trace {
            game: game.keys().to_vec(),
            steps: Vec::new(),
        };
        Ok(Watcher {
            passengers,
            trace,
            nodes: 0,
            line: Vec::new(),
            keys: Vec::new(),
        })
    }

    fn visit(&mut self, ply: usize, position: &Position) {
        let (key, clock) = (position.key(), position.clock());
        self.nodes += 1;
        self.keys.truncate(ply - 1);
        self.keys.push(key);
        for passenger in &mut self.passengers {
            passenger.look(ply - 1, key, clock, self.trace.game.len());
        }
        if self.trace.steps.len() < TRACE {
            self.trace.steps.push(Step {
                ply: ply as u16,
                clock,
                key,
            });
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

impl Passenger {
    fn look(&mut self, above: usize, key: u64, clock: u16, game: usize) {
        while self.history.plies() > above {
            self.history.leave();
        }
        self.history.enter(key, clock);
        let before = self.history.alarms();
        let _ = self.history.is_repetition();
        let after = self.history.alarms();
        if after.queries == before.queries {
            return;
        }
        self.counts.queries += 1;
        // The game was shuffled without an irreversible move, so all of it is in the filter.
        let others = self.history.plies() - 1 + game;
        self.counts.predicted += predicted(self.bits, others);
        if after.maybes > before.maybes {
            self.counts.maybes += 1;
            self.counts.false_alarms += u64::from(self.history.occurrences() == 0);
        }
    }
}

/// Filters that rode along with searches, and what was recorded for timing.
pub struct Watched {
    counts: Vec<(u32, Counts)>,
    /// The searches as detectors see them.
    pub traces: Vec<Trace>,
    /// Seconds of the same searches without anybody watching.
    pub seconds: f64,
    /// Nodes in the traces.
    pub traced: u64,
    /// Nodes in the watched searches, also those that no trace had room for.
    pub seen: u64,
}

impl Watched {
    /// Measured and predicted rate of a filter size.
    #[must_use]
    pub fn at_bits(&self, bits: u32) -> Option<(f64, f64)> {
        let (_, counts) = self.counts.iter().find(|(size, _)| *size == bits)?;
        let queries = counts.queries.max(1) as f64;
        Some((
            counts.false_alarms as f64 / queries,
            counts.predicted / queries,
        ))
    }

    /// The counts by filter size.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = Table::new(
            "in-search",
            "The engine's searches (full-width nodes): what filters of each size did",
            &[
                "bits",
                "queries",
                "maybes",
                "false alarms",
                "false (%)",
                "formula (%)",
            ],
        );
        for (bits, counts) in &self.counts {
            let share = |sum: f64| Cell::real(100.0 * sum / counts.queries.max(1) as f64, 3);
            table.row([
                (*bits).into(),
                counts.queries.into(),
                counts.maybes.into(),
                counts.false_alarms.into(),
                share(counts.false_alarms as f64),
                share(counts.predicted),
            ]);
        }
        table
    }

    /// Rates by filter size as a picture.
    #[must_use]
    pub fn chart(&self) -> Chart {
        let line = |pick: &dyn Fn(&Counts) -> f64| {
            let point = |(bits, counts): &(u32, Counts)| {
                (
                    f64::from(*bits),
                    100.0 * pick(counts) / counts.queries.max(1) as f64,
                )
            };
            self.counts.iter().map(point).collect::<Vec<_>>()
        };
        Chart {
            title: "False alarms in real searches by filter size".to_owned(),
            x: Axis::linear("filter bits"),
            y: Axis::log("false alarms (%)"),
            series: vec![
                Series::new("formula", Stroke::Dashed, line(&|counts| counts.predicted)),
                Series::new(
                    "measured",
                    Stroke::Dots,
                    line(&|counts| counts.false_alarms as f64),
                ),
            ],
        }
    }
}

/// Searches positions that were reached by shuffling, with all filters on board.
///
/// # Errors
/// When the suite is missing or broken, or the engine cannot be had.
pub fn experiment(context: &Context<'_>) -> Result<Watched, LabError> {
    let boards = context.positions(context.sized(3, 12))?;
    let limits = Limits {
        nodes: Some(context.sized(20_000, 400_000)),
        ..Limits::default()
    };
    let mut config = small(&context.config);
    config.engine.hash = 16;
    let mut engine = Engine::new(config).map_err(LabError::engine)?;
    let mut dice = Dice::new(context.seed);
    let mut counts = SIZES.map(|bits| (bits, Counts::default())).to_vec();
    let mut watched = Watched {
        counts: Vec::new(),
        traces: Vec::new(),
        seconds: 0.0,
        traced: 0,
        seen: 0,
    };
    context
        .progress
        .begin(boards.len() as u64, "filters in real searches");
    for board in boards {
        let game = shuffled(Game::new(Position::new(board)), 30, &mut dice);
        engine.new_game();
        let alone = engine.go_armed(&game, &limits, 1, &mut |_| {});
        watched.seconds += alone.time.as_secs_f64();
        engine.new_game();
        engine.signals().arm(false);
        let watcher = Watcher::new(&game)?;
        let (_, watcher) =
            engine.observe::<Watcher, false>(&game, &limits, 1, watcher, &mut |_| {});
        watched.traced += watcher.trace.steps.len() as u64;
        watched.seen += watcher.nodes;
        for ((_, sum), passenger) in counts.iter_mut().zip(&watcher.passengers) {
            sum.queries += passenger.counts.queries;
            sum.maybes += passenger.counts.maybes;
            sum.false_alarms += passenger.counts.false_alarms;
            sum.predicted += passenger.counts.predicted;
        }
        watched.traces.push(watcher.trace);
        context.progress.step();
    }
    watched.counts = counts;
    Ok(watched)
}

/// Plays up to `plies` reversible moves drawn by lot, so that there is something to repeat.
fn shuffled(mut game: Game, plies: usize, dice: &mut Dice) -> Game {
    for _ in 0..plies {
        let position = game.position().clone();
        let mut quiet = Vec::new();
        position.board().generate_moves(|moves| {
            quiet.extend(
                moves
                    .into_iter()
                    .filter(|&mv| position.make(mv).0.clock() > 0),
            );
            false
        });
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
    use sextant_config::Config;

    #[test]
    fn the_config_of_the_run_is_the_one_that_is_watched() {
        let mut context = Context::quick(1);
        let shipped = experiment(&context).unwrap().table();
        context.config = Config::preset("integer-ply").unwrap();
        assert_ne!(experiment(&context).unwrap().table(), shipped);
    }
}
