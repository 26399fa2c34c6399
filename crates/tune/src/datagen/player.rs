//! One game: a start, and the engine against itself.

use sextant_search::{
    Engine, Game,
    play::{Choice, Player, Record, play_alone},
};

use super::setup::Setup;
use crate::failure::Failure;

/// An engine that plays both sides under the limits of all moves.
pub(super) struct SelfPlayer<'a> {
    setup: &'a Setup,
    engine: Engine,
}

impl<'a> SelfPlayer<'a> {
    pub(super) fn new(setup: &'a Setup) -> Result<SelfPlayer<'a>, Failure> {
        let engine = setup.engine()?;
        Ok(SelfPlayer { setup, engine })
    }

    /// Plays game `index`; `None` if it was stopped.
    pub(super) fn play(
        &mut self,
        index: u64,
        interrupted: impl Fn() -> bool,
    ) -> Result<Option<Record>, Failure> {
        let setup = self.setup;
        self.new_game();
        let start = setup
            .starts
            .find(&mut self.engine, index)
            .map_err(Failure::work)?;
        play_alone(&start, self, &setup.rules, interrupted)
            .map_err(|error| Failure::work(format!("game {}: {error}", index + 1)))
    }
}

impl Player for SelfPlayer<'_> {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn choose(&mut self, game: &Game) -> Choice {
        let outcome = self
            .engine
            .go_armed(game, &self.setup.limits, 1, &mut |_| ());
        Choice {
            mv: outcome.best,
            score: outcome.score(),
            depth: outcome.depth(),
            nodes: outcome.nodes,
            time: outcome.time,
        }
    }
}
