//! The chess engine `sextant`: UCI on standard input and output, and tools on the command line.
//!
//! A library only so that `sextant-tune match` and `sextant match` are one program: everything but
//! [`run`], [`exit_code`], [`matches`] and [`whole_file`] is private.

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
mod cmd_match;
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
mod speedtest;
mod suite;
mod tables;
mod text;
pub mod whole_file;

pub use cli::run;
pub use error::exit_code;

/// Games between two configs in one process or, with clocks, through fastchess.
pub mod matches {
    pub use crate::cmd_match::{Args, run_alone as run};
}
