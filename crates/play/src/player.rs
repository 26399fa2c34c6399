//! Who can take part in a game.

use std::time::Duration;

use sextant_board::{Move, Score};
use sextant_search::{Engine, Game, Limits, Outcome};

/// Something that chooses moves.
pub trait Player: Send {
    /// Forgets everything about earlier games, so that a game's moves depend on that game alone.
    fn new_game(&mut self);

    /// Chooses a move in a position that has at least one.
    fn choose(&mut self, game: &Game) -> Choice;
}

/// A player's move, and what it thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move; `None` or an illegal one ends the match with an error.
    pub mv: Option<Move>,
    /// The value of the position from the mover's view.
    pub score: Score,
    /// Nominal depth reached, in plies.
    pub depth: u32,
    pub nodes: u64,
    pub time: Duration,
}

impl From<Outcome> for Choice {
    fn from(outcome: Outcome) -> Choice {
        Choice {
            mv: outcome.best,
            score: outcome.score(),
            depth: outcome.depth(),
            nodes: outcome.nodes,
            time: outcome.time,
        }
    }
}

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
        let limits = &self.limits;
        self.engine.go_armed(game, limits, 1, &mut |_| ()).into()
    }
}
