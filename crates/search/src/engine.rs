//! An engine instance: transposition table, workers, config, tablebases. No globals; any number in
//! a process.

use std::{
    cmp::Reverse,
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::Duration,
};

use crossbeam::atomic::AtomicCell;
use sextant_board::{Move, MoveSets, Ply, Position, Score};
use sextant_config::Config;
use sextant_eval::{EvalModel, EvalState, nnue::Network};
use sextant_syzygy::Tablebase;
use web_time::Instant;

use crate::{
    deepening::WorkerResult,
    evaluation::{self, NetworkError},
    game::Game,
    level::Level,
    limits::Limits,
    report::{Event, Info, Outcome},
    root_moves::RootMove,
    shared::{Counter, Shared, Signals},
    threads::{Threads, ThreadsError},
    time::Clock,
    tt::{TableTooLarge, TranspositionTable},
    window::Bound,
};

/// An engine could not be set up as asked.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// Searches positions; several engines in a process share nothing but what they are given.
pub struct Engine {
    pub(crate) config: Arc<Config>,
    pub(crate) evaluation: EvalModel,
    pub(crate) tt: Arc<TranspositionTable>,
    pub(crate) threads: Threads,
    signals: Arc<Signals>,
    tablebase: Option<Arc<Tablebase>>,
}

impl Engine {
    /// An engine with an empty table and parked workers. Where the config asks for a network, that
    /// is the one that is built in.
    ///
    /// # Errors
    /// [`EngineError`] if the table or the threads cannot be had, or if the config names a file
    /// with a network.
    pub fn new(config: Config) -> Result<Engine, EngineError> {
        Engine::with_network(config, None)
    }

    /// Like [`Engine::new`], with the network that the config names (see [`crate::network`]).
    /// WebAssembly has no threads: there it is [`Engine::on_caller`].
    pub fn with_network(
        config: Config,
        network: Option<Arc<Network>>,
    ) -> Result<Engine, EngineError> {
        if cfg!(target_family = "wasm") {
            return Engine::on_caller(config, network);
        }
        Engine::of(config, network, Threads::parked)
    }

    /// An engine without threads of its own: it searches on the thread that calls
    /// [`Engine::go`], with one worker whatever `engine.threads` says. For programs that make
    /// thousands of short searches and have threads enough; each of these needs
    /// [`crate::STACK_BYTES`] of stack.
    pub fn on_caller(config: Config, network: Option<Arc<Network>>) -> Result<Engine, EngineError> {
        Engine::of(config, network, |config, evaluation, idle| {
            Ok(Threads::caller(config, evaluation, idle))
        })
    }

    fn of<T>(
        config: Config,
        network: Option<Arc<Network>>,
        threads: T,
    ) -> Result<Engine, EngineError>
    where
        T: FnOnce(&Arc<Config>, &EvalModel, &Arc<Shared>) -> Result<Threads, ThreadsError>,
    {
        let evaluation = evaluation::model(&config, network)?;
        let config = Arc::new(config);
        let tt = Arc::new(TranspositionTable::new(config.engine.hash as usize)?);
        let signals = Arc::new(Signals::default());
        let idle = Shared::idle(&config, &tt, &signals);
        Ok(Engine {
            threads: threads(&config, &evaluation, &idle)?,
            config,
            evaluation,
            tt,
            signals,
            tablebase: None,
        })
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Takes over a config. Only what changed is built anew; a new table is empty.
    ///
    /// # Errors
    /// [`EngineError`]; everything stays as it was then. A config that names another network than
    /// the last needs [`Engine::configure_with_network`].
    pub fn configure(&mut self, config: Config) -> Result<(), EngineError> {
        if config == *self.config {
            return Ok(());
        }
        let same = config.eval.file == self.config.eval.file;
        let network = self.network().filter(|_| same).cloned();
        self.configure_with_network(config, network)
    }

    /// Like [`Engine::configure`], with the network that the config names (see [`crate::network`]).
    /// What the table says of another evaluation is forgotten.
    ///
    /// # Errors
    /// [`EngineError`]; everything stays as it was then.
    pub fn configure_with_network(
        &mut self,
        config: Config,
        network: Option<Arc<Network>>,
    ) -> Result<(), EngineError> {
        let evaluation = evaluation::model(&config, network)?;
        let config = Arc::new(config);
        let tt = if config.engine.hash == self.config.engine.hash {
            self.tt.clone()
        } else {
            Arc::new(TranspositionTable::new(config.engine.hash as usize)?)
        };
        let idle = Shared::idle(&config, &tt, &self.signals);
        if self.threads.suit(&config) {
            self.threads.configure(&config, &evaluation, &idle);
        } else {
            self.threads = Threads::parked(&config, &evaluation, &idle)?;
        }
        self.tt = tt;
        self.config = config;
        if evaluation != self.evaluation {
            self.evaluation = evaluation;
            self.new_game();
        }
        Ok(())
    }

    /// The network that positions are valued with; `None` is the classical evaluation.
    pub fn network(&self) -> Option<&Arc<Network>> {
        match &self.evaluation {
            EvalModel::Classical { .. } => None,
            EvalModel::Network(network) => Some(network),
        }
    }

    /// Uses `tablebase` from now on, or none.
    pub fn set_tablebase(&mut self, tablebase: Option<Arc<Tablebase>>) {
        self.tablebase = tablebase;
    }

    /// Forgets everything that was learned: the next game is played as by a new engine.
    pub fn new_game(&mut self) {
        self.tt.clear();
        self.threads.new_game();
    }

    pub fn clear_hash(&mut self) {
        self.tt.clear();
    }

    /// How the outside stops a search; see [`Signals`].
    pub fn signals(&self) -> Arc<Signals> {
        self.signals.clone()
    }

    /// The static evaluation of a position, from the side to move's view.
    pub fn evaluate(&self, position: &Position) -> Score {
        let mut evaluation = EvalState::new(self.evaluation.clone());
        evaluation.reset(position);
        evaluation.evaluate(position)
    }

    /// Arms the signals and searches one line: for callers that stop by limits only and hear nothing
    /// before the end. The search is that of [`Engine::go`]; what it would tell is not worked out.
    pub fn arm_and_go(&mut self, game: &Game, limits: &Limits) -> Outcome {
        self.signals.arm(limits.ponder);
        let mut shared = self.prepare(game, limits, 1, self.threads.len());
        shared.is_heard = false;
        self.search(shared, &mut |_| ())
    }

    /// Searches until the limits or the [`Signals`] end it, and calls `report` meanwhile.
    ///
    /// The signals must have been armed (by whoever may stop the search); a search that was stopped
    /// before it began still returns a legal move.
    pub fn go(
        &mut self,
        game: &Game,
        limits: &Limits,
        multipv: usize,
        report: &mut dyn FnMut(Event),
    ) -> Outcome {
        let shared = self.prepare(game, limits, multipv, self.threads.len());
        self.search(shared, report)
    }

    fn search(&mut self, shared: Shared, report: &mut dyn FnMut(Event)) -> Outcome {
        let shared = Arc::new(shared);
        conclude(&shared, report, |report| {
            let results = self.threads.search(&shared, report);
            best_result(shared.multipv == 1, results).lines
        })
    }

    /// Builds what the workers share and starts a new TT generation.
    pub(crate) fn prepare(
        &self,
        game: &Game,
        limits: &Limits,
        multipv: usize,
        workers: usize,
    ) -> Shared {
        let mut limits = limits.clone();
        if let Some(level) = Level::of(&self.config.level, game.position()) {
            let nodes = limits.nodes.unwrap_or(u64::MAX);
            limits.nodes = Some(nodes.min(level.nodes));
        }
        let overhead = Duration::from_millis(self.config.engine.move_overhead as u64);
        let move_number = game.position().board().fullmove_number();
        let start = Instant::now();
        let root_moves = self.root_moves(game, &limits);
        if !root_moves.is_empty() {
            self.tt.new_search();
        }
        Shared {
            game: game.clone(),
            root_moves,
            multipv,
            tt: self.tt.clone(),
            tablebase: self.tablebase.clone(),
            signals: self.signals.clone(),
            finished: AtomicBool::new(false),
            current: AtomicCell::default(),
            counters: (0..workers).map(|_| Counter::default().into()).collect(),
            clock: Clock::new(&limits, &self.config.time, overhead, move_number),
            limits,
            start,
            is_heard: true,
        }
    }

    /// The bonus in centipawns that the config and the playing level give to each root move.
    pub fn root_bonuses(&self, game: &Game) -> Vec<(Move, i32)> {
        let root_moves = self.root_moves(game, &Limits::default());
        root_moves
            .iter()
            .map(|root_move| (root_move.mv, root_move.bonus))
            .collect()
    }

    fn root_moves(&self, game: &Game, limits: &Limits) -> Vec<RootMove> {
        let tablebase = self.tablebase.as_deref();
        RootMove::list(game, &limits.searchmoves, tablebase, &self.config)
    }
}

/// The result with the nearest mate, else that of the deepest finished iteration, then of the better
/// (biased) score; the main worker's where all is equal. With several lines the main worker's, for
/// these were shown: then nothing `compares` them.
fn best_result(compares: bool, results: Vec<WorkerResult>) -> WorkerResult {
    let mates = |score: &Score| score.mate_in().is_some_and(|moves| moves > 0);
    let key = |result: &WorkerResult| {
        let mate = Some(result.score).filter(mates);
        let merit = compares.then_some((mate, result.depth, result.score));
        (merit, Reverse(result.index))
    };
    let best = results.into_iter().max_by_key(key);
    best.expect("an engine has a worker")
}

/// The only line of a root without a move to choose from.
fn game_is_over(shared: &Shared) -> Info {
    let pos = shared.game.position();
    let mated = pos.in_check() && MoveSets::generate(pos).is_empty();
    Info {
        depth: 0,
        seldepth: 0,
        multipv: 1,
        score: if mated {
            Score::mated_at(Ply::ROOT)
        } else {
            Score::DRAW
        },
        bound: Bound::Exact,
        totals: shared.totals(),
        pv: Vec::new(),
    }
}

/// Searches with `search`, which gives its lines, unless the game is over. Tells the last lines
/// with the final totals, unless `report` has them already, and waits until the move may be given.
pub(crate) fn conclude(
    shared: &Shared,
    report: &mut dyn FnMut(Event),
    search: impl FnOnce(&mut dyn FnMut(Event)) -> Vec<Info>,
) -> Outcome {
    // The last best line that was told.
    let mut told: Option<Info> = None;
    let mut lines = if shared.root_moves.is_empty() {
        vec![game_is_over(shared)]
    } else {
        search(&mut |event| {
            if let Event::Info(info) = &event
                && info.multipv == 1
            {
                told = Some(info.clone());
            }
            report(event);
        })
    };
    let totals = shared.totals();
    lines.iter_mut().for_each(|line| line.totals = totals);
    let is_told = |line: &Info| told.as_ref().is_some_and(|told| told.says(line));
    if !lines.first().is_some_and(is_told) {
        let infos = lines.iter().cloned().map(Event::Info);
        infos.for_each(&mut *report);
    }
    let tables = shared.tablebase.as_deref();
    for failure in tables.map(Tablebase::take_failures).unwrap_or_default() {
        report(Event::Note(format!("tablebase no longer used: {failure}")));
    }
    wait_for_stop(shared);
    let pv = lines.first().map_or(&[][..], |line| &line.pv);
    Outcome {
        best: pv.first().copied(),
        ponder: pv.get(1).copied(),
        nodes: totals.nodes,
        time: shared.start.elapsed(),
        lines,
    }
}

/// In `go infinite` and while pondering no move is given before the outside asks for it.
fn wait_for_stop(shared: &Shared) {
    let signals = &shared.signals;
    while (shared.limits.infinite || signals.is_pondering()) && !signals.is_stopped() {
        thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_is_a_better_result_than_a_deeper_search() {
        let result = |(index, (depth, score))| WorkerResult {
            index,
            depth,
            score,
            lines: Vec::new(),
        };
        let (even, mate) = (Score::eval(10), |plies| Score::mates_at(Ply(plies)));
        for (results, best) in [
            (vec![(9, even), (9, even)], 0),
            (vec![(9, even), (12, Score::eval(-30))], 1),
            (vec![(9, mate(7)), (12, Score::eval(300))], 0),
            (vec![(9, mate(7)), (8, mate(5))], 1),
            (vec![(9, Score::mated_at(Ply(4))), (12, even)], 1),
        ] {
            let results: Vec<_> = results.into_iter().enumerate().map(result).collect();
            assert_eq!(best_result(true, results).index, best);
        }
    }
}
