//! `match`: games between two configs in this process, and what they prove.

mod arguments;
mod state;
mod summary;

use std::sync::atomic::{AtomicBool, Ordering};

use sextant_cli::{failure::Failure, output, progress::Progress, signals};
use sextant_play::{Pair, Plan, Tally, play_match};
use sextant_search::Limits;

pub(crate) use self::arguments::Args;
#[cfg(fuzzing)]
pub(crate) use self::state::fuzz_state;
use self::{
    arguments::Players,
    state::{GameFiles, MatchState, conditions},
    summary::{End, Summary},
};

/// Plays the match and prints its result. Anything wrong with the arguments or a file is found
/// before the first game. A crash of an engine or a file that cannot be written any more ends the
/// match; the result so far is printed.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let limits = args.move_limits();
    let players = Players::load(args)?;
    let (plan, book_hash) = args.plan(&players)?;
    let conditions = || conditions(args, &players, &limits, book_hash);
    let mut state = MatchState::open(args.state.as_deref(), conditions)?;
    let mut files = GameFiles::open(args, &players, state.marks())?;
    let is_timed = limits.movetime.is_some();
    if players.are_equal() && players.are_deterministic() && !is_timed {
        output::note("note: A and B search alike, so every pair will come out even");
    }
    let stop = signals::flag();
    let played = play(
        args,
        (&players, &plan, &limits),
        (&mut state, &mut files),
        stop,
    );
    let is_stopped = stop.load(Ordering::Relaxed);
    let end = End::new(played.is_err(), &plan, state.tally(), is_stopped);
    let summary = Summary {
        args,
        players: &players,
        plan: &plan,
        limits: &limits,
        tally: state.tally(),
        time: state.time(),
        end,
    };
    if args.json {
        output::print(format_args!("{}\n", summary.json()))?;
    } else {
        output::print(summary.text())?;
    }
    played?;
    match end {
        End::Interrupted => Err(Failure::interrupted(summary.interrupted())),
        _ => Ok(()),
    }
}

/// Plays what is left to play, and leaves state and files written.
fn play(
    args: &Args,
    (players, plan, limits): (&Players, &Plan, &Limits),
    (state, files): (&mut MatchState, &mut GameFiles),
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let opponents = players.opponents(args.concurrency, limits)?;
    let so_far = state.tally().clone();
    let games = plan.pairs.map(|pairs| 2 * pairs);
    let progress = Progress::new("games", games).starting_at(so_far.games());
    let mut written = Ok(());
    let mut report = |pair: &Pair, tally: &Tally| {
        files.add(pair);
        written = state.record(tally, files);
        progress.set(tally.games(), summary::live(plan, tally, progress.rate()));
        written.is_ok()
    };
    let played = play_match(opponents, plan, so_far, stop, &mut report);
    progress.finish();
    written.and_then(|()| state.save(files))?;
    played.map(drop).map_err(Failure::work)
}
