//! `match`: games between two configs in this process, or against other engines by fastchess, and
//! what they prove.

mod arguments;
mod foreign;
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
use crate::args::Deadline;

/// Plays the match and prints its result. Anything wrong with the arguments or a file is found
/// before the first game. A crash of an engine or a file that cannot be written any more ends the
/// match; the result so far is printed.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let limits = args.move_limits()?;
    let players = Players::load(args)?;
    let (plan, book_hash) = args.plan(&players)?;
    if !args.engines.is_empty() {
        return foreign::run(args, &players, &plan);
    }
    let conditions = || conditions(args, &players, &limits, book_hash);
    let mut state = MatchState::open(args.state.as_deref(), conditions)?;
    let mut files = GameFiles::open(args, &players, state.marks())?;
    let is_timed = limits.movetime.is_some();
    if players.are_equal() && players.are_deterministic() && !is_timed {
        output::note("note: A and B search alike, so every pair will come out even");
    }
    let (stop, deadline) = (signals::flag(), Deadline::after(args.max_time));
    let all = (args, &players, &plan, &limits);
    let so_far = |state: &MatchState| Summary::new(all, state, End::NotYet).text();
    let played = play(
        args,
        (&players, &plan, &limits),
        (&mut state, &mut files),
        &Watch {
            stop,
            deadline,
            so_far: &so_far,
        },
    );
    let stopped = match stop.load(Ordering::Relaxed) {
        true => Some(End::Interrupted),
        false => deadline.is_past().then_some(End::TimeIsUp),
    };
    let end = End::new(played.is_err(), &plan, state.tally(), stopped);
    let summary = Summary::new(all, &state, end);
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

/// What may end a match early, and what is told of it meanwhile.
struct Watch<'a> {
    stop: &'a AtomicBool,
    deadline: Deadline,
    so_far: &'a (dyn Fn(&MatchState) -> String + Sync),
}

/// Plays what is left to play, and leaves state and files written.
fn play(
    args: &Args,
    (players, plan, limits): (&Players, &Plan, &Limits),
    (state, files): (&mut MatchState, &mut GameFiles),
    watch: &Watch<'_>,
) -> Result<(), Failure> {
    let opponents = players.opponents(args.concurrency, limits)?;
    // From now on the signal asks.
    signals::is_asked();
    let so_far = state.tally().clone();
    let games = plan.pairs.map(|pairs| 2 * pairs);
    let progress = Progress::new("games", games).starting_at(so_far.games());
    let mut written = Ok(());
    let mut report = |pair: &Pair, tally: &Tally| {
        files.add(pair);
        written = state.record(tally, files);
        progress.set(tally.games(), summary::live(plan, tally, progress.rate()));
        if signals::is_asked() {
            progress.note((watch.so_far)(state));
        }
        written.is_ok() && !watch.deadline.is_past()
    };
    let played = play_match(opponents, plan, so_far, watch.stop, &mut report);
    progress.finish();
    written.and_then(|()| state.save(files))?;
    played.map(drop).map_err(Failure::work)
}
