//! The chess engine `sextant`: UCI on standard input and output, and tools on the command line.

// As a fuzz target it has another entry.
#![cfg_attr(fuzzing, no_main, allow(dead_code))]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod about;
mod analyse;
mod annotate;
mod bench;
mod command;
mod config;
mod control;
mod error;
mod format;
#[cfg(fuzzing)]
mod fuzz;
mod genfens;
mod go;
mod html;
mod input;
mod options;
mod output;
mod perft;
mod position;
mod resources;
mod session;

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
    sync::Arc,
    thread,
};

use clap::{Parser, Subcommand};

use crate::{
    command::{Immediate, Task},
    error::Failure,
    go::GoRequest,
    options::Setup,
    output::Output,
    session::Session,
};

/// A chess engine with a search budget per side.
///
/// Without a subcommand it speaks UCI on standard input and output, for a chess GUI. Any UCI
/// command can also be given as arguments: `sextant go depth 12`, or several, each in quotation
/// marks: `sextant "position startpos moves e2e4" "go movetime 500"`.
#[derive(Debug, Parser)]
#[command(name = "sextant", version, args_conflicts_with_subcommands = false)]
struct Cli {
    #[command(flatten)]
    setup: Setup,
    /// Let `uci` list every tunable as an option, for tuners. They can always be set.
    #[arg(long)]
    tune: bool,
    #[command(subcommand)]
    tool: Option<Tool>,
}

#[derive(Debug, Subcommand)]
enum Tool {
    /// Search a set of positions: the signature (without operands) and the speed.
    Bench(bench::Request),
    /// Measure speed with the threads and the table that are set.
    Speedtest {
        /// How long.
        #[arg(value_parser = clap::value_parser!(u32).range(1..=bench::MAX_SPEEDTEST.into()))]
        seconds: Option<u32>,
    },
    /// Search a position and show board, lines and more.
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Args),
    Annotate(annotate::Args),
    /// Count the legal lines from a position, by root move.
    Perft {
        /// Length of the lines in plies.
        #[arg(value_parser = clap::value_parser!(u32).range(0..=go::MAX_PERFT.into()))]
        depth: u32,
        /// The position; the initial one if none is given.
        fen: Option<String>,
    },
    /// Show the static evaluation of a position.
    Eval {
        /// The position; the initial one if none is given.
        fen: Option<String>,
    },
    /// Show how the program was built.
    Compiler,
    /// Show, compare and check configs.
    #[command(subcommand)]
    Config(config::Command),
    /// Any UCI command.
    #[command(external_subcommand)]
    Uci(Vec<String>),
}

fn main() -> ExitCode {
    let ended = run(Cli::parse()).map_err(|error| match error.downcast() {
        Ok(failure) => *failure,
        // What has no exit code of its own was asked for in the wrong way.
        Err(error) => sextant_cli::failure::Failure::usage(error.to_string()),
    });
    sextant_cli::output::report("sextant", ended)
}

fn run(cli: Cli) -> Result<(), Failure> {
    let output = Arc::new(Output::stdout());
    let tune = cli.tune || cfg!(feature = "tune");
    let session = || -> Result<Session, Failure> {
        Ok(Session::new(cli.setup.settings()?, tune, output.clone())?)
    };
    let Some(tool) = cli.tool else {
        return speak_uci(session()?, output);
    };
    match tool {
        Tool::Bench(request) => session()?.run_task(Task::Bench(request))?,
        Tool::Speedtest { seconds } => session()?.run_task(Task::Speedtest(seconds))?,
        Tool::Analyse(args) => analyse::run(&args, cli.setup.settings()?, &output)?,
        Tool::Annotate(args) => annotate::run(&args, cli.setup.settings()?)?,
        Tool::Perft { depth, fen } => {
            let position = position::of(fen.as_deref())?;
            let perft = Task::Go(GoRequest::perft(depth));
            session()?.at(position).run_task(perft)?;
        }
        Tool::Eval { fen } => {
            let position = position::of(fen.as_deref())?;
            session()?.at(position).run_immediate(Immediate::Eval)?;
        }
        Tool::Compiler => output.line(about::describe()),
        Tool::Config(command) => config::run(&command, &cli.setup, &output)?,
        Tool::Uci(words) => match words.first().map(String::as_str) {
            Some("match" | "suite") => {
                return Err(format!("use `sextant-tune {}`", words.join(" ")).into());
            }
            _ => run_words(session()?, &words)?,
        },
    }
    Ok(output.written()?)
}

fn speak_uci(mut session: Session, output: Arc<Output>) -> Result<(), Failure> {
    if io::stdin().is_terminal() {
        let name = about::name();
        output.line(format_args!("{name}: type help for a list of commands"));
    }
    let control = session.control();
    let (sender, jobs) = crossbeam::channel::unbounded();
    // Not joined: should the session ever fail, the process must not wait for a line of input.
    thread::spawn(move || input::read_lines(io::stdin().lock(), &control, &output, sender));
    session.run(&jobs);
    Ok(())
}

/// Runs UCI commands given as arguments: each argument is a command if one of them holds a space,
/// else all of them together are one.
fn run_words(mut session: Session, words: &[String]) -> Result<(), Failure> {
    let is_line = |word: &String| word.trim().contains(char::is_whitespace);
    if words.iter().any(is_line) {
        return words.iter().try_for_each(|line| session.run_line(line));
    }
    session.run_line(&words.join(" "))
}
