//! Runs experiments one after the other and keeps what is finished.

use std::path::{Path, PathBuf};

use sextant_search::bench;

use crate::engine::small;
use crate::error::LabError;
use crate::experiment::{Context, Experiment};
use crate::experiments::ALL;
use crate::output::files::{Folder, Settings};
use crate::output::html::Section;
use crate::positions;
use crate::report::Report;
use crate::tables;

/// What a run tells while it goes on.
pub enum Event<'a> {
    /// An experiment begins.
    Begins(&'a dyn Experiment),
    /// An experiment was finished in an earlier run and is taken from there.
    Kept(&'a dyn Experiment),
    /// An experiment is finished.
    Finished(&'a dyn Experiment, &'a Report),
    /// An experiment failed; the run goes on.
    Failed(&'a dyn Experiment, &'a LabError),
}

/// Where a run leaves its report, and whether it takes up an earlier one.
#[derive(Clone, Debug)]
pub struct Target<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// Keep what an earlier run with the same settings has finished of what is asked for.
    pub resume: bool,
}

/// Runs `experiments` in turn. With a `target`, each one is written there as soon as it is
/// finished, and the page after it, so that an interrupted run loses one experiment at most.
///
/// Returns the page's path if there is one.
///
/// # Errors
/// At once if the folder cannot be written or holds something else; after all others if some experiments failed (the
/// only one's own error if there was only one).
pub fn run(
    experiments: &[&dyn Experiment],
    context: &Context<'_>,
    target: Option<&Target<'_>>,
    tell: &mut dyn FnMut(Event<'_>),
) -> Result<Option<PathBuf>, LabError> {
    // What the command line names is looked at before hours are spent.
    tables::open(context)?;
    let settings = settings(context)?;
    let made = made(context);
    let folder = target
        .map(|target| Folder::create(target.folder, settings))
        .transpose()?;
    let resume = target.is_some_and(|target| target.resume);
    let mut done = folder
        .as_ref()
        .map_or_else(Vec::new, |folder| besides(folder, experiments));
    let mut failures = Vec::new();
    let mut page = None;
    for &experiment in experiments {
        let earlier = folder.as_ref().filter(|_| resume);
        let outcome = match earlier.and_then(|f| f.finished(experiment.name())) {
            Some(report) => {
                tell(Event::Kept(experiment));
                Ok(report)
            }
            None => {
                tell(Event::Begins(experiment));
                experiment.run(context)
            }
        };
        match outcome {
            Ok(report) => {
                if let Some(folder) = &folder {
                    folder.keep(experiment.name(), &report)?;
                }
                tell(Event::Finished(experiment, &report));
                done.push((experiment, report));
            }
            Err(error) => {
                tell(Event::Failed(experiment, &error));
                failures.push(error);
            }
        }
        if let Some(folder) = &folder {
            page = Some(write_page(folder, &done, &made)?);
        }
    }
    match failures.pop() {
        None => Ok(page),
        Some(only) if experiments.len() == 1 => Err(only),
        Some(_) => Err(LabError::SomeFailed {
            failed: failures.len() + 1,
            total: experiments.len(),
        }),
    }
}

/// What earlier runs with the same settings finished besides `asked` stays on the page.
fn besides(folder: &Folder, asked: &[&dyn Experiment]) -> Vec<(&'static dyn Experiment, Report)> {
    let others = ALL
        .iter()
        .filter(|other| asked.iter().all(|one| one.name() != other.name()));
    others
        .filter_map(|&other| Some((other, folder.finished(other.name())?)))
        .collect()
}

/// Depth of the searches that tell engines apart: a fifth of a second. At 5 configs still agree.
const SIGNATURE_DEPTH: u32 = 8;

fn settings(context: &Context<'_>) -> Result<Settings, LabError> {
    let suite = context.suite.as_deref().map(positions::hash).transpose()?;
    let searched = bench::nodes(SIGNATURE_DEPTH, &small(&context.config), None);
    Ok(Settings {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        quick: context.quick,
        seed: context.seed,
        suite,
        config: context.config.hash(),
        engine: searched.map_err(LabError::engine)?,
        tables: context.tables.clone(),
    })
}

fn write_page(
    folder: &Folder,
    done: &[(&dyn Experiment, Report)],
    made: &str,
) -> Result<PathBuf, LabError> {
    let mut done: Vec<_> = done.iter().collect();
    done.sort_by_key(|(one, _)| ALL.iter().position(|other| other.name() == one.name()));
    let sections: Vec<Section<'_>> = done
        .iter()
        .map(|(experiment, report)| Section {
            name: experiment.name(),
            title: experiment.title(),
            claim: experiment.claim(),
            report,
        })
        .collect();
    folder.write_page(&sections, made)
}

/// How the run was made, for the head of the page.
fn made(context: &Context<'_>) -> String {
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
    use super::*;
    use crate::report::{Finding, Table, Verdict};
    use std::sync::atomic::{AtomicU32, Ordering};

    struct Stub(&'static str, AtomicU32, bool);

    impl Stub {
        fn new(name: &'static str, fails: bool) -> Stub {
            Stub(name, AtomicU32::new(0), fails)
        }
    }

    impl Experiment for Stub {
        fn name(&self) -> &'static str {
            self.0
        }
        fn title(&self) -> &'static str {
            "A stub"
        }
        fn claim(&self) -> &'static str {
            "None."
        }
        fn run(&self, _context: &Context<'_>) -> Result<Report, LabError> {
            self.1.fetch_add(1, Ordering::Relaxed);
            if self.2 {
                return Err(LabError::EmptySuite {
                    origin: "x".to_owned(),
                });
            }
            let mut table = Table::new("t", "T", &["a"]);
            table.row([1_u32.into()]);
            let verdict = Verdict::of(String::new(), vec![Finding::tested(true, "yes")]);
            Ok(Report {
                tables: vec![table],
                figures: Vec::new(),
                verdict,
            })
        }
    }

    fn context() -> Context<'static> {
        Context::quick(1)
    }

    #[test]
    fn a_failure_stops_nothing_and_what_was_finished_is_resumed() {
        let dir = tempfile::tempdir().unwrap();
        let target = Target {
            folder: dir.path(),
            resume: true,
        };
        let (good, bad) = (Stub::new("good", false), Stub::new("bad", true));
        let all: [&dyn Experiment; 2] = [&bad, &good];
        for round in 1..=2 {
            let error = run(&all, &context(), Some(&target), &mut |_| {}).unwrap_err();
            assert!(
                matches!(
                    error,
                    LabError::SomeFailed {
                        failed: 1,
                        total: 2
                    }
                ),
                "{error}"
            );
            assert_eq!(bad.1.load(Ordering::Relaxed), round);
        }
        assert_eq!(
            good.1.load(Ordering::Relaxed),
            1,
            "the finished one must not run again"
        );
        let html = std::fs::read_to_string(dir.path().join("index.html")).unwrap();
        assert!(html.contains("id=\"good\"") && !html.contains("id=\"bad\""));
    }

    #[test]
    fn running_one_again_keeps_the_others_on_the_page() {
        let dir = tempfile::tempdir().unwrap();
        let target = Target {
            folder: dir.path(),
            resume: false,
        };
        let (first, second) = (
            Stub::new(ALL[0].name(), false),
            Stub::new(ALL[1].name(), false),
        );
        run(&[&second], &context(), Some(&target), &mut |_| {}).unwrap();
        run(&[&first], &context(), Some(&target), &mut |_| {}).unwrap();
        let html = std::fs::read_to_string(dir.path().join("index.html")).unwrap();
        let at = [ALL[0], ALL[1]].map(|one| html.find(&format!("id=\"{}\"", one.name())));
        assert!(at[0].is_some() && at[0] < at[1], "{at:?}");
    }

    #[test]
    fn a_suite_is_known_by_what_it_holds_and_an_engine_by_what_it_finds() {
        let dir = tempfile::tempdir().unwrap();
        let suite = dir.path().join("suite.epd");
        let mut context = Context {
            suite: Some(suite.clone()),
            ..context()
        };
        let with = |context: &Context<'_>, text: &str| {
            std::fs::write(&suite, text).unwrap();
            settings(context).unwrap()
        };
        let first = with(&context, "4k3/8/8/8/8/8/8/4K3 b - -\n");
        assert_eq!(first, with(&context, "4k3/8/8/8/8/8/8/4K3 b - -\n"));
        assert_ne!(first, with(&context, "4k3/8/8/8/8/8/8/4K3 w - -\n"));
        context.config = sextant_config::Config::preset("integer-ply").unwrap();
        let other = with(&context, "4k3/8/8/8/8/8/8/4K3 b - -\n");
        assert_ne!(first.engine, other.engine);
        std::fs::remove_file(&suite).unwrap();
        assert!(settings(&context).is_err());
    }

    #[test]
    fn the_page_names_the_config() {
        let dir = tempfile::tempdir().unwrap();
        let target = Target {
            folder: dir.path(),
            resume: false,
        };
        let context = Context {
            config_name: "mine.toml".to_owned(),
            ..context()
        };
        let good = Stub::new("good", false);
        run(&[&good], &context, Some(&target), &mut |_| {}).unwrap();
        let html = std::fs::read_to_string(dir.path().join("index.html")).unwrap();
        let named = format!("config mine.toml ({:016x})", context.config.hash());
        assert!(html.contains(&named), "{named}");
    }

    #[test]
    fn without_resume_everything_runs_again() {
        let dir = tempfile::tempdir().unwrap();
        let target = Target {
            folder: dir.path(),
            resume: false,
        };
        let good = Stub::new("good", false);
        for _ in 0..2 {
            run(&[&good], &context(), Some(&target), &mut |_| {}).unwrap();
        }
        assert_eq!(good.1.load(Ordering::Relaxed), 2);
    }
}
