//! `data merge` and `data shuffle`: several files as one, in their order or, with little memory, in
//! a random one.

use sextant_board::Random;
use sextant_cli::failure::Failure;

use super::{
    games::{Inputs, OutputArgs},
    scatter::Scatter,
};

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(clap::Args, Debug)]
pub(crate) struct ShuffleArgs {
    #[command(flatten)]
    files: Args,
    /// Seed of the order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut input = args.inputs.open("joining")?;
    let mut output = args.output.create()?;
    while let Some(game) = input.next_game()? {
        output.write(&game.to_bytes())?;
    }
    output.finish()
}

pub(super) fn shuffle(args: &ShuffleArgs) -> Result<(), Failure> {
    let Args { inputs, output } = &args.files;
    let mut input = inputs.open("reading")?;
    let mut scatter = Scatter::new(input.bytes(), &output.out)?;
    let mut output = output.create()?;
    let mut numbers = 0..;
    while let Some((game, number)) = input.next_game()?.zip(numbers.next()) {
        let key = Random::of_item(args.seed, number).next_u64();
        scatter.add(key, &game.to_bytes())?;
    }
    scatter.gather(|_, game| output.write(game))?;
    output.finish()
}
