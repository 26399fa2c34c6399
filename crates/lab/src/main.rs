//! The binary `sextant-lab`: what the sources claim, run again.
//!
//! [`game`] and [`textbook`] are teaching material: small games and the classic searches over them,
//! each written once; [`hal`] is the program of one paper. [`experiments`] holds a module for each
//! claim; everything else turns their [`report::Report`]s into text, HTML, CSV and JSON.

mod endings;
mod engine;
mod experiment;
mod experiments;
mod game;
mod hal;
mod output;
mod positions;
mod report;
mod stats;
mod textbook;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Parser, Subcommand};
use engine::{HASH, setup};
use experiment::{Context, Experiment, Settings};
use experiments::ALL;
use output::{folder::Folder, parts::Parts, recipe::Recipe};
use sextant_cli::{
    failure::Failure,
    hash::{fnv, hex},
    output::{note, print, report},
};
use sextant_search::bench;

#[derive(Parser)]
#[command(
    name = "sextant-lab",
    version,
    about = "Runs the claims of Sextant's sources again",
    after_help = "Example:\n  sextant-lab all --quick --out report      a look at everything, in a minute"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lists the experiments and what they claim.
    #[command(after_help = "Example:\n  sextant-lab list")]
    List,
    /// Runs some experiments and prints their reports.
    #[command(after_help = "Example:\n  sextant-lab run odd-even syzygy --out report")]
    Run {
        /// Names of experiments; they run in the order of `sextant-lab list`.
        #[arg(required = true, value_parser = ALL.map(|experiment| experiment.name))]
        names: Vec<String>,
        /// Writes the report into this folder as well, beside what was run with the same settings.
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
        #[command(flatten)]
        settings: Settings,
    },
    /// Prints the config of a rung of the ladder, by its number from 1, with the prices of 1989.
    #[command(after_help = "Example:\n  sextant-lab rung 1 > rung1.toml")]
    Rung { number: usize },
    /// Runs all experiments that take minutes and writes one HTML page, and every table as CSV and JSON.
    #[command(after_help = "Example:\n  sextant-lab all --out report")]
    All {
        /// The folder for the report: new, or with results of the same settings.
        #[arg(long, value_name = "FOLDER", default_value = "report")]
        out: PathBuf,
        #[command(flatten)]
        settings: Settings,
    },
}

fn main() -> ExitCode {
    report("sextant-lab", carry_out(Cli::parse().command))
}

fn carry_out(command: Command) -> Result<(), Failure> {
    match command {
        Command::List => {
            let lines = ALL.map(|experiment| {
                let (name, title, claim) = (experiment.name, experiment.title, experiment.claim);
                format!("{name:14} {title}\n{:14} {claim}\n\n", "")
            });
            print(lines.concat())
        }
        Command::Rung { number } => {
            let config = number.checked_sub(1).and_then(experiments::ladder::rung);
            let config = config.ok_or_else(|| {
                let count = experiments::ladder::COUNT;
                Failure::usage(format!(
                    "there is no rung {number}; they are numbered from 1 to {count}"
                ))
            });
            print(config??.to_toml())
        }
        Command::Run {
            names,
            out,
            settings,
        } => {
            let is_named = |one: &&Experiment| names.iter().any(|name| name == one.name);
            let chosen: Vec<&Experiment> = ALL.into_iter().filter(is_named).collect();
            run(&chosen, settings.context()?, out.as_deref(), true)
        }
        Command::All { out, settings } => {
            // What takes hours runs by its name; its last result stays on the page.
            let wanted = |one: &&Experiment| settings.quick || !one.takes_hours;
            let chosen: Vec<&Experiment> = ALL.into_iter().filter(wanted).collect();
            run(&chosen, settings.context()?, Some(&out), false)
        }
    }
}

/// Runs `experiments` in turn, and prints whole reports or only the outcomes. With a folder, each
/// one is written there as soon as it is finished, and the page after it, so that an interrupted
/// run loses one experiment at most.
///
/// # Errors
/// At once if the folder cannot be written or holds something else; after all others if some
/// experiments failed (the only one's own error if there was only one), or something could not be
/// printed.
fn run(
    experiments: &[&Experiment],
    mut context: Context,
    out: Option<&Path>,
    prints_whole: bool,
) -> Result<(), Failure> {
    // What the command line names is looked at before hours are spent.
    context.tablebase()?;
    let recipe = recipe(&context)?;
    let open = |root| Folder::open(root, &recipe);
    let mut folder = out.map(open).transpose()?;
    let resumes = context.settings.resume;
    let parts = out.map(|root| Parts::open(root, &recipe, resumes));
    context.parts = parts.transpose()?;
    let context = &context;
    let (mut failed, mut page, mut printed) = (0, None, Ok(()));
    for &experiment in experiments {
        let name = experiment.name;
        let earlier = folder.as_ref().filter(|_| context.settings.resume);
        let earlier = earlier.and_then(|folder| folder.finished(name).cloned());
        let is_new = earlier.is_none();
        note(format_args!(
            "{name}: {}",
            if is_new {
                "running"
            } else {
                "kept from before"
            }
        ));
        let report = match earlier.map_or_else(|| (experiment.run)(context), Ok) {
            Ok(report) => report,
            Err(failure) if experiments.len() == 1 => return Err(failure),
            Err(failure) => {
                note(format_args!("{name}: {failure}"));
                failed += 1;
                continue;
            }
        };
        let text = match prints_whole {
            true => output::text(experiment, &report),
            false => format!("{name:14} {}", report.outcome().words()),
        };
        if let Some(folder) = &mut folder {
            if is_new {
                folder.keep(name, report)?;
            }
            page = Some(folder.write_page(&ALL, &made(context))?);
        }
        // Where this fails the run goes on: its files matter too.
        printed = printed.and(print(format_args!("{text}\n")));
    }
    if failed > 0 {
        let total = experiments.len();
        return Err(Failure::work(format!(
            "{failed} of {total} experiments failed; what was finished is in the report"
        )));
    }
    if let Some(page) = page {
        printed = printed.and(print(format_args!("report: {}\n", page.display())));
    }
    printed
}

/// Depth of the searches that tell engines apart: a fifth of a second. At 5 configs still agree.
const SIGNATURE_DEPTH: u32 = 8;

fn recipe(context: &Context) -> Result<Recipe, Failure> {
    let hash = |path: &Path| Ok::<_, Failure>(hex(fnv(positions::text(path)?.as_bytes())));
    let Context {
        settings, config, ..
    } = context;
    let suite = settings.suite.as_deref().map(hash).transpose()?;
    let setup = setup(config, HASH)?;
    let searched = bench::nodes(
        &bench::short(SIGNATURE_DEPTH),
        setup.config(),
        setup.network().cloned(),
    );
    Ok(Recipe {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        quick: settings.quick,
        seed: settings.seed.to_string(),
        suite: suite.unwrap_or_default(),
        config: hex(config.hash()),
        engine: searched.map_err(Failure::work)?,
        tables: settings.tables.clone().unwrap_or_default(),
    })
}

/// How the run was made, for the head of the page.
fn made(context: &Context) -> String {
    let Context {
        settings, config, ..
    } = context;
    let suite = settings.suite.as_ref();
    let suite = suite.map_or("the built-in positions".into(), |path| {
        path.to_string_lossy()
    });
    format!(
        "sextant-lab {}, {} run, seed {}, {suite}, config {} ({})",
        env!("CARGO_PKG_VERSION"),
        context.sized("quick", "full"),
        settings.seed,
        settings.config,
        hex(config.hash())
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::CommandFactory as _;

    use super::*;
    use crate::experiment::quick;

    #[test]
    fn a_suite_is_known_by_what_it_holds_and_an_engine_by_what_it_finds() {
        let dir = tempfile::tempdir().unwrap();
        let suite = dir.path().join("suite.epd");
        let with = |text: &str, preset: &str| {
            fs::write(&suite, text).unwrap();
            let mut context = quick(1, preset);
            context.settings.suite = Some(suite.clone());
            recipe(&context).unwrap()
        };
        let first = with("4k3/8/8/8/8/8/8/4K3 b - -\n", "default");
        assert_eq!(first, with("4k3/8/8/8/8/8/8/4K3 b - -\n", "default"));
        assert_ne!(first, with("4k3/8/8/8/8/8/8/4K3 w - -\n", "default"));
        let other = with("4k3/8/8/8/8/8/8/4K3 b - -\n", "integer-ply");
        assert_ne!(first.engine, other.engine);
    }

    #[test]
    fn every_help_shows_an_example() {
        let without = sextant_cli::manual::without_example(&Cli::command());
        assert!(without.is_empty(), "{without:?}");
    }
}
