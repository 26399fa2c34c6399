//! Games between two arms, and the openings that they begin from.

use std::{sync::atomic::AtomicBool, thread};

use sextant_board::to_fen;
use sextant_cli::progress::Progress;
use sextant_play::{
    EnginePlayer, Openings, Opponents, Pentanomial, Plan, Rules, Tally, play_match,
};

use crate::{engine::setup, experiments::prelude::*};

/// An opening is balanced if the engine says so: at most this many centipawns for either side ...
const BALANCED: i32 = 50;
/// ... after so many nodes.
const LOOK: u64 = 2_000;

/// `count` openings of eight random moves that today's engine calls balanced: in others a weak
/// program is beaten by the opening.
pub(super) fn balanced(seed: u64, count: usize) -> Result<String, Failure> {
    let random = Openings::random(seed);
    let mut engine = FreshEngine::new(&Config::default(), HASH)?;
    let balanced = |index: u64| {
        let position = random.get(index)?;
        let score = engine.search(&position, &to_nodes(LOOK)).score().raw();
        (score.abs() <= BALANCED).then(|| to_fen(&position, false) + "\n")
    };
    Ok((0..).filter_map(balanced).take(count).collect())
}

/// What is played: openings, game pairs and nodes a move.
#[derive(Clone)]
pub(super) struct Games {
    pub(super) openings: Openings,
    pub(super) pairs: u64,
    pub(super) nodes: u64,
}

impl Games {
    /// The pairs of `first` against `second`, on all cores.
    pub(super) fn play(
        &self,
        what: &str,
        first: &Config,
        second: &Config,
    ) -> Result<Pentanomial, Failure> {
        let player = |config: &Config| {
            let engine = setup(config, HASH)?.engine().map_err(Failure::work)?;
            Ok::<_, Failure>(EnginePlayer::new(engine, to_nodes(self.nodes)))
        };
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let opponents = (0..cores.min(self.pairs as usize)).map(|_| {
            Ok(Opponents {
                first: player(first)?,
                second: player(second)?,
            })
        });
        let opponents = opponents.collect::<Result<Vec<_>, Failure>>()?;
        let plan = Plan {
            openings: self.openings.clone(),
            pairs: Some(self.pairs),
            sprt: None,
            rules: Rules::default(),
        };
        let progress = Progress::new(what, Some(self.pairs));
        let mut report = |_: &_, tally: &Tally| {
            progress.set(tally.pentanomial.pairs(), "");
            true
        };
        let never = AtomicBool::new(false);
        let tally = play_match(opponents, &plan, Tally::default(), &never, &mut report);
        Ok(tally.map_err(Failure::work)?.pentanomial)
    }
}
