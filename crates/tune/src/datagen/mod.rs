//! `datagen`: games of the engine against itself.

use std::path::PathBuf;

use crate::failure::Failure;

/// The arguments of `datagen`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The file of games to write.
    out: PathBuf,
}

/// Plays and writes games.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    Err(Failure::work(format!(
        "{}: no games yet",
        args.out.display()
    )))
}
