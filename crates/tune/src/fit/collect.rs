//! Makes the samples that a run asks for: those of the file, and new ones as far as needed. A shallow
//! search is watched, some of its nodes are picked ([`Watch`]), and a deeper search in an engine that
//! knows nothing else says which move is best there.

use std::{
    path::Path,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use sextant_board::Random;
use sextant_cli::{
    failure::Failure,
    output::{self, counted},
    progress::Progress,
};
use sextant_search::{Engine, Game, Limits};

use super::{
    args::Args,
    positions::{self, Start},
    sample::{Block, Picked, Sample},
    store,
    watch::Watch,
};
use crate::{engine, ordered};

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
        (Some(path), true) => store::stored(path)?,
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

/// The blocks of the file, and those of searches from the starts that have none yet.
fn search(args: &Args, path: Option<&Path>, stop: &AtomicBool) -> Result<Vec<Block>, Failure> {
    let engine = engine::load(&args.config, args.hash)?;
    let (mut journal, mut blocks) = (None, Vec::new());
    if let Some(path) = path {
        let (opened, stored) = store::resume(path, args, &engine)?;
        (journal, blocks) = (Some(opened), stored);
    }
    let begun_with = count(&blocks);
    if begun_with >= args.count {
        return Ok(blocks);
    }
    let starts = positions::read(args)?;
    let all = starts.len() as u64;
    let so_far = AtomicU64::new(begun_with);
    let is_enough = || so_far.load(Ordering::Relaxed) >= args.count;
    let mut starts = starts.into_iter().skip(blocks.len());
    let mut next = || Ok(if is_enough() { None } else { starts.next() });
    let progress = Progress::new("samples", Some(args.count)).starting_at(begun_with);
    let mut take = |block: Block| {
        // Threads may have begun more than was needed.
        if is_enough() {
            return Ok(());
        }
        if let Some(journal) = &mut journal {
            store::append(journal, &block)?;
        }
        let samples = so_far.load(Ordering::Relaxed) + block.samples.len() as u64;
        so_far.store(samples, Ordering::Relaxed);
        blocks.push(block);
        progress.set(samples, format_args!("{} of {all} starts", blocks.len()));
        Ok(())
    };
    let searches = Searches { args };
    let worker = || {
        let mut engine = engine.engine_on_caller().map_err(Failure::work)?;
        Ok(move |start, is_over: &dyn Fn() -> bool| {
            Ok(searches.block(&mut engine, &start, is_over))
        })
    };
    let result = ordered::run(args.threads, stop, &mut next, worker, &mut take);
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
#[derive(Clone, Copy)]
struct Searches<'a> {
    args: &'a Args,
}

impl Searches<'_> {
    /// The samples of a start; `None` if nobody wants them any more.
    fn block(
        self,
        engine: &mut Engine,
        start: &Start,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Block> {
        let mut block = Block {
            group: start.group,
            samples: Vec::new(),
        };
        for picked in self.picked(engine, start) {
            if is_over() {
                return None;
            }
            block.samples.push(self.labeled(engine, picked));
        }
        Some(block)
    }

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
