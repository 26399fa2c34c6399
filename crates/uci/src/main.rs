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
mod pace;
mod perft;
mod position;
mod queue;
mod resources;
mod session;

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
    sync::Arc,
    thread,
};

use clap::{CommandFactory, Parser, Subcommand};
use sextant_cli::{
    files::FileError,
    manual::{Completions, ManPages},
};
use sextant_config::{clip, nearest};

use crate::{
    command::{Immediate, Task},
    error::Failure,
    options::Setup,
    output::Output,
    session::Session,
};

/// A chess engine with a search budget per side.
///
/// Without a subcommand it speaks UCI on standard input and output, for a chess GUI. Any UCI
/// command can also be given as arguments, or several, each in quotation marks.
#[derive(Debug, Parser)]
#[command(name = "sextant", version = about::VERSION, args_conflicts_with_subcommands = false)]
#[command(after_help = "\
Examples:
  sextant                                    speak UCI; type help
  sextant analyze startpos --movetime 5s     look at a position
  sextant go depth 12
  sextant \"position startpos moves e2e4\" \"go movetime 500\"
  sextant -o Hash=256 -o Threads=4 bench")]
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
    #[command(
        after_help = "Examples:\n  sextant bench\n  sextant bench 64 4 1000 default movetime"
    )]
    Bench(bench::Request),
    /// Measure speed with the threads and the table that are set.
    #[command(after_help = "Example:\n  sextant -o Threads=4 -o Hash=256 speedtest 30")]
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
    #[command(
        after_help = "Examples:\n  sextant perft 6\n  sextant perft 3 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -"
    )]
    Perft {
        /// Length of the lines in plies.
        #[arg(value_parser = clap::value_parser!(u32).range(0..=go::MAX_PERFT.into()))]
        depth: u32,
        /// The position; the initial one if none is given.
        fen: Vec<String>,
    },
    /// Show the static evaluation of a position.
    #[command(
        after_help = "Example:\n  sextant eval r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq -"
    )]
    Eval {
        /// The position; the initial one if none is given.
        fen: Vec<String>,
    },
    /// Show how the program was built.
    #[command(after_help = "Example (for reports of bugs):\n  sextant compiler")]
    Compiler,
    /// Show, compare and check configs.
    #[command(
        subcommand,
        after_help = "Example:\n  sextant config show extensions.recapture"
    )]
    Config(config::Command),
    /// Print the script by which a shell completes arguments.
    #[command(
        after_help = "Example:\n  sextant completions bash > ~/.local/share/bash-completion/completions/sextant"
    )]
    Completions(Completions),
    /// Write the man pages.
    #[command(hide = true, after_help = "Example:\n  sextant man target/man")]
    Man(ManPages),
    /// Any UCI command.
    #[command(external_subcommand)]
    Uci(Vec<String>),
}

fn main() -> ExitCode {
    let ended = run(Cli::parse()).map_err(with_exit_code);
    sextant_cli::output::report("sextant", ended)
}

/// What has no exit code of its own was asked for in the wrong way.
fn with_exit_code(error: Failure) -> sextant_cli::failure::Failure {
    error.downcast().map_or_else(
        |error| match error.downcast::<FileError>() {
            Ok(error) => (*error).into(),
            Err(error) => sextant_cli::failure::Failure::usage(error.to_string()),
        },
        |failure| *failure,
    )
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
            let position = position::of(&fen)?;
            let chess960 = cli.setup.settings()?.style.chess960;
            perft::run(&position, depth, chess960, &output);
        }
        Tool::Eval { fen } => {
            let position = position::of(&fen)?;
            session()?.at(position).run_immediate(Immediate::Eval)?;
        }
        Tool::Compiler => output.line(about::describe()),
        Tool::Config(command) => config::run(&command, &cli.setup, &output)?,
        Tool::Uci(words) => match words.first().map(String::as_str) {
            Some(
                "match" | "suite" | "fit" | "spsa" | "datagen" | "data" | "train" | "net"
                | "openbench" | "import",
            ) => return Err(format!("use `sextant-tune {}`", words.join(" ")).into()),
            Some("probe" | "batch" | "verify") => {
                return Err(format!("use `sextant-tb {}`", words.join(" ")).into());
            }
            Some("serve") => return Err("use `sextant-web`".into()),
            Some(word) if !is_known(word) => return Err(unknown(word).into()),
            _ => run_words(session()?, &words)?,
        },
        Tool::Completions(shell) => shell.print(Cli::command())?,
        Tool::Man(pages) => pages.write(Cli::command())?,
    }
    Ok(output.written()?)
}

/// Is it a UCI command, or a line that begins with one?
fn is_known(text: &str) -> bool {
    let word = text.split_whitespace().next();
    word.is_none_or(|word| word.starts_with('#') || command::names().any(|name| name == word))
}

/// What to say of a word that neither the command line nor UCI knows.
fn unknown(word: &str) -> String {
    let program = Cli::command();
    let tools = program.get_subcommands().filter(|tool| !tool.is_hide_set());
    let names = tools.flat_map(|tool| {
        let aliases = tool.get_visible_aliases().map(str::to_owned);
        aliases.chain([tool.get_name().to_owned()])
    });
    let known = names.chain(command::names().map(str::to_owned));
    format!(
        "unknown command {:?}{}; `sextant --help` lists the commands",
        clip(word),
        error::hint(&nearest(word, known))
    )
}

fn speak_uci(mut session: Session, output: Arc<Output>) -> Result<(), Failure> {
    if io::stdin().is_terminal() {
        let name = about::name();
        output.line(format_args!("{name}: type help for a list of commands"));
    }
    let control = session.control();
    let (queue, jobs) = queue::queue();
    // Not joined: should the session ever fail, the process must not wait for a line of input.
    thread::spawn(move || input::read_lines(io::stdin().lock(), &control, &output, queue));
    session.run(jobs);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_help_shows_an_example() {
        let without = sextant_cli::manual::without_example(&Cli::command());
        assert!(without.is_empty(), "{without:?}");
    }
}
