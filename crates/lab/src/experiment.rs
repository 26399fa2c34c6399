//! What an experiment is, and what it is given.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use sextant_board::Position;
use sextant_cli::{failure::Failure, progress::Progress};
use sextant_config::Config;
use sextant_syzygy::{Backend, Tablebase};

use crate::{positions, report::Report};

/// The few small tables that the source tree carries for its tests.
const OF_THE_SOURCE_TREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/testdata");

/// A claim of a source, and the run that tests it.
pub(crate) struct Experiment {
    /// Name on the command line and in file names: lower case, digits and hyphens.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// The claim in our words, with its source.
    pub(crate) claim: &'static str,
    pub(crate) run: fn(&Context) -> Result<Report, Failure>,
}

/// What every experiment is given.
pub(crate) struct Context {
    /// Small enough for a continuous-integration run: seconds instead of minutes.
    pub(crate) quick: bool,
    /// Fixes everything that is left to chance.
    pub(crate) seed: u64,
    /// A file of chess positions to use instead of the built-in ones.
    pub(crate) suite: Option<PathBuf>,
    /// The engine's configuration where an experiment asks nothing else.
    pub(crate) config: Config,
    /// What it was asked for by: a preset or a file.
    pub(crate) config_name: String,
    /// Folders with endgame tables, as UCI's `SyzygyPath` takes them; `None` for what there is.
    pub(crate) tables: Option<String>,
}

impl Context {
    /// `quick` or `full`, by the size of the run.
    pub(crate) fn sized<T>(&self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }

    /// At most `count` chess positions of the suite, spread evenly over it.
    pub(crate) fn positions(&self, count: usize) -> Result<Vec<Position>, Failure> {
        let chosen = positions::spread(&positions::read(self.suite.as_deref())?, count);
        Ok(chosen.into_iter().map(|epd| epd.position).collect())
    }

    /// The tables that the run was given, else those of the config, else those of the source tree;
    /// `None` if there are none at all.
    pub(crate) fn tablebase(&self) -> Result<Option<Arc<Tablebase>>, Failure> {
        let named = self.tables.as_deref().unwrap_or(&self.config.syzygy.path);
        let paths = if !named.is_empty() {
            named
        } else if Path::new(OF_THE_SOURCE_TREE).is_dir() {
            OF_THE_SOURCE_TREE
        } else {
            return Ok(None);
        };
        let refused = |cause: &str| {
            Failure::work(format!(
                "cannot use the endgame tables in {paths}: {cause}; give folders with .rtbw and \
                 .rtbz files, or leave --tables out"
            ))
        };
        let tables = Tablebase::open(paths, Backend::Native);
        let tables = tables.map_err(|error| refused(&error.to_string()))?;
        if tables.max_men() == 0 {
            return Err(refused("there is no WDL table in it"));
        }
        Ok(Some(Arc::new(tables)))
    }
}

/// A quick run with everything as it comes.
#[cfg(test)]
pub(crate) fn quick(seed: u64) -> Context {
    Context {
        quick: true,
        seed,
        suite: None,
        config: Config::default(),
        config_name: "default".to_owned(),
        tables: None,
    }
}

/// Shows on standard error how many of the items are done.
pub(crate) fn track<I>(what: impl Into<String>, items: I) -> impl Iterator<Item = I::Item>
where
    I: IntoIterator<IntoIter: ExactSizeIterator>,
{
    let items = items.into_iter();
    let progress = Progress::new(what, Some(items.len() as u64));
    (0..).zip(items).map(move |(done, item)| {
        progress.set(done, "");
        item
    })
}
