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

use clap::{Parser, Subcommand};
use sextant_cli::{failure::Failure, hash, output};

#[derive(Parser)]
#[command(
    name = "sextant-tune",
    version,
    about = "Matches, tuning, training data and network training for Sextant"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays games against itself and writes them down.
    Datagen(datagen::Args),
    /// Looks at, joins, mixes and converts files of games.
    #[command(subcommand)]
    Data(data::Command),
    /// Trains a network on converted positions.
    Train(Box<train::Args>),
    /// Looks at files of networks.
    #[command(subcommand)]
    Net(net::Command),
    Match(Box<matches::Args>),
    Suite(suite::Args),
    /// Learns prices of moves from the engine's own searches.
    Fit(Box<fit::Args>),
    /// Tunes numbers of a config by games.
    Spsa(Box<spsa::Args>),
    /// Prints tunables for OpenBench or weather-factory, which tune on many machines.
    Openbench(openbench::Args),
    /// Takes the result of a run on OpenBench into a config.
    Import(openbench::ImportArgs),
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
    }
}
