//! `sextant match`: games between two configs in this process, and what they prove.

mod contestants;
mod files;
mod live;
mod summary;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use sextant_search::{
    Engine, Limits,
    play::{
        EnginePlayer, MatchError, Openings, Pair, Plan, Rules, Sprt, SprtModel, Tally, Team,
        play_match,
    },
};

use self::{
    contestants::{Contestant, Contestants},
    files::Files,
    live::Live,
    summary::{End, Summary},
};
use crate::{
    cli::{Failure, Setup},
    output::Output,
};

/// Nodes a move when no limit is named: what the project's own tests are played with.
const DEFAULT_NODES: u64 = 10_000;
/// Games when neither a number nor a sequential test is asked for.
const DEFAULT_GAMES: u64 = 200;

/// Play games between two configs, each opening with both colours.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
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
}

impl MoveLimits {
    fn limits(&self) -> Limits {
        let none = self.nodes.is_none()
            && self.soft_nodes.is_none()
            && self.depth.is_none()
            && self.movetime.is_none();
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
    let mut teams = Vec::new();
    for _ in 0..args.concurrency {
        let [first, second] = [contestants.first.engine()?, contestants.second.engine()?];
        teams.push(team(first, second, &limits));
    }
    let mut files = Files::open(args, &contestants)?;
    let stop = stop_on_interrupt()?;
    if contestants.are_equal() && contestants.are_deterministic() && limits.movetime.is_none() {
        eprintln!("note: A and B search alike, so every pair will come out even");
    }

    let mut live = Live::new(&plan);
    let mut tally = Tally::default();
    let mut written = Ok(());
    let start = Instant::now();
    let mut report = |pair: &Pair, so_far: &Tally| {
        tally = so_far.clone();
        written = files.write(pair);
        live.show(so_far, start.elapsed());
        written.is_ok()
    };
    let played = play_match(teams, &plan, &stop, &mut report);
    let time = start.elapsed();
    live.finish();

    let end = end_of(
        &played,
        &plan,
        &tally,
        stop.load(Ordering::Relaxed),
        written.is_err(),
    );
    let summary = Summary {
        args,
        contestants: &contestants,
        plan: &plan,
        limits: &limits,
        tally,
        time,
        end,
    };
    output.line(if args.json {
        summary.json().to_string()
    } else {
        summary.text()
    });
    written?;
    played?;
    Ok(())
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

fn team(first: Engine, second: Engine, limits: &Limits) -> Team<EnginePlayer> {
    let player = |engine| EnginePlayer::new(engine, limits.clone());
    Team {
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

fn end_of(
    played: &Result<Tally, MatchError>,
    plan: &Plan,
    tally: &Tally,
    stopped: bool,
    unwritten: bool,
) -> End {
    let verdict = plan.sprt.and_then(|sprt| sprt.verdict(&tally.pairs));
    if played.is_err() || unwritten {
        End::Failed
    } else if let Some(verdict) = verdict {
        End::Decided(verdict)
    } else if stopped {
        End::Interrupted
    } else if plan.pairs.is_some() {
        End::AllPlayed
    } else {
        End::NoMoreOpenings
    }
}
