//! What the programs around the engine share: how they print, show progress, fail, write and read
//! files, hash them, resume a long run, react to signals, draw charts, and document themselves. A leaf: it knows no
//! chess.
//!
//! A program's `main` in full:
//!
//! ```no_run
//! use sextant_cli::{failure::Failure, files, output};
//!
//! fn main() -> std::process::ExitCode {
//!     output::report("sextant-example", run())
//! }
//!
//! fn run() -> Result<(), Failure> {
//!     let text = files::read_text("positions.epd".as_ref(), files::MIB)?;
//!     output::print(format_args!("{} lines\n", text.lines().count()))
//! }
//! ```

// They panic where nobody reads along any more; `output` does not.
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod amount;
pub mod append_file;
pub mod chart;
pub mod failure;
pub mod files;
pub mod hash;
pub mod journal;
pub mod manual;
pub mod output;
pub mod progress;
pub mod signals;
pub mod terminal;
