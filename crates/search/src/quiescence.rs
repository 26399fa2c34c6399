//! Quiescence alone: which quiet position stands behind the captures of another.

use std::sync::Arc;

use sextant_board::{Ply, Position, is_insufficient_material};
use sextant_config::Config;
use sextant_eval::nnue::Network;
use sextant_repetition::is_fifty;

use crate::{
    engine::{Engine, EngineError},
    game::Game,
    limits::Limits,
    observer::Unobserved,
    worker::Worker,
};

/// Quiescence searches of positions that nothing else is known of: what they find depends on the
/// position and the config alone.
pub struct Quiescence {
    worker: Worker<Unobserved>,
}

impl Quiescence {
    /// Quiescence as engines of this config and this network make it, see [`Engine::with_network`].
    ///
    /// # Errors
    /// As [`Engine::with_network`].
    pub fn new(config: &Config, network: Option<Arc<Network>>) -> Result<Quiescence, EngineError> {
        let mut config = config.clone();
        // The nodes of a playing level would end it early.
        config.level = Config::default().level;
        let engine = Engine::on_caller(config, network)?;
        let start = Game::new(Position::startpos());
        let shared = Arc::new(engine.prepare(&start, &Limits::default(), 1, 1));
        let evaluation = engine.evaluation.clone();
        let worker = Worker::new(0, shared, &engine.config, evaluation, Unobserved);
        Ok(Quiescence { worker })
    }

    /// The end of the best line of captures, promotions and evasions: the position whose static
    /// evaluation the quiescence search of `position` returns, itself if it is quiet. `None` where
    /// that line ends in a mate or a draw.
    pub fn leaf(&mut self, position: &Position) -> Option<Position> {
        let worker = &mut self.worker;
        worker.stack.clear();
        let history = [(position.key(), position.clock())];
        worker.repetitions.set_game(history);
        worker.evaluation.reset(position);
        // Nobody stops it.
        let score = worker.quiescence_without_table(position).ok()?;
        let mut leaf = position.clone();
        for &mv in worker.pv.at(Ply::ROOT) {
            leaf.play(mv);
        }
        let is_drawn = is_fifty(leaf.clock()) || is_insufficient_material(leaf.board());
        let has_ended = score.is_mate() || leaf.in_check() || is_drawn;
        (!has_ended).then_some(leaf)
    }
}
