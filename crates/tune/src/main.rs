//! The binary `sextant-tune`: training data from the engine's own games.

// They panic where nobody reads along any more; `sextant_cli::output` does not.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod base;
mod cli;
mod data;
mod datagen;
mod engine;
mod fit;
mod games;
mod hash;
mod import;
mod in_order;
mod keys;
mod net;
mod openbench;
mod spsa;
mod train;

use std::process::ExitCode;

// What moves to these names next.
mod failure {
    pub(crate) use sextant_cli::failure::Failure;
}
mod interrupt {
    pub(crate) use sextant_cli::signals::{flag, is_interrupted as is_set};
}
mod same_file {
    pub(crate) use sextant_cli::files::is_same;
}
mod say {
    pub(crate) use sextant_cli::output::{counted, note, print as out};
}

fn main() -> ExitCode {
    sextant_cli::failure::report("sextant-tune", cli::run())
}
