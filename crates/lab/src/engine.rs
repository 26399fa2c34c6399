//! The engine as the experiments use it: one thread, a small table, and a clean start for every
//! search, so that a position's result does not depend on the positions before it.

use std::sync::Arc;

use sextant_board::Position;
use sextant_config::Config;
use sextant_search::{Engine, Event, Game, Limits, Observer, Outcome};
use sextant_syzygy::Tablebase;

use crate::error::LabError;

/// Table size of every experiment in megabytes: small, because it is emptied for each position.
const HASH: i32 = 4;

/// An engine that forgets everything before each search.
pub struct Subject(Engine);

impl Subject {
    /// An engine with this config, but one thread and a small table.
    ///
    /// # Errors
    /// When there is no memory or no thread for it.
    pub fn new(config: &Config) -> Result<Subject, LabError> {
        Engine::new(small(config))
            .map(Subject)
            .map_err(LabError::engine)
    }

    /// Probes these tables from now on, or none.
    pub fn probe(&mut self, tables: Option<Arc<Tablebase>>) {
        self.0.set_tablebase(tables);
    }

    /// Searches a position.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &mut dyn FnMut(Event),
    ) -> Outcome {
        self.0.new_game();
        let game = Game::new(position.clone());
        self.0.go_armed(&game, limits, 1, report)
    }

    /// Searches a position while `observer` looks on.
    pub fn watch<O: Observer + Send>(
        &mut self,
        position: &Position,
        limits: &Limits,
        observer: O,
        report: &mut dyn FnMut(Event),
    ) -> (Outcome, O) {
        self.0.clear_hash();
        self.0.signals().arm(false);
        let game = Game::new(position.clone());
        self.0
            .observe::<O, false>(&game, limits, 1, observer, report)
    }
}

/// The same config with one thread and a small table.
#[must_use]
pub fn small(config: &Config) -> Config {
    let mut config = config.clone();
    config.engine.hash = HASH;
    config.engine.threads = 1;
    config
}

/// Ends after `plies`.
#[must_use]
pub fn to_depth(plies: u32) -> Limits {
    Limits {
        depth: Some(plies),
        ..Limits::default()
    }
}

/// Ends after `nodes`.
#[must_use]
pub fn to_nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}
