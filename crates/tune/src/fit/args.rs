//! The arguments of `fit`.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;

/// Where samples come from, and what becomes of them.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Positions to search from: lines of FEN or EPD, PGN, or games of `sextant-tune datagen`. Lines with
    /// the same `id` or position form one game. With no files, --samples must hold samples already.
    #[arg(value_name = "POSITIONS")]
    pub(super) inputs: Vec<PathBuf>,
    /// Keep the samples in this file: a run that was ended goes on with it, and fitting again needs
    /// no searches. Other positions, options or weights need another file.
    #[arg(long, value_name = "FILE")]
    pub(super) samples: Option<PathBuf>,
    /// Samples to learn from.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(super) count: u64,
    /// The preset or TOML file that searches, and whose weights are fitted.
    #[arg(long, value_name = "CONFIG", default_value = "default")]
    pub(super) config: String,
    /// Where the fitted config goes.
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// What is fitted: only prices are left.
    #[arg(long, default_value = "prices", value_parser = model, hide = true)]
    pub(super) model: String,
    /// The gap by which quiet moves grow dearer [default: that of the config].
    #[arg(long, value_enum, value_name = "SOURCE")]
    pub(super) gap_source: Option<Gap>,
    /// Keys that keep their values, as in 'extensions.recapture' or 'extensions.phase'; may be repeated.
    #[arg(long, value_name = "PATTERN")]
    pub(super) except: Vec<String>,
    /// Decides everything that is left to chance.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Searches at the same time; the results do not depend on it.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: u16,
    /// Nodes of a search that is sampled.
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(100..))]
    pub(super) search_nodes: u64,
    /// Most samples of one search.
    #[arg(long, value_name = "N", default_value_t = 4)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=1000))]
    pub(super) per_search: usize,
    /// Positions of one game.
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=1000))]
    pub(super) per_game: usize,
    /// Nodes of a search that says what is best.
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(100..))]
    pub(super) label_nodes: u64,
    /// Table of each engine in MB.
    #[arg(long, value_name = "MB", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=65_536))]
    pub(super) hash: i32,
}

/// Refuses what was once fitted.
fn model(word: &str) -> Result<String, String> {
    match word {
        "prices" => Ok(word.to_owned()),
        "reductions" | "both" => Err(
            "reductions are not learned any more: in 3,968 games learned ones were not shown to be \
             better; `spsa --keys 'reductions.*'` tunes them by games"
                .to_owned(),
        ),
        _ => Err("the only model is prices".to_owned()),
    }
}

/// Which score the gap between quiet moves is measured in.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// The score that they are sorted by.
    Order,
    /// The static evaluation after the move, which costs the search time.
    Eval,
}
