//! The games of an iteration: the two opposite players of a probe meet.

use std::sync::{Arc, atomic::AtomicBool};

use sextant_board::{Color, Position};
use sextant_config::Config;
use sextant_eval::nnue::Network;
use sextant_play::{EnginePlayer, Openings, Record, Rules, play_game};
use sextant_search::{Engine, Limits};

use crate::{
    failure::Failure,
    in_order::{self, Work},
};

/// Where and how all games are played.
pub(super) struct Hall {
    pub(super) openings: Openings,
    pub(super) network: Option<Arc<Network>>,
    pub(super) limits: Limits,
    pub(super) rules: Rules,
    /// Games at the same time; the results do not depend on it.
    pub(super) threads: u16,
}

/// What a match of two configs came to, for the first: games won, drawn and lost.
pub(super) type Results = [u64; 3];

impl Hall {
    /// Plays `pairs` pairs with the openings that follow on number `first`; a book that is at its
    /// end begins again, because the players are not the same as the last time. `None` if `stop`
    /// was set.
    ///
    /// # Errors
    /// [`Failure`] if an engine cannot be had or crashes.
    pub(super) fn play(
        &self,
        players: [Config; 2],
        first: u64,
        pairs: u64,
        stop: &AtomicBool,
    ) -> Result<Option<Results>, Failure> {
        let table = Table {
            hall: self,
            players,
        };
        let openings = self.openings.count().unwrap_or(u64::MAX);
        let mut numbers = (first..first + pairs).map(|number| number % openings);
        let mut jobs = || Ok(numbers.next().and_then(|number| self.openings.get(number)));
        let (mut results, mut played) = ([0; 3], 0);
        in_order::run(
            &table,
            &mut jobs,
            self.threads,
            stop,
            &mut |half_points: [usize; 2]| {
                for points in half_points {
                    results[2 - points] += 1;
                }
                played += 1;
                Ok(())
            },
        )?;
        Ok((played == pairs).then_some(results))
    }
}

/// One iteration's players.
struct Table<'a> {
    hall: &'a Hall,
    players: [Config; 2],
}

impl Table<'_> {
    fn player(&self, config: &Config) -> Result<EnginePlayer, Failure> {
        let engine = Engine::on_caller(config.clone(), self.hall.network.clone());
        let limits = self.hall.limits.clone();
        engine
            .map(|engine| EnginePlayer::new(engine, limits))
            .map_err(Failure::work)
    }
}

impl Work for Table<'_> {
    type Job = Position;
    type Worker = [EnginePlayer; 2];
    /// Half points of the first player in both games.
    type Done = [usize; 2];

    fn worker(&self) -> Result<[EnginePlayer; 2], Failure> {
        let [first, second] = &self.players;
        Ok([self.player(first)?, self.player(second)?])
    }

    fn work(
        &self,
        [first, second]: &mut [EnginePlayer; 2],
        opening: Position,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<[usize; 2]>, Failure> {
        let rules = &self.hall.rules;
        let points = |record: Record, color| record.result.half_points(color);
        let Some(with_white) =
            play_game(&opening, first, second, rules, is_over).map_err(Failure::work)?
        else {
            return Ok(None);
        };
        let Some(with_black) =
            play_game(&opening, second, first, rules, is_over).map_err(Failure::work)?
        else {
            return Ok(None);
        };
        Ok(Some([
            points(with_white, Color::White),
            points(with_black, Color::Black),
        ]))
    }
}
