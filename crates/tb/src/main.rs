//! `sextant-tb`: asks Syzygy tablebases.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod batch;
mod cli;
mod exit;
mod list;
mod pgn;
mod tables;
mod text;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};
use serde::Serialize;
use sextant_board::parse_loose_fen;
use sextant_cli::{failure::Failure, output};
use sextant_syzygy::{
    ProbeError, Tablebase,
    json::{Answer, Line},
};

use cli::{Cli, Command, ProbeArgs};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => output::report("sextant-tb", Err(failure)),
    }
}

/// Runs a command; returns its exit code.
fn run(cli: &Cli) -> Result<u8, Failure> {
    let wdl_only = cli.tables.wdl_only;
    let tables = || tables::open(&cli.tables);
    match &cli.command {
        Command::Probe(args) => probe(&tables()?, args, wdl_only),
        Command::Batch(args) => batch::run(&tables()?, args),
        Command::List(args) => list::run(&tables()?, args, wdl_only),
        Command::Verify(args) => verify::run(&tables()?, args),
        Command::Completions(shell) => shell.print(Cli::command()).map(|()| 0),
        Command::Man(pages) => pages.write(Cli::command()).map(|()| 0),
        Command::Serve { .. } => Err(Failure::usage(SERVE_MOVED)),
    }
}

const SERVE_MOVED: &str = "the server is a program of its own: sextant-web --path DIR --bind ADDRESS:PORT \
     (cargo run --release -p sextant-web -- --path DIR)";

/// Pretty JSON with a final newline.
fn json_text(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// One position, in the form that the arguments ask for.
fn probe(tables: &Tablebase, args: &ProbeArgs, wdl_only: bool) -> Result<u8, Failure> {
    if wdl_only && (args.mainline || args.pgn) {
        return Err(Failure::usage(
            "a main line needs DTZ tables; leave --wdl-only out",
        ));
    }
    let board = parse_loose_fen(&args.fen.join(" "))
        .map_err(|error| Failure::with_code(exit::BAD_POSITION, error))?;
    let mut judged = tables.judge(&board);
    if wdl_only && judged.verdict.is_known() {
        // That DTZ tables did not answer is no news.
        judged.verdict.problem = None;
    }
    let text = match (args.json, args.mainline, args.pgn) {
        (true, true, _) => json_text(&Line::of(tables, &board).map_err(exit::failure)?),
        (true, false, _) => json_text(&Answer::from(&judged)),
        (_, _, true) => pgn::game(tables, &board, &judged),
        (_, true, _) => text::main_line(tables, &board).map_err(exit::failure)?,
        _ => text::report(tables, &board, &judged),
    };
    output::print(text)?;
    match judged.verdict.problem {
        Some(problem) if !judged.verdict.is_known() => Err(unanswered(tables, problem)),
        _ => Ok(0),
    }
}

/// Why there is no answer; of a damaged table, what is wrong with it.
fn unanswered(tables: &Tablebase, problem: ProbeError) -> Failure {
    let ProbeError::Corrupt(id) = problem else {
        return exit::failure(problem);
    };
    let why = tables.table_error(id).map_or_else(
        || "its content does not decode; run sextant-tb verify".into(),
        ToString::to_string,
    );
    Failure::with_code(exit::CORRUPT, format!("no answer: {problem}: {why}"))
}
