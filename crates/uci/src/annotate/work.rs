//! Searching the positions of all games, and the journal by which an interrupted run goes on.

use std::{
    fs,
    io::BufRead as _,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sextant_board::{Move, PgnGame, Position, Score, parse_uci_move, replay};
use sextant_cli::{
    failure::Failure,
    files,
    hash::{fnv, hex},
    journal::Journal,
    progress::Progress,
    signals,
};
use sextant_config::Config;
use sextant_play::ordered::{self, OrderedError};
use sextant_search::{Engine, EngineSetup, Game, Limits};

use super::{Args, interrupted};
use crate::resources;

/// Plies of a line that are kept.
const LINE: usize = 12;

const COMMENT: &str = "# What the evaluations beside this file are a function of. `sextant annotate` \
                       goes on with them; without both files it begins anew.\n";

/// What a search said of a position.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Evaluation {
    /// As [`Score::raw`], from the view of the side to move.
    score: i32,
    pub(super) depth: u32,
    /// Nodes that it took.
    pub(super) nodes: u64,
    /// The best line in UCI notation, castling as king takes rook.
    line: Vec<String>,
}

impl Evaluation {
    #[cfg(test)]
    pub(super) fn new(score: i32, depth: u32, line: Vec<String>) -> Evaluation {
        Evaluation {
            score,
            depth,
            nodes: 1,
            line,
        }
    }

    pub(super) fn score(&self) -> Score {
        Score::new(self.score)
    }

    /// The best line, as far as it is legal.
    pub(super) fn line(&self, position: &Position) -> Vec<Move> {
        let mut position = position.clone();
        let moves = self.line.iter().map_while(|text| {
            let mv = parse_uci_move(&position, text).ok()?;
            position.play(mv);
            Some(mv)
        });
        moves.collect()
    }
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Recipe {
    games: String,
    skip: u16,
    limits: String,
    hash: i32,
    engine: String,
    tables: String,
}

/// Where the evaluations of a run are kept until it is done.
fn journal_path(out: &Path) -> PathBuf {
    files::beside(out, ".progress")
}

/// Removes the journal of a run that is done.
pub(super) fn forget(out: &Path) {
    let journal = journal_path(out);
    // What stays behind hinders nobody: the next run finds that it is complete.
    let _ = fs::remove_file(files::beside(&journal, ".toml"));
    let _ = fs::remove_file(journal);
}

/// The evaluations of the positions behind the skipped moves, game by game: of each position before
/// a move, and of the last one.
pub(super) fn evaluate(
    args: &Args,
    bytes: &[u8],
    games: &[(u64, PgnGame)],
    setup: &EngineSetup,
) -> Result<Vec<Evaluation>, Failure> {
    let limits = args.limits();
    let mut journal = Journal::open(&journal_path(&args.out()))?;
    journal.settle_recipe(&recipe(args, bytes, setup)?, COMMENT)?;
    let mut found = read(&mut journal)?;
    let jobs: Vec<_> = games
        .iter()
        .flat_map(|(_, game)| jobs(game, args.skip.into()))
        .collect();
    found.truncate(jobs.len());
    let begun_with = found.len() as u64;
    let progress = Progress::new("positions", Some(jobs.len() as u64)).starting_at(begun_with);
    let mut left = jobs.iter().skip(found.len());
    let work =
        |engine: &mut Engine, (game, ply): &(&PgnGame, usize), is_over: &dyn Fn() -> bool| {
            search(engine, &position_at(game, *ply), &limits, is_over)
        };
    let mut take = |evaluation: Evaluation| {
        let mut line = serde_json::to_vec(&evaluation).map_err(Failure::work)?;
        line.push(b'\n');
        journal.append(&line)?;
        found.push(evaluation);
        progress.set(found.len() as u64, "");
        Ok(())
    };
    let done = on_threads(setup, args.threads, &mut left, work, &mut take);
    let synced = journal.sync();
    progress.finish();
    done?;
    synced?;
    if found.len() < jobs.len() {
        interrupted(found.len(), jobs.len(), "positions")?;
    }
    Ok(found)
}

/// Does the jobs on so many threads, each with an engine of its own, and takes the results in the
/// order of the jobs until Ctrl-C.
pub(super) fn on_threads<J: Send, D: Send>(
    setup: &EngineSetup,
    threads: u16,
    jobs: &mut (dyn Iterator<Item = J> + Send),
    work: impl Fn(&mut Engine, J, &dyn Fn() -> bool) -> Option<D> + Sync,
    take: &mut dyn FnMut(D) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let worker = || {
        let mut engine = setup.engine_on_caller().map_err(Failure::work)?;
        engine.signals().ask(signals::is_interrupted);
        let work = &work;
        Ok(move |job: J, is_over: &dyn Fn() -> bool| Ok(work(&mut engine, job, is_over)))
    };
    let done = ordered::run(
        threads.into(),
        signals::flag(),
        &mut || Ok(jobs.next()),
        worker,
        &mut |result| take(result).map(ControlFlow::Continue),
    );
    done.map_err(|error| match error {
        OrderedError::Failed(failure) => failure,
        error => Failure::work(error.to_string()),
    })
}

/// An engine whose scores are the search's own: without weakening and bonuses at the root.
pub(super) fn setup(args: &Args, mut config: Config) -> Result<EngineSetup, Failure> {
    let neutral = Config::default();
    config.level = neutral.level;
    config.root_bonus = neutral.root_bonus;
    config.engine.threads = 1;
    config.engine.move_overhead = 0;
    config.engine.hash = args.hash.unwrap_or(config.engine.hash);
    resources::setup(config).map_err(|error| Failure::usage(error.to_string()))
}

fn recipe(args: &Args, bytes: &[u8], setup: &EngineSetup) -> Result<Recipe, Failure> {
    let limits = args.limits();
    Ok(Recipe {
        games: hex(fnv(bytes)),
        skip: args.skip,
        limits: format!(
            "{:?} plies, {:?} nodes, {:?}",
            limits.depth, limits.nodes, limits.movetime
        ),
        hash: setup.config().engine.hash,
        engine: hex(setup.signature().map_err(Failure::work)?),
        tables: setup.config().syzygy.path.clone(),
    })
}

/// The evaluations of an earlier run; a torn line is cut off.
fn read(journal: &mut Journal) -> Result<Vec<Evaluation>, Failure> {
    let (mut found, mut whole, mut line) = (Vec::new(), 0, Vec::new());
    let mut reader = journal.reader()?;
    while reader.read_until(b'\n', &mut line).map_err(Failure::work)? > 0 && line.ends_with(b"\n") {
        let Ok(evaluation) = serde_json::from_slice(&line) else {
            break;
        };
        found.push(evaluation);
        whole += line.len() as u64;
        line.clear();
    }
    drop(reader);
    journal.cut_behind(whole)?;
    Ok(found)
}

/// The positions that are searched: a game and the number of moves before.
fn jobs(game: &PgnGame, skip: usize) -> impl Iterator<Item = (&PgnGame, usize)> {
    let moves = game.moves().count();
    let first = if 2 * skip < moves {
        2 * skip
    } else {
        moves + 1
    };
    (first..=moves).map(move |ply| (game, ply))
}

pub(super) fn position_at(game: &PgnGame, ply: usize) -> Game {
    let mut played = Game::new(game.start.clone());
    game.moves().take(ply).for_each(|mv| played.play(mv));
    played
}

/// Searches as in a new game; `None` if that is no longer wanted.
fn search(
    engine: &mut Engine,
    game: &Game,
    limits: &Limits,
    is_over: &dyn Fn() -> bool,
) -> Option<Evaluation> {
    engine.new_game();
    let signals = engine.signals();
    signals.arm(false);
    let outcome = engine.go(game, limits, 1, &mut |_| {
        if is_over() {
            signals.stop();
        }
    });
    let line = outcome.lines.first().filter(|_| !is_over())?;
    let moves = replay(game.position(), &line.pv).take(LINE);
    Some(Evaluation {
        score: line.score.raw(),
        depth: line.depth,
        nodes: outcome.nodes,
        line: moves.map(|(_, mv)| mv.to_string()).collect(),
    })
}
