//! Makes the samples that a run asks for: those of the file, and new ones as far as needed.

use std::{
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use super::{
    args::Args,
    positions::Starts,
    recipe::Recipe,
    sample::Block,
    searches::Searches,
    store::{self, Writer},
};
use crate::{display::Display, engine::Mind, failure::Failure, in_order, say};

/// What a run learns from.
pub(super) struct Collected {
    /// How it was made.
    pub(super) recipe: Recipe,
    /// The searches with their samples: together as many as were asked for, if there are.
    pub(super) blocks: Vec<Block>,
}

/// The samples of the file, and with positions to search from, new ones up to the number that is
/// asked for.
///
/// # Errors
/// [`Failure`] if something cannot be read or written, or `stop` was set; whole blocks are in the
/// file then.
pub(super) fn collect(args: &Args, stop: &AtomicBool) -> Result<Collected, Failure> {
    let path = args.samples.as_deref();
    let stored = path.map(store::read).transpose().map_err(Failure::usage)?;
    let stored = stored.flatten();
    if args.inputs.is_empty() {
        let stored = stored.ok_or_else(|| nothing_to_learn_from(path))?;
        return Ok(cut(stored.recipe, stored.blocks, args.count));
    }
    let mind = Mind::load(&args.config, args.hash)?;
    let recipe = Recipe::new(args, &mind)?;
    if let (Some(path), Some(stored)) = (path, &stored)
        && let Some(difference) = recipe.difference(&stored.recipe)
    {
        return Err(Failure::usage(format!(
            "{} holds samples that were made otherwise: {difference}; name another file with \
             --samples, or fit to these samples by naming no positions",
            path.display()
        )));
    }
    let (writer, blocks) = match (path, stored) {
        (Some(path), Some(stored)) => {
            let writer = Writer::resume(path, &stored).map_err(Failure::work)?;
            (Some(writer), stored.blocks)
        }
        (Some(path), None) => {
            let writer = Writer::begin(path, &recipe).map_err(Failure::usage)?;
            (Some(writer), Vec::new())
        }
        (None, _) => (None, Vec::new()),
    };
    let blocks = search(args, &mind, &recipe, writer, blocks, stop)?;
    Ok(cut(recipe, blocks, args.count))
}

fn nothing_to_learn_from(path: Option<&Path>) -> Failure {
    Failure::usage(match path {
        Some(path) => format!(
            "{} holds no samples yet; name positions to search from, too",
            path.display()
        ),
        None => "name positions to search from (EPD, FEN, PGN, or games of `sextant-tune \
                 datagen`), or a file of --samples"
            .to_owned(),
    })
}

/// Searches from the starts that have no block yet.
fn search(
    args: &Args,
    mind: &Mind,
    recipe: &Recipe,
    mut writer: Option<Writer>,
    mut blocks: Vec<Block>,
    stop: &AtomicBool,
) -> Result<Vec<Block>, Failure> {
    let begun_with = samples(&blocks);
    if begun_with >= args.count {
        return Ok(blocks);
    }
    let starts = || Starts::new(args.inputs.clone(), recipe.seed, recipe.per_game);
    let all = starts().count()?;
    let count = AtomicU64::new(begun_with);
    let starts = Mutex::new(starts());
    let mut next = || {
        if count.load(Ordering::Relaxed) >= args.count {
            return Ok(None);
        }
        starts.lock().unwrap_or_else(PoisonError::into_inner).next()
    };
    for _ in &blocks {
        next_start(&starts)?;
    }
    let searches = Searches {
        mind,
        seed: recipe.seed,
        search_nodes: recipe.search_nodes,
        per_search: recipe.per_search,
        label_nodes: recipe.label_nodes,
    };
    let mut display = Display::new("samples", begun_with, args.count);
    let mut take = |block: Block| {
        // Threads may have begun more than was needed.
        if count.load(Ordering::Relaxed) >= args.count {
            return Ok(());
        }
        if let Some(writer) = &mut writer {
            writer.append(&block).map_err(Failure::work)?;
        }
        let so_far = count.fetch_add(block.samples.len() as u64, Ordering::Relaxed);
        let so_far = so_far + block.samples.len() as u64;
        blocks.push(block);
        let searched = blocks.len();
        display.show(
            so_far,
            &format!("{so_far} samples, {searched} of {all} starts"),
        );
        Ok(())
    };
    let result = in_order::run(&searches, &mut next, args.threads, stop, &mut take);
    display.finish();
    result?;
    if stop.load(Ordering::Relaxed) {
        return Err(stopped(args, samples(&blocks)));
    }
    let found = samples(&blocks);
    if found < args.count {
        say::note(too_few(args, all, found));
    }
    Ok(blocks)
}

fn next_start(starts: &Mutex<Starts>) -> Result<(), Failure> {
    let mut starts = starts.lock().unwrap_or_else(PoisonError::into_inner);
    starts.next().map(drop)
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
        say::counted(all, "position"),
        say::counted(found, "sample"),
        args.count
    )
}

fn stopped(args: &Args, samples: u64) -> Failure {
    Failure::interrupted(match &args.samples {
        Some(path) => format!(
            "stopped after {}, kept in {}; the same command goes on",
            say::counted(samples, "sample"),
            path.display()
        ),
        None => "stopped; nothing was written (--samples FILE would keep the samples)".to_owned(),
    })
}

fn samples(blocks: &[Block]) -> u64 {
    blocks.iter().map(|block| block.samples.len() as u64).sum()
}

/// The first `count` samples.
fn cut(recipe: Recipe, mut blocks: Vec<Block>, count: u64) -> Collected {
    let mut left = count as usize;
    for block in &mut blocks {
        block.samples.truncate(left);
        left -= block.samples.len();
    }
    blocks.retain(|block| !block.samples.is_empty());
    Collected { recipe, blocks }
}
