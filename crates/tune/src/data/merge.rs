//! `data merge`: several files as one.

use std::path::PathBuf;

use super::{input::Input, output::Output};
use crate::{failure::Failure, say};

/// The arguments of `data merge`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files of games; what is torn at the end of one is left out.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Joins the files, every game checked.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut input = Input::new(&args.files, "joining")?;
    let mut output = Output::new(&args.out)?;
    let (mut games, mut bytes) = (0_u64, Vec::new());
    while let Some(game) = input.next_game()? {
        bytes.clear();
        game.write_to(&mut bytes);
        output.write(&bytes)?;
        games += 1;
    }
    output.finish()?;
    let games = say::counted(games, "game");
    say::out(format_args!("{games} in {}\n", args.out.display()))
}
