//! `data`: work on files of games.

mod convert;
mod distill;
mod filter;
mod games;
mod points;
mod positions;
mod rescore;
mod scatter;
mod stats;
mod tree;
mod wdl;

use sextant_board::Random;
use sextant_cli::failure::Failure;

use self::{games::Files, scatter::Scatter};
pub(crate) use self::{games::Input, points::LABEL_SCALE};

#[derive(clap::Subcommand, Debug)]
pub(crate) enum Command {
    /// Counts games and positions, and draws what is in them.
    #[command(after_help = "Example:\n  sextant-tune data stats games.vf")]
    Stats(stats::Args),
    /// Joins files of games, every game checked.
    #[command(after_help = "Example:\n  sextant-tune data merge a.vf b.vf --out games.vf")]
    Merge(Files),
    /// Puts games into random order.
    #[command(after_help = "Example:\n  sextant-tune data shuffle games.vf --out shuffled.vf")]
    Shuffle {
        #[command(flatten)]
        files: Files,
        /// Seed of the order.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Takes quiet positions for training out of games: shuffled, none twice, split by game.
    #[command(
        after_help = "Example:\n  sextant-tune data convert games.vf --out train.data --valid valid.data"
    )]
    Convert(convert::Args),
    /// Searches positions of games and takes training positions out of the whole tree: TreeStrap.
    #[command(
        after_help = "Example:\n  sextant-tune data tree games.vf --out tree.data --valid tree-valid.data"
    )]
    Tree(tree::Args),
    /// Takes positions some random moves away from games, with what an evaluation says of them: a
    /// network learns from them what another one, or the classical evaluation, knows.
    #[command(
        after_help = "Example:\n  sextant-tune data distill games.vf --config teacher.toml --out d.data --valid v.data"
    )]
    Distill(distill::Args),
    /// Searches every position of games again and writes the games with the new scores.
    #[command(
        after_help = "Example:\n  sextant-tune data rescore games.vf --out better.vf --soft-nodes 5000"
    )]
    Rescore(rescore::Args),
    /// Fits the chances of win, draw and loss to how scores became results. Slow games (5,000 nodes
    /// a move and more) say what a score is worth in play.
    #[command(after_help = "Example:\n  sextant-tune data wdl games.vf")]
    Wdl(wdl::Args),
}

pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Stats(args) => stats::run(args),
        Command::Merge(files) => merge(files),
        Command::Shuffle { files, seed } => shuffle(files, *seed),
        Command::Convert(args) => convert::run(args),
        Command::Tree(args) => tree::run(args),
        Command::Distill(args) => distill::run(args),
        Command::Rescore(args) => rescore::run(args),
        Command::Wdl(args) => wdl::run(args),
    }
}

fn merge(files: &Files) -> Result<(), Failure> {
    let mut input = files.inputs.open("joining")?;
    let mut output = files.create()?;
    while let Some(game) = input.next_game()? {
        output.write(&game.to_bytes())?;
    }
    output.finish()
}

/// Needs little memory, however large the files are.
fn shuffle(files: &Files, seed: u64) -> Result<(), Failure> {
    let mut input = files.inputs.open("reading")?;
    let mut scatter = Scatter::new(input.bytes(), &files.out)?;
    let mut output = files.create()?;
    let mut numbers = 0..;
    while let Some((game, number)) = input.next_game()?.zip(numbers.next()) {
        let key = Random::of_item(seed, number).next_u64();
        scatter.add(key, &game.to_bytes())?;
    }
    scatter.gather(|_, game| output.write(game))?;
    output.finish()
}
