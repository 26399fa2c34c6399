//! `sextant match`: games between two configs in this process, and what they prove.

mod contestants;
mod files;
mod live;
mod saved;
mod sink;
mod summary;
mod timed;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sextant_play::{
    EnginePlayer, MatchPlayers, Openings, Pair, Plan, Rules, Sprt, SprtModel, Tally, resume_match,
};
use sextant_search::{Engine, Limits};

use self::{
    contestants::{Contestant, Contestants},
    files::Files,
    live::Live,
    saved::Saved,
    summary::{End, Summary},
    timed::Clock,
};
use crate::{
    cli::{self, Failure, Setup},
    error::Ended,
    output::Output,
};

/// Nodes a move when no limit is named: what the project's own tests are played with.
const DEFAULT_NODES: u64 = 10_000;
/// Games when neither a number nor a sequential test is asked for.
const DEFAULT_GAMES: u64 = 200;

/// Play games between two configs, each opening with both colours.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The player whose results are counted: a preset or a TOML file.
    #[arg(value_name = "A")]
    first: String,
    /// Its opponent: a preset or a TOML file.
    #[arg(value_name = "B")]
    second: String,
    #[command(flatten)]
    limits: MoveLimits,
    /// Most games; an odd number is rounded up to whole pairs [default: 200, with --sprt no end].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: Option<u64>,
    /// Play until it is clear whether A is rather ELO1 than ELO0 stronger.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Rate at which a true ELO0 may pass the test.
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Rate at which a true ELO1 may fail the test.
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// What ELO0 and ELO1 count: plain Elo, or standard deviations of a game.
    #[arg(long, value_enum, default_value_t = Model::Logistic)]
    sprt_model: Model,
    /// Openings, one FEN or EPD a line [default: eight random moves].
    #[arg(long, value_name = "FILE")]
    book: Option<String>,
    /// Games at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Order of the openings. With node or depth limits the same seed gives the same games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Table of each engine in MB; small ones are quickly cleared between games.
    #[arg(long, value_name = "MB", default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=65_536))]
    hash: i32,
    /// Change a tunable, as in a:search.iir=false; without a: or b: for both. May be repeated.
    #[arg(long = "set", value_name = "[a:|b:]KEY=VALUE")]
    overrides: Vec<String>,
    /// Play on until the rules of chess end the game.
    #[arg(long)]
    no_adjudication: bool,
    /// Keep the result in this file, and go on with it if it is there: the same command goes on
    /// after a crash as if nothing had happened. --games and --sprt may be others then.
    #[arg(long, value_name = "FILE")]
    state: Option<String>,
    /// Append the games to this file.
    #[arg(long, value_name = "FILE")]
    pgn: Option<String>,
    /// Append quiet positions with the results of their games, as FEN;RESULT, to this file.
    #[arg(long, value_name = "FILE")]
    data: Option<String>,
    /// Positions of each game that go to --data.
    #[arg(long, value_name = "N", default_value_t = 10)]
    data_per_game: usize,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

/// What ends the search of a move; all that are given hold together.
#[derive(Debug, clap::Args)]
struct MoveLimits {
    /// Nodes a move, never more [default: 10000 if there is no other limit].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// No new iteration after this many nodes.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    soft_nodes: Option<u64>,
    /// Depth in plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
    /// Milliseconds a move; the games then depend on the machine.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Seconds a game and seconds more a move, as in 8+0.08: real processes with clocks, played by
    /// fastchess.
    #[arg(long, value_name = "SECONDS+SECONDS", conflicts_with_all = ["nodes", "soft_nodes", "depth", "movetime", "data"])]
    tc: Option<Clock>,
    /// The match runner for --tc.
    #[arg(
        long,
        value_name = "PROGRAM",
        default_value = "fastchess",
        requires = "tc"
    )]
    fastchess: String,
}

impl MoveLimits {
    fn limits(&self) -> Limits {
        let none = self.nodes.is_none()
            && self.soft_nodes.is_none()
            && self.depth.is_none()
            && self.movetime.is_none()
            && self.tc.is_none();
        Limits {
            nodes: self.nodes.or(none.then_some(DEFAULT_NODES)),
            soft_nodes: self.soft_nodes,
            depth: self.depth,
            movetime: self.movetime.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Model {
    Logistic,
    Normalized,
}

/// Plays the match and prints what it came to.
///
/// # Errors
/// Anything wrong with the arguments or a file is found before the first game. A crash of an
/// engine or a file that cannot be written any more ends the match; the result so far is printed.
pub(crate) fn run(args: &Args, setup: &Setup, output: &Output) -> Result<(), Failure> {
    let contestants = Contestant::both(args, setup)?;
    let plan = plan(args, &contestants)?;
    let limits = args.limits.limits();
    let mut saved = Saved::open(args, &contestants, &limits)?;
    let mut files = Files::open(args, &contestants, saved.marks())?;
    let stop = stop_on_interrupt()?;
    let is_timed = args.limits.tc.is_some() || limits.movetime.is_some();
    if contestants.are_equal() && contestants.are_deterministic() && !is_timed {
        eprintln!("note: A and B search alike, so every pair will come out even");
    }

    let mut live = Live::new(&plan, saved.tally());
    let so_far = saved.tally().clone();
    let mut written = Ok(());
    let mut report = |pair: Option<&Pair>, so_far: &Tally| {
        if let Some(pair) = pair {
            files.add(pair);
        }
        written = saved.note(so_far, &mut files);
        live.show(so_far, saved.time());
        written.is_ok()
    };
    let played = match &args.limits.tc {
        Some(clock) => timed::play(
            args,
            clock,
            &contestants,
            &plan,
            so_far,
            &stop,
            &mut |tally| report(None, tally),
        ),
        None => {
            let teams = teams(args, &contestants, &limits)?;
            let mut report = |pair: &Pair, tally: &Tally| report(Some(pair), tally);
            resume_match(teams, &plan, so_far, &stop, &mut report)
                .map_err(|error| Ended::work(error).into())
        }
    };
    live.finish();
    if written.is_ok() {
        written = saved.save(&mut files);
    }

    let tally = saved.tally().clone();
    let failed = played.is_err() || written.is_err();
    let end = end_of(failed, &plan, &tally, stop.load(Ordering::Relaxed));
    let summary = Summary {
        args,
        contestants: &contestants,
        plan: &plan,
        limits: &limits,
        tally,
        time: saved.time(),
        end,
    };
    output.line(if args.json {
        summary.json().to_string()
    } else {
        summary.text()
    });
    cli::written(output)?;
    written.map_err(Ended::work)?;
    played?;
    match end {
        End::Interrupted => Err(Ended::interrupted(summary.interrupted()).into()),
        _ => Ok(()),
    }
}

/// Plays the match of a program that has no other arguments, and prints what it came to.
///
/// # Errors
/// Anything wrong with the arguments or a file, with its own words.
pub fn run_alone(args: &Args) -> Result<(), Failure> {
    run(args, &Setup::default(), &Output::stdout())
}

fn teams(
    args: &Args,
    contestants: &Contestants,
    limits: &Limits,
) -> Result<Vec<MatchPlayers<EnginePlayer>>, Failure> {
    let team = |_| {
        let [first, second] = [contestants.first.engine()?, contestants.second.engine()?];
        Ok(team(first, second, limits))
    };
    (0..args.concurrency).map(team).collect()
}

fn plan(args: &Args, contestants: &Contestants) -> Result<Plan, Failure> {
    let openings = match &args.book {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| format!("cannot read the book {path}: {error}"))?;
            Openings::from_book(&text, args.seed).map_err(|error| format!("{path}: {error}"))?
        }
        None => Openings::random(args.seed),
    };
    let model = match args.sprt_model {
        Model::Logistic => SprtModel::Logistic,
        Model::Normalized => SprtModel::Normalized,
    };
    let sprt = match args.sprt.as_deref() {
        Some(&[elo0, elo1]) => Some(Sprt::new(elo0, elo1, args.alpha, args.beta, model)?),
        _ => None,
    };
    let games = args.games.or(sprt.is_none().then_some(DEFAULT_GAMES));
    let pairs = games.map(|games| games.div_ceil(2));
    if let (Some(pairs), Some(len)) = (pairs, openings.count())
        && pairs > len
    {
        let book = args.book.as_deref().unwrap_or_default();
        return Err(format!(
            "{} games need {pairs} openings, but {book} has {len} different ones, and no opening \
             is played twice because at fixed nodes it would repeat its games; ask for at most {} \
             games or take a larger book",
            2 * pairs,
            2 * len
        )
        .into());
    }
    let rules = if args.no_adjudication {
        Rules::natural()
    } else {
        Rules {
            tablebase: contestants.tables(),
            ..Rules::default()
        }
    };
    Ok(Plan {
        openings,
        pairs,
        sprt,
        rules,
    })
}

fn team(first: Engine, second: Engine, limits: &Limits) -> MatchPlayers<EnginePlayer> {
    let player = |engine| EnginePlayer::new(engine, limits.clone());
    MatchPlayers {
        first: player(first),
        second: player(second),
    }
}

/// A flag that Ctrl-C sets; a second Ctrl-C does not wait for anything.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}

fn end_of(failed: bool, plan: &Plan, tally: &Tally, stopped: bool) -> End {
    let verdict = plan.sprt.and_then(|sprt| sprt.verdict(&tally.pairs));
    let all = plan.pairs.or(plan.openings.count());
    if failed {
        End::Failed
    } else if let Some(verdict) = verdict {
        End::Decided(verdict)
    } else if stopped && all.is_none_or(|all| tally.pairs.pairs() < all) {
        End::Interrupted
    } else if plan.pairs.is_some() {
        End::AllPlayed
    } else {
        End::NoMoreOpenings
    }
}
