//! `data`: work on files of games.

mod convert;
mod filter;
mod histogram;
mod input;
mod merge;
mod output;
mod rescore;
mod returns;
mod scatter;
mod shuffle;
mod stats;
mod wdl;

use crate::failure::Failure;

/// The subcommands of `data`.
#[derive(clap::Subcommand, Debug)]
pub(crate) enum Command {
    /// Counts games and positions, and draws what is in them.
    Stats(stats::Args),
    /// Joins files of games.
    Merge(merge::Args),
    /// Puts games into random order.
    Shuffle(shuffle::Args),
    /// Takes quiet positions for training out of games: shuffled, none twice, split by game.
    Convert(convert::Args),
    /// Searches every position of games again and writes the games with the new scores.
    Rescore(rescore::Args),
    /// Fits the chances of win, draw and loss to how scores became results.
    Wdl(wdl::Args),
}

/// Runs a subcommand of `data`.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Stats(args) => stats::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Shuffle(args) => shuffle::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Rescore(args) => rescore::run(args),
        Command::Wdl(args) => wdl::run(args),
    }
}

/// A share as an argument.
fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| format!("{text} is no share; allowed are 0 to 1, as in 0.02"))
}
