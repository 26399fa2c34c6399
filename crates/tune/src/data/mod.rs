//! `data`: work on files of games.

use std::path::PathBuf;

use crate::failure::Failure;

/// The subcommands of `data`.
#[derive(clap::Subcommand, Debug)]
pub(crate) enum Command {
    /// Counts games and positions, and draws what is in them.
    Stats {
        /// Files of games.
        files: Vec<PathBuf>,
    },
}

/// Runs a subcommand of `data`.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Stats { files } => Err(Failure::usage(format!("{} files", files.len()))),
    }
}
