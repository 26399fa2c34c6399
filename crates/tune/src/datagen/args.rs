//! The arguments of `datagen`.

use std::path::PathBuf;

use crate::args::{SearchArgs, share, usual_hard};

/// The score that decides a game where nobody asks for another.
pub(super) const WIN_SCORE: i32 = 2_000;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The file of games to write, or to go on with. FILE.toml beside it keeps the options.
    #[arg(value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Games in the file at the end [default: no end; stop with Ctrl-C].
    #[arg(long, value_name = "N")]
    pub(super) games: Option<u64>,
    /// Seed of all random numbers; games with another seed are other games.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) search: SearchArgs,
    /// Most nodes of a move [default: 8 times --soft-nodes].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    hard_nodes: Option<u64>,
    #[command(flatten)]
    pub(super) start: StartArgs,
    #[command(flatten)]
    pub(super) end: EndArgs,
}

impl Args {
    pub(super) fn hard_nodes(&self) -> u64 {
        self.hard_nodes
            .unwrap_or_else(|| usual_hard(self.search.soft_nodes))
    }
}

/// Where games begin.
#[derive(clap::Args, Debug)]
pub(super) struct StartArgs {
    /// Openings of standard games, one FEN or EPD a line; may be repeated [default: the initial
    /// position].
    #[arg(long = "book", value_name = "FILE")]
    pub(super) books: Vec<PathBuf>,
    /// Share of the games that are Chess960, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    #[arg(value_parser = share::<f64>())]
    chess960: f64,
    /// Least random moves before a game begins.
    #[arg(long, value_name = "N", default_value_t = 6)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=100))]
    pub(super) random_plies_min: u16,
    /// Most random moves before a game begins.
    #[arg(long, value_name = "N", default_value_t = 9)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=100))]
    pub(super) random_plies_max: u16,
    /// Most centipawns that the start of a game may be worth to one side; 32000 allows even a mate
    /// in sight.
    #[arg(long, value_name = "CP", default_value_t = 300)]
    #[arg(value_parser = clap::value_parser!(i32).range(0..=32_000))]
    pub(super) most_unequal: i32,
}

impl StartArgs {
    pub(super) fn chess960_per_mille(&self) -> u16 {
        (self.chess960 * 1000.0).round() as u16
    }
}

/// How games end.
#[derive(clap::Args, Debug)]
pub(super) struct EndArgs {
    /// Folders of tablebases that end games.
    #[arg(long, value_name = "FOLDERS")]
    pub(super) syzygy: Option<String>,
    /// A game is won after four plies beyond this many centipawns. High by default, because
    /// positions that are nearly won must be learned too; lower for more positions that are not.
    #[arg(long, value_name = "CP", default_value_t = WIN_SCORE)]
    #[arg(value_parser = clap::value_parser!(i32).range(100..=20_000))]
    pub(super) win_score: i32,
    /// Play on until the rules of chess (or the tablebases) end the game.
    #[arg(long)]
    pub(super) no_adjudication: bool,
}
