//! The binary `sextant-lab`: what the sources claim, run again.
//!
//! [`game`] and [`textbook`] are teaching material: small games and the classic searches over them,
//! each written once; [`hal`] is the program of one paper. [`experiments`] holds a module for each
//! claim; everything else turns their [`report::Report`]s into text, HTML, CSV and JSON.

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

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use experiment::{Experiment, Settings};
use sextant_cli::{
    failure::Failure,
    output::{print, report},
};

#[derive(Parser)]
#[command(
    name = "sextant-lab",
    version,
    about = "Runs the claims of Sextant's sources again"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lists the experiments and what they claim.
    List,
    /// Runs some experiments and prints their reports.
    Run {
        /// Names of experiments, as `sextant-lab list` shows them.
        #[arg(required = true)]
        names: Vec<String>,
        /// Writes the report into this folder as well, beside what was run with the same settings.
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
        #[command(flatten)]
        settings: Settings,
    },
    /// Runs all experiments and writes one HTML page, and every table as CSV and JSON.
    All {
        /// The folder for the report: new, or with results of the same settings.
        #[arg(long, value_name = "FOLDER", default_value = "report")]
        out: PathBuf,
        #[command(flatten)]
        settings: Settings,
    },
}

fn main() -> ExitCode {
    report("sextant-lab", run())
}

fn run() -> Result<(), Failure> {
    match Cli::parse().command {
        Command::List => list(),
        Command::Run {
            names,
            out,
            settings,
        } => runner::run(&choose(&names)?, &settings.context()?, out.as_deref(), true),
        Command::All { out, settings } => {
            runner::run(&experiments::ALL, &settings.context()?, Some(&out), false)
        }
    }
}

/// The experiments of these names, each once.
fn choose(names: &[String]) -> Result<Vec<&'static Experiment>, Failure> {
    let mut chosen: Vec<&Experiment> = Vec::new();
    for name in names {
        let found = experiments::find(name)?;
        if chosen.iter().all(|other| other.name != found.name) {
            chosen.push(found);
        }
    }
    Ok(chosen)
}

fn list() -> Result<(), Failure> {
    let lines = experiments::ALL.map(|experiment| {
        let Experiment {
            name, title, claim, ..
        } = experiment;
        format!("{name:14} {title}\n{:14} {claim}\n\n", "")
    });
    print(lines.concat())
}
