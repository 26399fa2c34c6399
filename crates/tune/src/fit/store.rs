//! The file of samples: a frame for every search, so that whatever ends a run, it goes on from there;
//! and a recipe beside it that says how they were made.

use std::{
    io::{BufReader, ErrorKind, Read},
    path::Path,
};

use serde::{Deserialize, Serialize};
use sextant_cli::{
    failure::Failure,
    files::{self, FileError},
    journal::{Journal, frame, read_frame},
};
use sextant_search::EngineSetup;

use super::{
    args::Args,
    sample::{Block, Sample},
};
use crate::hash::{fnv, hex};

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

/// The samples of a file that stays as it is.
///
/// # Errors
/// [`Failure`] if there are none, or the file is damaged or something else.
pub(super) fn stored(path: &Path) -> Result<Vec<Block>, Failure> {
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
fn read(mut source: impl Read, path: &Path) -> Result<(Vec<Block>, u64), Failure> {
    let (mut blocks, mut whole) = (Vec::new(), 0);
    let damaged = |number: usize| {
        Failure::usage(format!(
            "{} is no file of samples of this version, or block {number} is damaged; name another \
             with --samples",
            path.display()
        ))
    };
    loop {
        let number = blocks.len() + 1;
        let read = read_frame(&mut source).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => damaged(number),
            _ => FileError::of("read", path)(error).into(),
        })?;
        let Some((bytes, length)) = read else {
            return Ok((blocks, whole));
        };
        whole += length;
        let block = serde_json::from_slice(&bytes).ok();
        let sound = |block: &Block| block.samples.iter().all(Sample::is_sound);
        blocks.push(block.filter(sound).ok_or_else(|| damaged(number))?);
    }
}

/// Begins a file, or goes on with the samples that it has.
///
/// # Errors
/// [`Failure`] if its samples were made in another way, or something cannot be read or written.
pub(super) fn resume(
    path: &Path,
    args: &Args,
    engine: &EngineSetup,
) -> Result<(Journal, Vec<Block>), Failure> {
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
    journal
        .settle_recipe(&Recipe::new(args, engine)?, &made)
        .map_err(|error| error.advise("to fit to what is there, name no positions"))?;
    let (blocks, whole) = read(journal.reader()?, path)?;
    journal.cut_behind(whole)?;
    Ok((journal, blocks))
}

/// Appends the samples of a search.
///
/// # Errors
/// [`Failure`] if they cannot be written; what was there before stays.
pub(super) fn append(journal: &mut Journal, block: &Block) -> Result<(), Failure> {
    let bytes = serde_json::to_vec(block).map_err(Failure::work)?;
    journal.append(&frame(&bytes))
}
