//! The match: game pairs on several threads, results in order.

use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError, atomic::AtomicBool},
};

use sextant_board::Position;
use thiserror::Error;

use crate::{
    adjudication::Rules,
    game::{PlayError, play_game},
    openings::Openings,
    ordered::{self, OrderedError},
    pair::Pair,
    player::Player,
    sprt::Sprt,
    tally::Tally,
};

/// Both players, for one thread.
#[derive(Debug)]
pub struct MatchPlayers<P> {
    /// The one whose results are counted.
    pub first: P,
    pub second: P,
}

/// What is to be played.
#[derive(Clone)]
pub struct Plan {
    /// The openings, one for each pair.
    pub openings: Openings,
    /// Most pairs; `None` for as many as there are openings.
    pub pairs: Option<u64>,
    /// Ends the match when it is decided.
    pub sprt: Option<Sprt>,
    /// How games are ended early.
    pub rules: Rules,
}

impl Plan {
    /// Has the sequential test, if there is one, come to an end?
    #[must_use]
    pub fn is_decided(&self, tally: &Tally) -> bool {
        self.sprt
            .is_some_and(|sprt| sprt.verdict(&tally.pairs).is_some())
    }
}

/// What ended a match before its time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MatchError {
    /// A player broke the rules.
    #[error("pair {pair}, game {game}: {source}")]
    Play {
        /// The pair, from 1.
        pair: u64,
        /// 1 if the first player had White, else 2.
        game: u32,
        source: PlayError,
    },
    /// The system gives no more threads.
    #[error("{wanted} games at the same time: no thread for them: {message}; ask for fewer")]
    Threads {
        wanted: usize,
        /// What the system says.
        message: String,
    },
    #[error("pair {pair}: a player panicked: {message}")]
    Panicked {
        /// The pair, from 1.
        pair: u64,
        message: String,
    },
}

/// Plays a match, one thread for each team, and hands every pair with the results so far to
/// `report`, in the order of the pairs. A report of `false`, or `stop` set from outside, ends the
/// match; games under way are then given up.
///
/// Pairs are counted in their order because short games come in first: a sequential test that took
/// them as they come would see a biased sample, and its end would depend on the machine.
///
/// # Errors
/// [`MatchError`] when a player breaks the rules or panics, or a thread cannot be had. What was reported before stays true.
pub fn play_match<P: Player>(
    teams: Vec<MatchPlayers<P>>,
    plan: &Plan,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&Pair, &Tally) -> bool,
) -> Result<Tally, MatchError> {
    resume_match(teams, plan, Tally::default(), stop, report)
}

/// Goes on with a match of which `so_far` was reported before it was ended from outside: what comes
/// is what would have come. A sequential test that was decided then stays so, and nothing is played.
///
/// # Errors
/// [`MatchError`] as in [`play_match`].
pub fn resume_match<P: Player>(
    teams: Vec<MatchPlayers<P>>,
    plan: &Plan,
    so_far: Tally,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&Pair, &Tally) -> bool,
) -> Result<Tally, MatchError> {
    if plan.is_decided(&so_far) {
        return Ok(so_far);
    }
    let (threads, first) = (teams.len(), so_far.pairs.pairs());
    let games = Games {
        teams: Mutex::new(teams),
        rules: &plan.rules,
    };
    let mut indices = first..plan.pairs.unwrap_or(u64::MAX);
    let mut openings = || {
        Ok(indices
            .next()
            .and_then(|i| Some((i, plan.openings.get(i)?))))
    };
    let mut tally = so_far;
    let mut take = |pair: Pair| {
        tally.add(&pair);
        Ok(if report(&pair, &tally) && !plan.is_decided(&tally) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        })
    };
    let played = ordered::run(&games, &mut openings, threads, stop, &mut take);
    played.map_err(|error| match error {
        OrderedError::Failed(error) => error,
        OrderedError::Threads { wanted, message } => MatchError::Threads { wanted, message },
        OrderedError::Panicked { job, message } => MatchError::Panicked {
            pair: first + job,
            message,
        },
    })?;
    Ok(tally)
}

/// Playing pairs, as work on several threads.
struct Games<'a, P> {
    /// Those that no thread has taken yet.
    teams: Mutex<Vec<MatchPlayers<P>>>,
    rules: &'a Rules,
}

impl<P: Player> ordered::Work for Games<'_, P> {
    type Job = (u64, Position);
    type Worker = Option<MatchPlayers<P>>;
    type Done = Pair;
    type Error = MatchError;

    fn worker(&self) -> Result<Option<MatchPlayers<P>>, MatchError> {
        let mut teams = self.teams.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(teams.pop())
    }

    fn work(
        &self,
        team: &mut Option<MatchPlayers<P>>,
        (index, opening): (u64, Position),
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Pair>, MatchError> {
        let Some(MatchPlayers { first, second }) = team else {
            return Ok(None);
        };
        let failed = |game| {
            move |source| MatchError::Play {
                pair: index + 1,
                game,
                source,
            }
        };
        let rules = self.rules;
        let with_white = play_game(&opening, first, second, rules, is_over).map_err(failed(1))?;
        let Some(with_white) = with_white else {
            return Ok(None);
        };
        let with_black = play_game(&opening, second, first, rules, is_over).map_err(failed(2))?;
        Ok(with_black.map(|with_black| Pair {
            index,
            opening,
            games: [with_white, with_black],
        }))
    }
}
