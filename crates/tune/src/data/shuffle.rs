//! `data shuffle`: games in random order, with little memory.

use std::path::PathBuf;

use sextant_board::Random;

use super::{
    input::{self, Input},
    output::Output,
    scatter::Scatter,
};
use crate::{failure::Failure, say};

/// The arguments of `data shuffle`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files of games.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Decides the order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Shuffles the games of the files.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut input = Input::new(&args.files, "reading")?;
    let mut output = Output::new(&args.out)?;
    let mut scatter = Scatter::new(input.bytes(), &args.out)?;
    let (mut games, mut bytes) = (0, Vec::new());
    while let Some(game) = input.next_game()? {
        bytes.clear();
        game.write_to(&mut bytes);
        scatter.add(Random::of_item(args.seed, games).next_u64(), &bytes)?;
        games += 1;
    }
    scatter.gather(
        |bytes| input::bar(bytes, "writing"),
        |_, game| output.write(game),
    )?;
    output.finish()?;
    let games = say::counted(games, "game");
    say::out(format_args!("{games} in {}\n", args.out.display()))
}
