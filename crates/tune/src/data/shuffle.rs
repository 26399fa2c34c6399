//! `data shuffle`: games in random order, with little memory.

use sextant_board::Random;
use sextant_cli::failure::Failure;

use super::{input::Inputs, output::OutputArgs, scatter::Scatter};

/// The arguments of `data shuffle`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    output: OutputArgs,
    /// Seed of the order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Shuffles the games of the files.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut input = args.inputs.open("reading")?;
    let mut output = args.output.create()?;
    let mut scatter = Scatter::new(input.bytes(), &args.output.out)?;
    for number in 0.. {
        let Some(game) = input.next_game()? else {
            break;
        };
        let key = Random::of_item(args.seed, number).next_u64();
        scatter.add(key, &game.to_bytes())?;
    }
    scatter.gather(|_, game| output.write(game))?;
    output.finish()
}
