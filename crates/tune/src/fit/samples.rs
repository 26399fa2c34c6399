//! What is learned from: nodes as a search saw them before it tried a move, each with the move that
//! its label names. Their file has a line for every search, so that whatever ends a run, it
//! goes on from there; a recipe beside it says how they were made.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

use clap::builder::RangedU64ValueParser;
use serde::{Deserialize, Serialize};
use sextant_board::Random;
use sextant_cli::{
    failure::Failure,
    files::{self, FileError},
    journal::Journal,
    output::counted,
};
use sextant_config::GapSource;
use sextant_search::{EngineSetup, budget::Category};

use super::label::Label;
use crate::hash::{fnv, hex};

/// The largest file of games that is read.
const LARGEST: u64 = 1 << 40;
/// Samples that may be learned from at least: every price is a number to be found.
const FEWEST: u64 = 200;
/// Keeps the split apart from other draws of the seed.
const SPLIT: u64 = 0x0073_706c_6974;

/// Where samples come from.
#[derive(clap::Args, Debug)]
pub(super) struct SampleArgs {
    /// Games of `sextant-tune datagen` to search from. With no files, --samples must hold samples
    /// already.
    #[arg(value_name = "GAMES")]
    pub(super) inputs: Vec<PathBuf>,
    /// Keep the samples in this file: a run that was ended goes on with it, and fitting again needs
    /// no searches. Other games, options or weights need another file.
    #[arg(long, value_name = "FILE")]
    pub(super) samples: PathBuf,
    /// Samples to learn from.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(super) count: u64,
    /// The preset or TOML file that searches, and whose weights are fitted.
    #[arg(long, value_name = "CONFIG", default_value = "default")]
    pub(super) config: String,
    /// Decides everything that is left to chance.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Searches at the same time; the results do not depend on it.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: u16,
    #[command(flatten)]
    pub(super) searches: SearchArgs,
}

/// How positions are searched.
#[derive(clap::Args, Clone, Debug, Serialize, Deserialize)]
pub(super) struct SearchArgs {
    /// Positions of one game.
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=1000))]
    pub(super) per_game: usize,
    /// Nodes of a search that is sampled.
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(100..))]
    pub(super) search_nodes: u64,
    /// Most samples of one search.
    #[arg(long, value_name = "N", default_value_t = 4)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=1000))]
    pub(super) per_search: usize,
    /// What is learned: which move is best, or which is worth more depth.
    #[arg(long, value_enum, default_value_t = Label::Best)]
    pub(super) label: Label,
    /// Most nodes of a search that labels.
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(100..))]
    pub(super) label_nodes: u64,
    /// Table of each engine in MB.
    #[arg(long, value_name = "MB", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=65_536))]
    pub(super) hash: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Block {
    /// What keeps the positions of one game together.
    #[serde(rename = "game")]
    pub(super) group: u64,
    pub(super) samples: Vec<Sample>,
}

/// A node with its label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Sample {
    /// Game phase, 0 to 7.
    pub(super) phase: u8,
    /// Place of the move that the label names.
    pub(super) best: u16,
    /// All legal moves in the order in which they would be tried.
    pub(super) moves: Vec<Row>,
}

/// A move of a sample: a bit for each [`Category`] that applies; how far its order
/// score lies behind the best quiet move's, in hundredths of a full history; and how far the
/// evaluation after it does, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Row(pub(super) u32, pub(super) u16, pub(super) u16);

impl Sample {
    pub(super) fn best_move(&self) -> &Row {
        &self.moves[usize::from(self.best)]
    }

    /// Do places and marks make sense? A file may be of another version.
    fn is_sound(&self) -> bool {
        usize::from(self.best) < self.moves.len()
            && self.phase < 8
            && self
                .moves
                .iter()
                .all(|row| (1..1 << Category::COUNT).contains(&row.0))
    }
}

impl Row {
    /// The gap to the best quiet move, in hundreds.
    pub(super) fn hundreds(&self, source: GapSource) -> f64 {
        let gap = match source {
            GapSource::Order => self.1,
            GapSource::Eval => self.2,
        };
        f64::from(gap) / 100.0
    }

    /// The categories that apply, by their indices.
    pub(super) fn categories(&self) -> impl Iterator<Item = usize> + use<> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let index = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (index < u32::BITS).then_some(index as usize)
        })
    }
}

/// The samples by what they are for: whole games, by a hash of seed and game.
#[derive(Default)]
pub(super) struct Parts<'a> {
    /// Prices are fitted to them: eight games of ten.
    pub(super) train: Vec<&'a Sample>,
    /// Nothing but judging: two of ten.
    pub(super) test: Vec<&'a Sample>,
    /// The games of those that judge.
    pub(super) test_games: Vec<u64>,
}

impl<'a> Parts<'a> {
    pub(super) fn of(blocks: &'a [Block], seed: u64) -> Result<Parts<'a>, Failure> {
        let mut parts = Parts::default();
        for block in blocks {
            let part = match Random::of_item(seed ^ SPLIT, block.group).below(10) {
                0..8 => &mut parts.train,
                _ => {
                    let games = block.samples.iter().map(|_| block.group);
                    parts.test_games.extend(games);
                    &mut parts.test
                }
            };
            part.extend(&block.samples);
        }
        let [train, test] = [&parts.train, &parts.test].map(|part| part.len() as u64);
        if train < FEWEST || test == 0 {
            return Err(Failure::usage(format!(
                "{} to learn from and {test} to judge by are too few: {FEWEST} and 1 are the least, and \
                 thousands are sensible; whole games go to one of the two, so take more games or a \
                 higher --count",
                counted(train, "sample")
            )));
        }
        Ok(parts)
    }
}

/// What samples are a function of, but for their number. Files and configs are known by their
/// contents: the same may have other names today.
#[derive(Debug, Serialize, Deserialize)]
struct Recipe {
    games: Vec<String>,
    config: String,
    /// As text: TOML has no numbers as large.
    seed: String,
    #[serde(flatten)]
    searches: SearchArgs,
    version: String,
    /// Nodes of a short bench: another engine or network has others.
    bench: u64,
}

impl Recipe {
    fn new(args: &SampleArgs, engine: &EngineSetup) -> Result<Recipe, Failure> {
        let hashed = |path| Ok::<_, Failure>(hex(fnv(&files::read(path, LARGEST)?)));
        let games = args.inputs.iter().map(|path| hashed(path));
        Ok(Recipe {
            games: games.collect::<Result<_, _>>()?,
            config: hex(engine.config().hash()),
            seed: args.seed.to_string(),
            searches: args.searches.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            bench: engine.signature().map_err(Failure::work)?,
        })
    }
}

/// The samples of a file that stays as it is.
pub(super) fn stored(path: &Path) -> Result<Vec<Block>, Failure> {
    let blocks = if path.exists() {
        read(BufReader::new(files::open(path)?), path)?.0
    } else {
        Vec::new()
    };
    if blocks.is_empty() {
        return Err(Failure::usage(format!(
            "{} holds no samples yet; name games to search from, too",
            path.display()
        )));
    }
    Ok(blocks)
}

/// Whole blocks, and how many bytes they take.
fn read(mut source: impl BufRead, path: &Path) -> Result<(Vec<Block>, u64), Failure> {
    let (mut blocks, mut whole, mut line) = (Vec::new(), 0, Vec::new());
    loop {
        line.clear();
        let length = source.read_until(b'\n', &mut line);
        let length = length.map_err(FileError::of("read", path))?;
        let Some(content) = line.strip_suffix(b"\n") else {
            return Ok((blocks, whole));
        };
        let block = parse(content).ok_or_else(|| {
            Failure::usage(format!(
                "{} is no file of samples of this version, or line {} is damaged; name another with \
                 --samples",
                path.display(),
                blocks.len() + 1
            ))
        })?;
        blocks.push(block);
        whole += length as u64;
    }
}

/// The block of a line: JSON behind its hash.
fn parse(line: &[u8]) -> Option<Block> {
    let (hash, json) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    let block: Block = serde_json::from_str(json).ok()?;
    let is_sound = block.samples.iter().all(Sample::is_sound);
    (is_sound && hash == hex(fnv(json.as_bytes()))).then_some(block)
}

/// Begins a file, or goes on with the samples that it has.
pub(super) fn resume(
    args: &SampleArgs,
    engine: &EngineSetup,
) -> Result<(Journal, Vec<Block>), Failure> {
    let path = &args.samples;
    let mut journal = Journal::open(path)?;
    let inputs = args.inputs.iter().map(|input| input.display().to_string());
    let made = format!(
        "# How `sextant-tune fit` made the samples: from {}, with the config {}.\n",
        inputs.collect::<Vec<_>>().join(" "),
        args.config
    );
    let settled = journal.settle_recipe(&Recipe::new(args, engine)?, &made);
    settled.map_err(|error| error.advise("to fit to what is there, name no games"))?;
    let (blocks, whole) = read(journal.reader()?, path)?;
    journal.cut_behind(whole)?;
    Ok((journal, blocks))
}

pub(super) fn append(journal: &mut Journal, block: &Block) -> Result<(), Failure> {
    let json = serde_json::to_string(block).map_err(Failure::work)?;
    journal.append(format!("{} {json}\n", hex(fnv(json.as_bytes()))).as_bytes())
}
