//! The engine as a player.

use super::player::{Choice, Player};
use crate::{Engine, game::Game, limits::Limits};

/// An engine that plays every move under the same limits.
pub struct EnginePlayer {
    engine: Engine,
    limits: Limits,
}

impl EnginePlayer {
    /// A player from an engine and the limits of each of its moves.
    #[must_use]
    pub fn new(engine: Engine, limits: Limits) -> EnginePlayer {
        EnginePlayer { engine, limits }
    }
}

impl Player for EnginePlayer {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn choose(&mut self, game: &Game) -> Choice {
        self.engine.signals().arm(false);
        let outcome = self.engine.go(game, &self.limits, 1, &mut |_| {});
        Choice {
            mv: outcome.best,
            score: outcome.score(),
            depth: outcome.depth(),
            nodes: outcome.nodes,
            time: outcome.time,
        }
    }
}
