//! The command line: without a subcommand the program speaks UCI.

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
    sync::Arc,
    thread,
};

use clap::{Parser, Subcommand};
use sextant_board::Position;
use sextant_search::Engine;

use crate::{
    analyse, bench, compiler, config, count, error::Failure, input, options::Settings,
    output::Output, position, session::Session, setup::Setup, speedtest, tables, text,
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
    task: Option<Task>,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Search a set of positions: the signature (without operands) and the speed.
    Bench(bench::Request),
    /// Measure speed with the threads and the table that are set.
    Speedtest {
        /// How long.
        #[arg(value_parser = clap::value_parser!(u32).range(1..=3600))]
        seconds: Option<u32>,
    },
    /// Search a position and show board, lines and more.
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Args),
    /// Count the legal lines from a position, by root move.
    Perft {
        /// Length of the lines in plies.
        #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
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
    Config(config::Task),
    /// Any UCI command.
    #[command(external_subcommand)]
    Uci(Vec<String>),
}

/// Runs what the arguments ask for.
pub(crate) fn run() -> ExitCode {
    let ended = dispatch(Cli::parse());
    let ended = ended.map_err(|error| match error.downcast() {
        Ok(failure) => *failure,
        // What has no exit code of its own was asked for in the wrong way.
        Err(error) => sextant_cli::failure::Failure::usage(error.to_string()),
    });
    sextant_cli::output::report("sextant", ended)
}

fn dispatch(cli: Cli) -> Result<(), Failure> {
    let tune = cli.tune || cfg!(feature = "tune");
    let output = Output::stdout();
    let Some(task) = cli.task else {
        return speak_uci(cli.setup.settings()?, tune);
    };
    match task {
        Task::Bench(request) => {
            let config = request.config(&cli.setup.settings()?.config);
            let mut engine = tables::engine(config)?;
            let begin = armed(&engine);
            bench::run(
                &request,
                &mut engine,
                &Position::startpos(),
                &begin,
                &output,
            )?;
        }
        Task::Speedtest { seconds } => {
            let mut engine = tables::engine(cli.setup.settings()?.config)?;
            let begin = armed(&engine);
            speedtest::run(&mut engine, seconds, &begin, &output);
        }
        Task::Analyse(args) => analyse::run(&args, cli.setup.settings()?, &output)?,
        Task::Perft { depth, fen } => {
            let chess960 = cli.setup.settings()?.style.chess960;
            let position = position::of(fen.as_deref())?;
            if let Some(total) = count::divide(&position, depth, chess960, &output, &|| false) {
                output.line(total);
            }
        }
        Task::Eval { fen } => {
            let position = position::of(fen.as_deref())?;
            let engine = tables::engine(cli.setup.settings()?.config)?;
            output.line(text::evaluation(&position, &engine));
        }
        Task::Compiler => output.line(compiler::describe()),
        Task::Config(task) => config::run(&task, &cli.setup, &output)?,
        Task::Uci(words)
            if words
                .first()
                .is_some_and(|word| word == "match" || word == "suite") =>
        {
            return Err(format!("use `sextant-tune {}`", words.join(" ")).into());
        }
        Task::Uci(words) => return run_words(&words, cli.setup.settings()?, tune, output),
    }
    Ok(output.written()?)
}

/// Arms the engine for one more search that nobody will stop.
fn armed(engine: &Engine) -> impl Fn() -> bool + use<> {
    let signals = engine.signals();
    move || {
        signals.arm(false);
        true
    }
}

fn speak_uci(settings: Settings, tune: bool) -> Result<(), Failure> {
    let output = Arc::new(Output::stdout());
    let mut session = Session::new(settings, tune, output.clone())?;
    if io::stdin().is_terminal() {
        output.line(format_args!(
            "{}: type help for a list of commands",
            compiler::name()
        ));
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
fn run_words(
    words: &[String],
    settings: Settings,
    tune: bool,
    output: Output,
) -> Result<(), Failure> {
    let output = Arc::new(output);
    let mut session = Session::new(settings, tune, output.clone())?;
    if words
        .iter()
        .any(|word| word.trim().contains(char::is_whitespace))
    {
        for line in words {
            session.run_line(line)?;
        }
    } else {
        session.run_line(&words.join(" "))?;
    }
    Ok(output.written()?)
}
