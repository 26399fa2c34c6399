//! `data merge`: several files as one.

use sextant_cli::failure::Failure;

use super::{input::Inputs, output::OutputArgs};

/// The arguments of `data merge`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Joins the files, every game checked.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut input = args.inputs.open("joining")?;
    let mut output = args.output.create()?;
    while let Some(game) = input.next_game()? {
        output.write(&game.to_bytes())?;
    }
    output.finish()
}
