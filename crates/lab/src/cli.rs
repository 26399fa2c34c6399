//! The command line.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use sextant_config::Config;
use sextant_lab::error::LabError;
use sextant_lab::experiment::{Context, Experiment};
use sextant_lab::experiments;
use sextant_lab::hal::dialogue::Dialogue;
use sextant_lab::output::text;
use sextant_lab::runner::{self, Event, Target};

use crate::progress::Bar;
use crate::say::{Paper, tell};

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
    /// Talks with HAL, the program of Wheeler's paper, and plays against it.
    Hal {
        /// What to say; without any, sentences are read from standard input, one a line.
        sentences: Vec<String>,
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

/// Runs what the command line asks for.
pub(crate) fn run() -> Result<(), LabError> {
    match Cli::parse().command {
        Command::List => list(),
        Command::Run {
            names,
            out,
            settings,
        } => carry_out(&choose(&names)?, out, &settings, true),
        Command::Hal { sentences } => talk(&sentences),
        Command::All { out, settings } => carry_out(experiments::ALL, Some(out), &settings, false),
    }
}

/// The experiments of these names, each once.
fn choose(names: &[String]) -> Result<Vec<&'static dyn Experiment>, LabError> {
    let mut chosen: Vec<&dyn Experiment> = Vec::new();
    for name in names {
        let found = experiments::find(name)?;
        if chosen.iter().all(|other| other.name() != found.name()) {
            chosen.push(found);
        }
    }
    Ok(chosen)
}

/// 2 where the command line was at fault, 1 otherwise.
pub(crate) fn exit_code(error: &LabError) -> ExitCode {
    let usage = matches!(
        error,
        LabError::UnknownExperiment { .. } | LabError::Config { .. }
    );
    ExitCode::from(if usage { 2 } else { 1 })
}

fn list() -> Result<(), LabError> {
    let mut paper = Paper::default();
    for experiment in experiments::ALL {
        paper.say(&format!("{:14} {}", experiment.name(), experiment.title()));
        paper.say(&format!("{:14} {}\n", "", experiment.claim()));
    }
    paper.end()
}

fn talk(sentences: &[String]) -> Result<(), LabError> {
    let mut paper = Paper::default();
    let mut hal = Dialogue::default();
    let mut hear = |sentence: &str| {
        let reply = hal.hear(sentence);
        paper.say(&reply.text);
        !reply.over
    };
    if sentences.is_empty() {
        let mut lines = io::stdin().lines().map_while(Result::ok);
        while lines
            .next()
            .is_some_and(|line| line.trim().is_empty() || hear(&line))
        {}
    } else {
        let _ = sentences.iter().all(|sentence| hear(sentence));
    }
    paper.end()
}

fn carry_out(
    chosen: &[&dyn Experiment],
    out: Option<PathBuf>,
    settings: &Settings,
    print: bool,
) -> Result<(), LabError> {
    let bar = Bar::default();
    let context = Context {
        quick: settings.quick,
        seed: settings.seed,
        suite: settings.suite.clone(),
        config: Config::load(&settings.config).map_err(LabError::config)?,
        config_name: settings.config.clone(),
        tables: settings.tables.clone(),
        progress: &bar,
    };
    let target = out.as_ref().map(|folder| Target {
        folder,
        resume: settings.resume,
    });
    let mut paper = Paper::default();
    let page = runner::run(chosen, &context, target.as_ref(), &mut |event| {
        bar.clear();
        match event {
            Event::Begins(experiment) => tell(&format!("{}: running", experiment.name())),
            Event::Kept(experiment) => tell(&format!("{}: kept from before", experiment.name())),
            // The only one's error is the run's.
            Event::Failed(..) if chosen.len() == 1 => {}
            Event::Failed(experiment, error) => tell(&format!("{}: {error}", experiment.name())),
            Event::Finished(experiment, report) if print => {
                paper.say(&text::report(experiment, report));
            }
            Event::Finished(experiment, report) => {
                paper.say(&format!(
                    "{:14} {}",
                    experiment.name(),
                    report.verdict.outcome.words()
                ));
            }
        }
    });
    bar.clear();
    if let Some(page) = page? {
        paper.say(&format!("report: {}", page.display()));
    }
    paper.end()
}
