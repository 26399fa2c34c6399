//! `data`: work on files of games.

mod convert;
mod filter;
mod games;
mod merge;
mod rescore;
mod scatter;
mod stats;
mod wdl;

use sextant_cli::failure::Failure;

#[derive(clap::Subcommand, Debug)]
pub(crate) enum Command {
    /// Counts games and positions, and draws what is in them.
    Stats(stats::Args),
    /// Joins files of games, every game checked.
    Merge(merge::Args),
    /// Puts games into random order.
    Shuffle(merge::ShuffleArgs),
    /// Takes quiet positions for training out of games: shuffled, none twice, split by game.
    Convert(convert::Args),
    /// Searches every position of games again and writes the games with the new scores.
    Rescore(rescore::Args),
    /// Fits the chances of win, draw and loss to how scores became results. Slow games (5,000 nodes
    /// a move and more) say what a score is worth in play.
    Wdl(wdl::Args),
}

pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Stats(args) => stats::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Shuffle(args) => merge::shuffle(args),
        Command::Convert(args) => convert::run(args),
        Command::Rescore(args) => rescore::run(args),
        Command::Wdl(args) => wdl::run(args),
    }
}
