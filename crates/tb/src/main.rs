//! `sextant-tb`: asks Syzygy tablebases.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod batch;
mod cli;
mod compare;
mod failure;
mod json;
mod judge;
mod list;
mod notation;
mod page;
mod pgn;
mod position;
mod progress;
mod serve;
mod stats;
mod tables;
mod text;
mod verify;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command, ProbeArgs};
use failure::Failure;
use sextant_syzygy::{ProbeError, Tablebase};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli) {
        Ok(code) => code,
        Err(failure) => {
            let _ = writeln!(std::io::stderr(), "sextant-tb: {failure}");
            failure.exit_code()
        }
    }
}

fn run(cli: &Cli) -> Result<ExitCode, Failure> {
    let open = || tables::open(&cli.tables);
    match &cli.command {
        Command::Probe(args) => probe(&open()?, args),
        Command::Batch(args) => batch::run(&open()?, args),
        Command::List(args) => list::run(&open()?, args),
        Command::Verify(args) => verify::run(&open()?, args),
        Command::Stats(args) => stats::run(&open()?, args),
        Command::Compare(args) => compare::run(&tables::open_pyrrhic(&cli.tables)?, args),
        Command::Serve(args) => serve::run(open()?, args),
    }
}

/// One position, in the form that the arguments ask for.
fn probe(tables: &Tablebase, args: &ProbeArgs) -> Result<ExitCode, Failure> {
    let board = position::parse(&args.fen.join(" "))?;
    let judged = judge::judge(tables, &board);
    let output = match (args.json, args.mainline, args.pgn) {
        (true, true, _) => json::print(&json::main_line(tables, &board)?),
        (true, false, _) => json::print(&json::response(&judged)),
        (_, _, true) => pgn::game(tables, &board, &judged),
        (_, true, _) => text::main_line(tables, &board)?,
        _ => text::report(tables, &board, &judged),
    };
    print_all(&output)?;
    match judged.verdict.problem {
        Some(problem) if !judged.verdict.is_known() => Err(match problem {
            ProbeError::Corrupt(id) => Failure::Damaged {
                problem,
                why: tables.table_error(id).map_or_else(
                    || "its content does not decode; run sextant-tb verify".into(),
                    ToString::to_string,
                ),
            },
            _ => Failure::Probe(problem),
        }),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Writes to stdout; a closed pipe is the reader's way to say that he has enough.
fn print_all(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|source| Failure::Io {
            what: "stdout".into(),
            source,
        }),
    }
}
