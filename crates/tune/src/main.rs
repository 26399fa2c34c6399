//! The binary `sextant-tune`: games for training, work on them, training; matches and tuning. A
//! subcommand is a module with its arguments and `run`; adding one is a variant and a line here.

// As a fuzz target it has another entry.
#![cfg_attr(fuzzing, no_main, allow(dead_code))]
// They panic where nobody reads along any more; `sextant_cli::output` does not.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod args;
mod data;
mod datagen;
mod engine;
mod fit;
#[cfg(fuzzing)]
mod fuzz;
mod jobs;
mod keys;
mod matches;
mod net;
mod newton;
mod openbench;
mod spsa;
mod state_file;
mod suite;
mod train;
mod viriformat;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use sextant_cli::{
    failure::Failure,
    hash,
    manual::{Completions, ManPages},
    output,
};

#[derive(Parser)]
#[command(
    name = "sextant-tune",
    version,
    about = "Matches, tuning, training data and network training for Sextant",
    after_help = "Example:\n  sextant-tune match my.toml default      does it play better?"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays games against itself and writes them down.
    #[command(after_help = "Example:\n  sextant-tune datagen games.vf --games 10000 --threads 4")]
    Datagen(datagen::Args),
    /// Looks at, joins, mixes and converts files of games.
    #[command(
        subcommand,
        after_help = "Example:\n  sextant-tune data stats games.vf"
    )]
    Data(data::Command),
    /// Trains a network on converted positions.
    #[command(
        after_help = "Example:\n  sextant-tune train --data train.data --valid valid.data --out run/"
    )]
    Train(Box<train::Args>),
    /// Looks at files of networks.
    #[command(subcommand, after_help = "Example:\n  sextant-tune net info net.nnue")]
    Net(net::Command),
    #[command(
        after_help = "Examples:\n  sextant-tune match my.toml default --games 1000 --concurrency 4\n  sextant-tune match my.toml default --sprt 0 5 --book book.epd --state test.state --max-time 8h\n  sextant-tune match default --engine 'cmd=stockfish option.Hash=16 nodes=20k'\n\nCtrl-C ends it with the result so far; `kill -USR1 PID` shows that and plays on."
    )]
    Match(Box<matches::Args>),
    #[command(
        after_help = "Examples:\n  sextant-tune suite tactics.epd\n  sextant-tune suite tactics.epd --nodes 200k --config my.toml --against default"
    )]
    Suite(suite::Args),
    /// Learns prices of moves from the engine's own searches.
    #[command(
        after_help = "Example:\n  sextant-tune fit games.vf --samples samples --out priced.toml --threads 4"
    )]
    Fit(Box<fit::Args>),
    /// Tunes numbers of a config by games.
    #[command(
        after_help = "Examples:\n  sextant-tune spsa --state run.toml --keys 'pruning.*' --concurrency 4 --max-time 8h\n  sextant-tune spsa --resume run.toml\n  sextant-tune spsa --show run.toml            the values now, also while it runs"
    )]
    Spsa(Box<spsa::Args>),
    /// Prints tunables for OpenBench or weather-factory, which tune on many machines.
    #[command(after_help = "Example:\n  sextant-tune openbench --keys 'pruning.*'")]
    Openbench(openbench::Args),
    /// Takes the result of a run on OpenBench into a config.
    #[command(after_help = "Example:\n  sextant-tune import result.txt --into my.toml")]
    Import(openbench::ImportArgs),
    /// Prints the script by which a shell completes arguments.
    #[command(
        after_help = "Example:\n  sextant-tune completions fish > ~/.config/fish/completions/sextant-tune.fish"
    )]
    Completions(Completions),
    /// Writes the man pages.
    #[command(hide = true, after_help = "Example:\n  sextant-tune man target/man")]
    Man(ManPages),
}

fn main() -> ExitCode {
    output::report("sextant-tune", run())
}

fn run() -> Result<(), Failure> {
    match Cli::parse().command {
        Command::Datagen(args) => datagen::run(&args),
        Command::Data(command) => data::run(&command),
        Command::Train(args) => train::run(&args),
        Command::Net(command) => net::run(&command),
        Command::Match(args) => matches::run(&args),
        Command::Suite(args) => suite::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Spsa(args) => spsa::run(&args),
        Command::Openbench(args) => openbench::run(&args),
        Command::Import(args) => openbench::import(&args),
        Command::Completions(shell) => shell.print(Cli::command()),
        Command::Man(pages) => pages.write(Cli::command()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_help_shows_an_example() {
        let without = sextant_cli::manual::without_example(&Cli::command());
        assert!(without.is_empty(), "{without:?}");
    }
}
