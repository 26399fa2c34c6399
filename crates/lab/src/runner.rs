//! Runs experiments one after the other and keeps what is finished.

use std::{hash::Hasher as _, path::Path};

use fnv::FnvHasher;
use sextant_cli::{
    failure::Failure,
    output::{note, print},
};
use sextant_search::bench;

use crate::{
    engine::{HASH, setup},
    experiment::{Context, Experiment},
    output::{
        self,
        folder::{Folder, Settings},
    },
    positions,
};

/// What becomes of the reports.
pub(crate) struct Target<'a> {
    pub(crate) folder: Option<&'a Path>,
    /// Keep what an earlier run with the same settings has finished of what is asked for.
    pub(crate) resume: bool,
    /// Print whole reports, not only the outcomes.
    pub(crate) print: bool,
}

/// Runs `experiments` in turn. With a folder, each one is written there as soon as it is finished,
/// and the page after it, so that an interrupted run loses one experiment at most.
///
/// # Errors
/// At once if the folder cannot be written or holds something else; after all others if some
/// experiments failed (the only one's own error if there was only one), or something could not be
/// printed.
pub(crate) fn run(
    experiments: &[&Experiment],
    context: &Context,
    target: &Target<'_>,
) -> Result<(), Failure> {
    // What the command line names is looked at before hours are spent.
    context.tablebase()?;
    let settings = settings(context)?;
    let open = |root| Folder::open(root, &settings);
    let mut folder = target.folder.map(open).transpose()?;
    let (mut failures, mut page, mut printed) = (Vec::new(), None, Ok(()));
    for experiment in experiments {
        let name = experiment.name;
        let earlier = folder.as_ref().filter(|_| target.resume);
        let earlier = earlier.and_then(|folder| folder.finished(name).cloned());
        let is_new = earlier.is_none();
        let done = if is_new {
            "running"
        } else {
            "kept from before"
        };
        note(format_args!("{name}: {done}"));
        let report = match earlier.map_or_else(|| (experiment.run)(context), Ok) {
            Ok(report) => report,
            Err(failure) => {
                // The only one's error is the run's.
                if experiments.len() > 1 {
                    note(format_args!("{name}: {failure}"));
                }
                failures.push(failure);
                continue;
            }
        };
        let text = match target.print {
            true => output::text(experiment, &report),
            false => format!("{name:14} {}", report.outcome().words()),
        };
        if let Some(folder) = &mut folder {
            if is_new {
                folder.keep(name, report)?;
            }
            page = Some(folder.write_page(&made(context))?);
        }
        // Where this fails the run goes on: its files matter too.
        printed = printed.and(print(format_args!("{text}\n")));
    }
    if let Some(failure) = failures.pop() {
        return Err(match experiments.len() {
            1 => failure,
            total => Failure::work(format!(
                "{} of {total} experiments failed; what was finished is in the report",
                failures.len() + 1
            )),
        });
    }
    if let Some(page) = page {
        printed = printed.and(print(format_args!("report: {}\n", page.display())));
    }
    printed
}
/// Depth of the searches that tell engines apart: a fifth of a second. At 5 configs still agree.
const SIGNATURE_DEPTH: u32 = 8;

fn settings(context: &Context) -> Result<Settings, Failure> {
    let hash = |path: &Path| {
        let mut hasher = FnvHasher::default();
        hasher.write(positions::text(path)?.as_bytes());
        Ok::<_, Failure>(format!("{:016x}", hasher.finish()))
    };
    let suite = context.suite.as_deref().map(hash).transpose()?;
    let setup = setup(&context.config, HASH)?;
    let searched = bench::nodes(SIGNATURE_DEPTH, setup.config(), setup.network().cloned());
    Ok(Settings {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        quick: context.quick,
        seed: context.seed.to_string(),
        suite: suite.unwrap_or_default(),
        config: format!("{:016x}", context.config.hash()),
        engine: searched.map_err(Failure::work)?,
        tables: context.tables.clone().unwrap_or_default(),
    })
}

/// How the run was made, for the head of the page.
fn made(context: &Context) -> String {
    let positions = context.suite.as_ref().map_or_else(
        || "the built-in positions".to_owned(),
        |suite| suite.display().to_string(),
    );
    format!(
        "sextant-lab {}, {} run, seed {}, {positions}, config {} ({:016x})",
        env!("CARGO_PKG_VERSION"),
        context.sized("quick", "full"),
        context.seed,
        context.config_name,
        context.config.hash()
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use sextant_config::Config;

    use super::*;
    use crate::experiment::quick;

    #[test]
    fn a_suite_is_known_by_what_it_holds_and_an_engine_by_what_it_finds() {
        let dir = tempfile::tempdir().unwrap();
        let suite = dir.path().join("suite.epd");
        let mut context = Context {
            suite: Some(suite.clone()),
            ..quick(1)
        };
        let with = |context: &Context, text: &str| {
            fs::write(&suite, text).unwrap();
            settings(context).unwrap()
        };
        let first = with(&context, "4k3/8/8/8/8/8/8/4K3 b - -\n");
        assert_eq!(first, with(&context, "4k3/8/8/8/8/8/8/4K3 b - -\n"));
        assert_ne!(first, with(&context, "4k3/8/8/8/8/8/8/4K3 w - -\n"));
        context.config = Config::preset("integer-ply").unwrap();
        let other = with(&context, "4k3/8/8/8/8/8/8/4K3 b - -\n");
        assert_ne!(first.engine, other.engine);
        fs::remove_file(&suite).unwrap();
        assert!(settings(&context).is_err());
    }
}
