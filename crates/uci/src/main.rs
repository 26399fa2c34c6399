//! The chess engine `sextant`: UCI on standard input and output, and tools on the command line.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod analyse;
mod bench;
mod cli;
mod command;
mod compiler;
mod config;
mod control;
mod count;
mod error;
mod format;
mod genfens;
mod go;
mod input;
mod networks;
mod options;
mod output;
mod position;
mod session;
mod setup;
mod speedtest;
mod tables;
mod text;

fn main() -> std::process::ExitCode {
    cli::run()
}
