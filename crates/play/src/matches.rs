//! The match: game pairs on several threads, results in order.

use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError, atomic::AtomicBool},
};

use sextant_board::{Color, Position};
use thiserror::Error;

use crate::{
    adjudication::Rules,
    game::{PlayError, Player, play_game},
    openings::Openings,
    ordered::{self, OrderedError},
    sprt::Sprt,
    tally::{Pair, Tally},
};

#[derive(Debug)]
pub struct Opponents<P> {
    /// The one whose results are counted.
    pub first: P,
    pub second: P,
}

#[derive(Clone)]
pub struct Plan {
    pub openings: Openings,
    /// Most pairs; `None` for as many as there are openings.
    pub pairs: Option<u64>,
    /// Ends the match when it is decided.
    pub sprt: Option<Sprt>,
    pub rules: Rules,
}

impl Plan {
    /// Has the sequential test, if there is one, come to an end?
    pub fn is_decided(&self, tally: &Tally) -> bool {
        self.sprt
            .is_some_and(|sprt| sprt.verdict(&tally.pentanomial).is_some())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("pair {pair}, game {game}: {source}")]
pub struct MatchError {
    /// The pair, from 1.
    pair: u64,
    /// 1 if the first player had White, else 2.
    game: u32,
    source: PlayError,
}

/// Plays a match, one thread for each two opponents, and hands every pair with the results so far
/// to `report`, in the order of the pairs. A report of `false`, or `stop` set from outside, ends the
/// match; games under way are then given up. On an error, what was reported before stays true.
///
/// A match of which `so_far` was reported before goes on: what comes is what would have come. A
/// sequential test that was decided then stays so, and nothing is played.
///
/// Pairs are counted in their order because short games come in first: a sequential test that took
/// them as they come would see a biased sample, and its end would depend on the machine.
pub fn play_match<P: Player>(
    opponents: Vec<Opponents<P>>,
    plan: &Plan,
    so_far: Tally,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&Pair, &Tally) -> bool,
) -> Result<Tally, OrderedError<MatchError>> {
    if plan.is_decided(&so_far) {
        return Ok(so_far);
    }
    let threads = opponents.len();
    let mut indices = so_far.pentanomial.pairs()..plan.pairs.unwrap_or(u64::MAX);
    let mut openings = || {
        let next = indices.next();
        Ok(next.and_then(|i| Some((i, plan.openings.get(i)?))))
    };
    let opponents = Mutex::new(opponents);
    let worker = || {
        let mut opponents = opponents
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let work = move |(index, opening), is_over: &dyn Fn() -> bool| match &mut opponents {
            Some(opponents) => play_pair(opponents, index, opening, &plan.rules, is_over),
            None => Ok(None),
        };
        Ok(work)
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
    ordered::run(threads, stop, &mut openings, worker, &mut take)?;
    Ok(tally)
}

fn play_pair<P: Player>(
    Opponents { first, second }: &mut Opponents<P>,
    index: u64,
    opening: Position,
    rules: &Rules,
    is_over: &dyn Fn() -> bool,
) -> Result<Option<Pair>, MatchError> {
    let play = |game, white: &mut P, black: &mut P| {
        white.new_game();
        black.new_game();
        let choose = |color, game: &_| match color {
            Color::White => white.choose(game),
            Color::Black => black.choose(game),
        };
        play_game(&opening, choose, rules, is_over).map_err(|source| MatchError {
            pair: index + 1,
            game,
            source,
        })
    };
    let Some(with_white) = play(1, first, second)? else {
        return Ok(None);
    };
    let with_black = play(2, second, first)?;
    Ok(with_black.map(|with_black| Pair {
        index,
        opening,
        games: [with_white, with_black],
    }))
}
