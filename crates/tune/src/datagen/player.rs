//! One game: a start, and the engine against itself.

use sextant_cli::failure::Failure;
use sextant_play::{Choice, Player, Record, play_alone};
use sextant_search::Engine;

use super::setup::Setup;
use crate::{ordered::Work, viriformat::Game};

/// A game that is ready to be written.
pub(super) struct Finished {
    /// As the file holds it.
    pub(super) bytes: Vec<u8>,
    pub(super) positions: u64,
    /// Nodes spent on them.
    pub(super) nodes: u64,
}

impl Finished {
    fn new(record: &Record) -> Finished {
        Finished {
            bytes: Game::of_record(record).to_bytes(),
            positions: record.turns.len() as u64,
            nodes: record.turns.iter().map(|turn| turn.nodes).sum(),
        }
    }
}

/// The jobs are the numbers of games.
impl Work for Setup {
    type Job = u64;
    type Worker = Engine;
    type Done = Finished;
    type Error = Failure;

    fn worker(&self) -> Result<Engine, Failure> {
        self.engine.engine_on_caller().map_err(Failure::work)
    }

    fn work(
        &self,
        engine: &mut Engine,
        index: u64,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Finished>, Failure> {
        engine.new_game();
        let start = self.starts.find(engine, index).map_err(Failure::work)?;
        let mut player = SelfPlayer {
            setup: self,
            engine,
        };
        play_alone(&start, &mut player, &self.rules, is_over)
            .map(|record| record.as_ref().map(Finished::new))
            .map_err(|error| Failure::work(format!("game {}: {error}", index + 1)))
    }
}

/// An engine that plays both sides under the limits of all moves.
struct SelfPlayer<'a> {
    setup: &'a Setup,
    engine: &'a mut Engine,
}

impl Player for SelfPlayer<'_> {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn choose(&mut self, game: &sextant_search::Game) -> Choice {
        let limits = &self.setup.limits;
        self.engine.go_armed(game, limits, 1, &mut |_| ()).into()
    }
}
