//! The binary `sextant-tune`: games for training, work on them, training; matches and tuning.

// They panic where nobody reads along any more; `sextant_cli::output` does not.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod base;
mod cli;
mod data;
mod datagen;
mod engine;
mod fit;
mod hash;
mod import;
mod keys;
mod matches;
mod net;
mod openbench;
mod ordered;
mod overrides;
mod spsa;
mod suite;
mod train;
mod viriformat;
mod within;

use std::process::ExitCode;

use sextant_cli::output;

fn main() -> ExitCode {
    output::report("sextant-tune", cli::run())
}
