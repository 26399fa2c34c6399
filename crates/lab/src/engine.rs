//! The engine as the experiments use it: one thread, a small table, and a clean start for every
//! search, so that a position's result does not depend on the positions before it.

use std::sync::Arc;

use sextant_board::Position;
use sextant_cli::failure::Failure;
use sextant_config::Config;
use sextant_search::{Engine, Event, Game, Limits, Observer, Outcome};
use sextant_syzygy::Tablebase;

use crate::experiment::track;

/// Size of the transposition table in megabytes: small, because it is emptied for each position.
const HASH: i32 = 4;

/// An engine that forgets everything before each search.
pub(crate) struct FreshEngine(Engine);

impl FreshEngine {
    /// An engine with this config, but one thread and a small table.
    pub(crate) fn new(config: &Config) -> Result<FreshEngine, Failure> {
        FreshEngine::with_hash(config, HASH)
    }

    /// An engine with this config, but one thread and a table of so many megabytes.
    pub(crate) fn with_hash(config: &Config, hash: i32) -> Result<FreshEngine, Failure> {
        let engine = Engine::new(single(config, hash)).map_err(Failure::work)?;
        Ok(FreshEngine(engine))
    }

    /// Probes these tables from now on, or none.
    pub(crate) fn probe(&mut self, tables: Option<Arc<Tablebase>>) {
        self.0.set_tablebase(tables);
    }

    pub(crate) fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &mut dyn FnMut(Event),
    ) -> Outcome {
        self.search_game(&Game::new(position.clone()), limits, report)
    }

    pub(crate) fn search_game(
        &mut self,
        game: &Game,
        limits: &Limits,
        report: &mut dyn FnMut(Event),
    ) -> Outcome {
        self.0.new_game();
        self.0.go_armed(game, limits, 1, report)
    }

    /// Searches a position while `observer` looks on.
    pub(crate) fn watch<O: Observer + Send>(
        &mut self,
        position: &Position,
        limits: &Limits,
        observer: O,
        report: &mut dyn FnMut(Event),
    ) -> (Outcome, O) {
        self.watch_game(&Game::new(position.clone()), limits, observer, report)
    }

    pub(crate) fn watch_game<O: Observer + Send>(
        &mut self,
        game: &Game,
        limits: &Limits,
        observer: O,
        report: &mut dyn FnMut(Event),
    ) -> (Outcome, O) {
        self.0.new_game();
        self.0.signals().arm(false);
        self.0.observed(observer).go(game, limits, 1, report)
    }
}

/// Measures every item with an engine of this config.
pub(crate) fn measure<I, T>(
    what: &str,
    config: &Config,
    items: &[I],
    mut measure: impl FnMut(&mut FreshEngine, &I) -> T,
) -> Result<Vec<T>, Failure> {
    let mut engine = FreshEngine::new(config)?;
    let measured = track(what, items).map(|item| measure(&mut engine, item));
    Ok(measured.collect())
}

/// The same config with one thread and a table of so many megabytes.
pub(crate) fn single(config: &Config, hash: i32) -> Config {
    let mut config = config.clone();
    config.engine.hash = hash;
    config.engine.threads = 1;
    config
}

/// Ends after `plies`.
pub(crate) fn to_depth(plies: u32) -> Limits {
    Limits {
        depth: Some(plies),
        ..Limits::default()
    }
}

/// Ends after `nodes`.
pub(crate) fn to_nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}
