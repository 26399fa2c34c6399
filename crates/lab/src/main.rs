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

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, Parser, Subcommand};
use sextant_cli::{
    failure::Failure,
    output::{print, report},
};
use sextant_config::Config;

use experiment::{Context, Experiment};
use runner::Target;

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

#[derive(Args)]
struct Settings {
    /// A run of seconds instead of minutes, for continuous integration.
    #[arg(long)]
    quick: bool,
    /// Keeps the experiments that an interrupted run with the same settings has finished.
    #[arg(long)]
    resume: bool,
    /// Fixes everything that is left to chance.
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    seed: u64,
    /// Chess positions to use instead of the built-in ones: one FEN or EPD a line. Lines with best
    /// moves are also the problems of `sex-algorithm`.
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
    /// The engine's configuration: a file or the name of a preset. `odd-even` and `sex-algorithm`
    /// compare it with presets of their own; what runs on textbook algorithms or in HAL has none.
    #[arg(long, value_name = "FILE|PRESET", default_value = "default")]
    config: String,
    /// Folders with Syzygy tables, separated as in SyzygyPath.
    #[arg(long, value_name = "FOLDERS")]
    tables: Option<String>,
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
        } => carry_out(&choose(&names)?, out.as_deref(), settings, true),
        Command::All { out, settings } => carry_out(&experiments::ALL, Some(&out), settings, false),
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

fn carry_out(
    chosen: &[&Experiment],
    out: Option<&Path>,
    settings: Settings,
    print: bool,
) -> Result<(), Failure> {
    let context = Context {
        quick: settings.quick,
        seed: settings.seed,
        suite: settings.suite,
        config: Config::load(&settings.config).map_err(Failure::usage)?,
        config_name: settings.config,
        tables: settings.tables,
    };
    let target = Target {
        folder: out,
        resume: settings.resume,
        print,
    };
    runner::run(chosen, &context, &target)
}
