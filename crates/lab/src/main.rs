//! The binary `sextant-lab`: what the sources claim, run again.
//!
//! [`game`] and [`textbook`] are teaching material: small games and the classic searches over them,
//! each written once; [`hal`] is the program of one paper. [`experiments`] holds a module for each
//! claim; everything else turns their [`report::Report`]s into text, HTML, CSV and JSON.

mod cli;
mod engine;
mod experiment;
mod experiments;
mod game;
mod hal;
mod output;
mod positions;
mod random;
mod report;
mod runner;
mod stats;
mod textbook;

use std::process::ExitCode;

fn main() -> ExitCode {
    sextant_cli::output::report("sextant-lab", cli::run())
}
