//! Makes the samples that a run asks for: those of the file, and new ones as far as needed. A shallow
//! search is watched, some of its nodes are picked ([`Watch`]), and a deeper search in an engine that
//! knows nothing else says which move is best there.

use std::{
    io::{BufReader, ErrorKind, Read},
    path::Path,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use serde::{Deserialize, Serialize};
use sextant_board::Random;
use sextant_cli::{
    failure::Failure,
    files::{self, FileError},
    frames::{self, Frames},
    journal::Journal,
    output::{self, counted},
    progress::Progress,
};
use sextant_search::{Engine, EngineSetup, Game, Limits};

use super::{
    args::Args,
    positions::{Start, Starts},
    sample::{Block, Picked, Sample},
    watch::Watch,
};
use crate::{
    engine,
    hash::{fnv, hex},
    ordered::{self, Work},
};

/// The largest file of positions that is read.
const LARGEST: u64 = 1 << 40;

/// What samples are a function of, but for their number. Files and configs are known by their
/// contents: the same may have other names today.
#[derive(Debug, Serialize, Deserialize)]
struct Recipe {
    /// The files of positions.
    positions: Vec<String>,
    config: String,
    /// As text: TOML has no numbers as large.
    seed: String,
    per_game: usize,
    search_nodes: u64,
    per_search: usize,
    label_nodes: u64,
    hash: i32,
    /// Of the engine.
    version: String,
    /// Nodes of a short bench: another engine or network has others.
    bench: u64,
}

impl Recipe {
    fn new(args: &Args, engine: &EngineSetup) -> Result<Recipe, Failure> {
        let hashed = |path| Ok::<_, Failure>(hex(fnv(&files::read(path, LARGEST)?)));
        let positions = args.inputs.iter().map(|path| hashed(path));
        Ok(Recipe {
            positions: positions.collect::<Result<_, _>>()?,
            config: hex(engine.config().hash()),
            seed: args.seed.to_string(),
            per_game: args.per_game,
            search_nodes: args.search_nodes,
            per_search: args.per_search,
            label_nodes: args.label_nodes,
            hash: args.hash,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            bench: engine.signature().map_err(Failure::work)?,
        })
    }
}

/// The samples of the file, and with positions to search from, new ones up to the number that is
/// asked for.
///
/// # Errors
/// [`Failure`] if something cannot be read or written, or `stop` was set; whole blocks are in the
/// file then.
pub(super) fn collect(args: &Args, stop: &AtomicBool) -> Result<Vec<Block>, Failure> {
    let mut blocks = match (&args.samples, args.inputs.is_empty()) {
        (None, true) => {
            return Err(Failure::usage(
                "name positions to search from (EPD, FEN, PGN, or games of `sextant-tune datagen`), \
                 or a file of --samples",
            ));
        }
        (Some(path), true) => stored(path)?,
        (path, false) => search(args, path.as_deref(), stop)?,
    };
    let mut left = args.count as usize;
    for block in &mut blocks {
        block.samples.truncate(left);
        left -= block.samples.len();
    }
    blocks.retain(|block| !block.samples.is_empty());
    Ok(blocks)
}

/// The samples of a file that stays as it is.
fn stored(path: &Path) -> Result<Vec<Block>, Failure> {
    let nothing = || {
        Failure::usage(format!(
            "{} holds no samples yet; name positions to search from, too",
            path.display()
        ))
    };
    if !path.exists() {
        return Err(nothing());
    }
    let (blocks, _) = read(BufReader::new(files::open(path)?), path)?;
    if blocks.is_empty() {
        return Err(nothing());
    }
    Ok(blocks)
}

/// Whole blocks, and how many bytes they take.
fn read(source: impl Read, path: &Path) -> Result<(Vec<Block>, u64), Failure> {
    let mut frames = Frames::new(source);
    let mut blocks = Vec::new();
    let damaged = |number: usize| {
        Failure::usage(format!(
            "{} is no file of samples of this version, or block {number} is damaged; name another \
             with --samples",
            path.display()
        ))
    };
    loop {
        let number = blocks.len() + 1;
        let bytes = frames.next().map_err(|error| match error.kind() {
            ErrorKind::InvalidData => damaged(number),
            _ => FileError::of("read", path)(error).into(),
        })?;
        let Some(bytes) = bytes else {
            return Ok((blocks, frames.whole()));
        };
        let block = serde_json::from_slice(&bytes).ok();
        let sound = |block: &Block| block.samples.iter().all(Sample::is_sound);
        blocks.push(block.filter(sound).ok_or_else(|| damaged(number))?);
    }
}

/// The blocks of the file, and those of searches from the starts that have none yet.
fn search(args: &Args, path: Option<&Path>, stop: &AtomicBool) -> Result<Vec<Block>, Failure> {
    let engine = engine::load(&args.config, args.hash)?;
    let (mut journal, mut blocks) = (None, Vec::new());
    if let Some(path) = path {
        let (opened, stored) = resume(path, args, &Recipe::new(args, &engine)?)?;
        (journal, blocks) = (Some(opened), stored);
    }
    let begun_with = count(&blocks);
    if begun_with >= args.count {
        return Ok(blocks);
    }
    let starts = || Starts::new(args.inputs.clone(), args.seed, args.per_game);
    let all = starts().count()?;
    let so_far = AtomicU64::new(begun_with);
    let is_enough = || so_far.load(Ordering::Relaxed) >= args.count;
    let mut starts = starts();
    for _ in &blocks {
        starts.next()?;
    }
    let mut next = || if is_enough() { Ok(None) } else { starts.next() };
    let progress = Progress::new("samples", Some(args.count)).starting_at(begun_with);
    let mut take = |block: Block| {
        // Threads may have begun more than was needed.
        if is_enough() {
            return Ok(());
        }
        if let Some(journal) = &mut journal {
            let bytes = serde_json::to_vec(&block).map_err(Failure::work)?;
            journal.append(&frames::frame(&bytes))?;
        }
        let samples = so_far.load(Ordering::Relaxed) + block.samples.len() as u64;
        so_far.store(samples, Ordering::Relaxed);
        blocks.push(block);
        progress.set(samples, format_args!("{} of {all} starts", blocks.len()));
        Ok(())
    };
    let searches = Searches {
        engine: &engine,
        args,
    };
    let result = ordered::run(&searches, &mut next, args.threads, stop, &mut take);
    progress.finish();
    if let Some(journal) = &mut journal {
        journal.sync()?;
    }
    result?;
    let found = count(&blocks);
    if stop.load(Ordering::Relaxed) {
        return Err(stopped(path, found));
    }
    if found < args.count {
        output::note(too_few(args, all, found));
    }
    Ok(blocks)
}

fn resume(path: &Path, args: &Args, recipe: &Recipe) -> Result<(Journal, Vec<Block>), Failure> {
    let mut journal = Journal::open(path)?;
    let inputs: Vec<_> = args
        .inputs
        .iter()
        .map(|input| input.display().to_string())
        .collect();
    let made = format!(
        "# How `sextant-tune fit` made the samples: from {}, with the config {}.\n",
        inputs.join(" "),
        args.config
    );
    journal.settle_recipe(recipe, &made).map_err(|error| {
        Failure::from(error).advise("to fit to what is there, name no positions")
    })?;
    let (blocks, whole) = read(journal.reader()?, path)?;
    journal.cut_behind(whole)?;
    Ok((journal, blocks))
}

fn count(blocks: &[Block]) -> u64 {
    blocks.iter().map(|block| block.samples.len() as u64).sum()
}

/// Other positions and options make other samples, which a file does not take beside its own.
fn too_few(args: &Args, all: u64, found: u64) -> String {
    let place = match args.samples {
        Some(_) => ", into a new file of --samples",
        None => "",
    };
    format!(
        "note: {} gave {}, not {}; more come of more positions or of larger --per-game and \
         --per-search{place}",
        counted(all, "position"),
        counted(found, "sample"),
        args.count
    )
}

fn stopped(path: Option<&Path>, samples: u64) -> Failure {
    Failure::interrupted(match path {
        Some(path) => format!(
            "stopped after {}, kept in {}; the same command goes on",
            counted(samples, "sample"),
            path.display()
        ),
        None => "stopped; nothing was written (--samples FILE would keep the samples)".to_owned(),
    })
}

/// How samples are made.
struct Searches<'a> {
    /// Config and network of all engines.
    engine: &'a EngineSetup,
    args: &'a Args,
}

impl Work for Searches<'_> {
    type Job = Start;
    type Worker = Engine;
    type Done = Block;
    type Error = Failure;

    fn worker(&self) -> Result<Engine, Failure> {
        self.engine.engine_on_caller().map_err(Failure::work)
    }

    fn work(
        &self,
        engine: &mut Engine,
        start: Start,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Block>, Failure> {
        let mut block = Block {
            group: start.group,
            samples: Vec::new(),
        };
        for picked in self.picked(engine, &start) {
            if is_over() {
                return Ok(None);
            }
            block.samples.push(self.labeled(engine, picked));
        }
        Ok(Some(block))
    }
}

impl Searches<'_> {
    /// Nodes of a shallow search in an engine that knows nothing.
    fn picked(&self, engine: &mut Engine, start: &Start) -> impl Iterator<Item = Picked> + use<> {
        engine.new_game();
        let random = Random::of_item(self.args.seed, start.index);
        let watch = Watch::new(random, self.args.per_search);
        let game = Game::new(start.position.clone());
        let limits = nodes(self.args.search_nodes);
        let (_, watch) = engine.observed(watch).go(&game, &limits, 1, &mut |_| ());
        watch.into_picked()
    }

    /// A node with the move that a deeper search plays, in an engine that knows nothing.
    fn labeled(&self, engine: &mut Engine, picked: Picked) -> Sample {
        engine.new_game();
        let game = Game::new(picked.position);
        let limits = nodes(self.args.label_nodes);
        let best = engine.go_armed(&game, &limits, 1, &mut |_| ()).best;
        // A sample holds all legal moves, and a search plays one of them.
        let place = picked.moves.iter().position(|mv| Some(*mv) == best);
        Sample {
            best: place.unwrap_or(0) as u16,
            ..picked.sample
        }
    }
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}
