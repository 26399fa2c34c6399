//! The match: game pairs on several threads, results in order.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use sextant_board::{Color, Position};
use sextant_search::STACK_BYTES;
use thiserror::Error;

use crate::{
    adjudication::Rules,
    game::{PlayError, Record, play_game},
    openings::Openings,
    player::Player,
    sprt::Sprt,
    tally::Tally,
};

/// One of the two players of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The one whose results are counted.
    First,
    /// Its opponent.
    Second,
}

/// Both players, for one thread.
#[derive(Debug)]
pub struct MatchPlayers<P> {
    /// The one whose results are counted.
    pub first: P,
    /// Its opponent.
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
    fn is_decided(&self, tally: &Tally) -> bool {
        self.sprt
            .is_some_and(|sprt| sprt.verdict(&tally.pairs).is_some())
    }
}

/// Two games of one opening: the first player has White, then Black.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Number of the pair, from 0.
    pub index: u64,
    /// Where both games began.
    pub opening: Position,
    /// The games.
    pub games: [Record; 2],
}

impl Pair {
    /// Half points of the first player, 0 to 4.
    #[must_use]
    pub fn half_points(&self) -> usize {
        let [with_white, with_black] = &self.games;
        with_white.result.half_points(Color::White) + with_black.result.half_points(Color::Black)
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
        /// What it did.
        source: PlayError,
    },
    /// The system gives no more threads.
    #[error("{wanted} games at the same time: no thread for them: {message}; ask for fewer")]
    Threads {
        /// Threads asked for.
        wanted: usize,
        /// What the system says.
        message: String,
    },
    /// A player crashed.
    #[error("pair {pair}: a player panicked: {message}")]
    Panicked {
        /// The pair, from 1.
        pair: u64,
        /// The panic's message.
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
    let hall = Hall {
        plan,
        stop,
        over: AtomicBool::new(false),
        next: AtomicU64::new(so_far.pairs.pairs()),
    };
    let wanted = teams.len();
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        for team in teams {
            let (hall, sender) = (&hall, sender.clone());
            thread::Builder::new()
                // An engine may search on the thread that asks it.
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || hall.work(team, &sender))
                .map_err(|error| {
                    hall.over.store(true, Ordering::Relaxed);
                    let message = error.to_string();
                    MatchError::Threads { wanted, message }
                })?;
        }
        drop(sender);
        let result = collect(&receiver, plan, so_far, report);
        hall.over.store(true, Ordering::Relaxed);
        result
    })
}

type Finished = Result<Pair, MatchError>;

/// Takes the pairs as they come and counts them in order.
fn collect(
    receiver: &Receiver<Finished>,
    plan: &Plan,
    mut tally: Tally,
    report: &mut dyn FnMut(&Pair, &Tally) -> bool,
) -> Result<Tally, MatchError> {
    let mut waiting = BTreeMap::new();
    let mut next = tally.pairs.pairs();
    for finished in receiver {
        let pair = finished?;
        waiting.insert(pair.index, pair);
        while let Some(pair) = waiting.remove(&next) {
            next += 1;
            tally.add(&pair);
            if !report(&pair, &tally) || plan.is_decided(&tally) {
                return Ok(tally);
            }
        }
    }
    Ok(tally)
}

/// What the threads of a match share. The flags carry no data, so relaxed accesses do.
struct Hall<'a> {
    plan: &'a Plan,
    stop: &'a AtomicBool,
    over: AtomicBool,
    next: AtomicU64,
}

impl Hall<'_> {
    /// Plays pair after pair until there is none left.
    fn work<P: Player>(&self, mut team: MatchPlayers<P>, sender: &Sender<Finished>) {
        while let Some((index, opening)) = self.next_opening() {
            let played = catch_unwind(AssertUnwindSafe(|| self.play(&mut team, index, opening)));
            let finished = match played {
                Ok(Ok(None)) => return,
                Ok(Ok(Some(pair))) => Ok(pair),
                Ok(Err(error)) => Err(error),
                Err(panic) => Err(MatchError::Panicked {
                    pair: index + 1,
                    message: message_of(panic.as_ref()),
                }),
            };
            let failed = finished.is_err();
            // Nobody listens any more when the match is over.
            if sender.send(finished).is_err() || failed {
                return;
            }
        }
    }

    fn next_opening(&self) -> Option<(u64, Position)> {
        if self.is_over() {
            return None;
        }
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        if self.plan.pairs.is_some_and(|pairs| index >= pairs) {
            return None;
        }
        Some((index, self.plan.openings.get(index)?))
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.over.load(Ordering::Relaxed)
    }

    fn play<P: Player>(
        &self,
        team: &mut MatchPlayers<P>,
        index: u64,
        opening: Position,
    ) -> Result<Option<Pair>, MatchError> {
        let interrupted = || self.is_over();
        let failed = |game| {
            move |source| MatchError::Play {
                pair: index + 1,
                game,
                source,
            }
        };
        let MatchPlayers { first, second } = team;
        let rules = &self.plan.rules;
        let with_white =
            play_game(&opening, first, second, rules, interrupted).map_err(failed(1))?;
        let Some(with_white) = with_white else {
            return Ok(None);
        };
        let with_black =
            play_game(&opening, second, first, rules, interrupted).map_err(failed(2))?;
        let Some(with_black) = with_black else {
            return Ok(None);
        };
        Ok(Some(Pair {
            index,
            opening,
            games: [with_white, with_black],
        }))
    }
}

fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}
