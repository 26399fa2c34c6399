//! The arguments of `datagen`.

use std::path::PathBuf;

use super::recipe;
use crate::engine;

/// How the games are played.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The file of games to write, or to go on with. FILE.toml beside it keeps the options.
    #[arg(value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Games in the file at the end [default: no end; stop with Ctrl-C].
    #[arg(long, value_name = "N")]
    pub(super) games: Option<u64>,
    /// Decides everything that is left to chance.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Games played at the same time; the file does not depend on it.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: u16,
    /// A preset or a TOML file.
    #[arg(long, value_name = "CONFIG", default_value = "default")]
    pub(super) config: String,
    /// No new iteration once a move took this many nodes.
    #[arg(long, value_name = "N", default_value_t = 1_200)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) soft_nodes: u64,
    /// Most nodes of a move [default: 8 times --soft-nodes].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) hard_nodes: Option<u64>,
    /// Table of each game in MB.
    #[arg(long, value_name = "MB", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=65_536))]
    pub(super) hash: i32,
    /// Openings of standard games, one FEN or EPD a line; may be repeated [default: the initial
    /// position].
    #[arg(long = "book", value_name = "FILE")]
    pub(super) books: Vec<PathBuf>,
    /// Share of the games that are games of Chess960, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = per_mille)]
    pub(super) chess960: u16,
    /// Least random moves before a game begins.
    #[arg(long, value_name = "N", default_value_t = 6)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=100))]
    pub(super) random_plies_min: u16,
    /// Most random moves before a game begins.
    #[arg(long, value_name = "N", default_value_t = 9)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=100))]
    pub(super) random_plies_max: u16,
    /// A game may begin with this many centipawns for one side.
    #[arg(long, value_name = "CP", default_value_t = 300)]
    #[arg(value_parser = clap::value_parser!(i32).range(0..=30_000))]
    pub(super) most_unequal: i32,
    /// Folders of tablebases that end games.
    #[arg(long, value_name = "FOLDERS")]
    pub(super) syzygy: Option<String>,
    /// A game is won after four plies beyond this many centipawns. High by default, because
    /// positions that are nearly won must be learned too; lower for more positions that are not.
    #[arg(long, value_name = "CP", default_value_t = recipe::WIN_SCORE)]
    #[arg(value_parser = clap::value_parser!(i32).range(100..=20_000))]
    pub(super) win_score: i32,
    /// Play on until the rules of chess (or the tablebases) end the game.
    #[arg(long)]
    pub(super) no_adjudication: bool,
}

impl Args {
    /// Most nodes of a move.
    pub(super) fn hard_nodes(&self) -> u64 {
        self.hard_nodes
            .unwrap_or_else(|| engine::usual_hard(self.soft_nodes))
    }
}

/// Reads a share as thousandths.
fn per_mille(text: &str) -> Result<u16, String> {
    text.parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .map(|share: f64| (share * 1000.0).round() as u16)
        .ok_or_else(|| format!("{text} is no share; allowed are 0 to 1, as in 0.1"))
}
