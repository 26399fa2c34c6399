//! The binary `sextant-tune`: training data from the engine's own games.

// They panic where nobody reads along any more; `say` does not.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod base;
mod cli;
mod data;
mod datagen;
mod display;
mod engine;
mod failure;
mod fit;
mod games;
mod hash;
mod import;
mod in_order;
mod interrupt;
mod keys;
mod net;
mod openbench;
mod same_file;
mod say;
mod spsa;
mod train;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say::note(format_args!("sextant-tune: {failure}"));
            failure.exit_code()
        }
    }
}
