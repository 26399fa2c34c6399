//! What an experiment is, and what it is given.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use serde::{Serialize, de::DeserializeOwned};
use sextant_board::Position;
use sextant_cli::{failure::Failure, progress::Progress};
use sextant_config::Config;
use sextant_syzygy::{Backend, Tablebase};

use crate::{output::parts::Parts, positions, report::Report};

/// The few small tables that the source tree carries for its tests.
const OF_THE_SOURCE_TREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/testdata");

/// A claim of a source, and the run that tests it.
pub(crate) struct Experiment {
    /// Name on the command line and in file names: lower case, digits and hyphens.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// The claim in our words, with its source.
    pub(crate) claim: &'static str,
    /// It runs by its name only, not with all others (but in a quick run).
    pub(crate) takes_hours: bool,
    pub(crate) run: fn(&Context) -> Result<Report, Failure>,
}

#[derive(Args)]
pub(crate) struct Settings {
    /// A run of seconds instead of minutes, for continuous integration.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Keeps the experiments that an interrupted run with the same settings has finished.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Fixes everything that is left to chance.
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub(crate) seed: u64,
    /// Chess positions to use instead of the built-in ones: one FEN or EPD a line. Lines with best
    /// moves are also the problems of `sex-algorithm`.
    #[arg(long, value_name = "FILE")]
    pub(crate) suite: Option<PathBuf>,
    /// The engine's configuration: a file or the name of a preset. `odd-even` and `sex-algorithm`
    /// compare it with presets of their own; what runs on textbook algorithms or in HAL has none.
    #[arg(long, value_name = "FILE|PRESET", default_value = "default")]
    pub(crate) config: String,
    /// Folders with Syzygy tables, separated as in SyzygyPath.
    #[arg(long, value_name = "FOLDERS")]
    pub(crate) tables: Option<String>,
}

impl Settings {
    pub(crate) fn context(self) -> Result<Context, Failure> {
        let config = Config::load(&self.config).map_err(Failure::usage)?;
        let settings = self;
        Ok(Context {
            settings,
            config,
            parts: None,
        })
    }
}

/// What every experiment is given: the settings, the configuration that they name, and where parts
/// of long experiments are kept.
pub(crate) struct Context {
    pub(crate) settings: Settings,
    pub(crate) config: Config,
    pub(crate) parts: Option<Parts>,
}

impl Context {
    /// `quick` or `full`, by the size of the run.
    pub(crate) fn sized<T>(&self, quick: T, full: T) -> T {
        if self.settings.quick { quick } else { full }
    }

    /// A part of an experiment: what an earlier run kept, or else what `work` finds, which is kept.
    pub(crate) fn part<T: Serialize + DeserializeOwned>(
        &self,
        name: &str,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let kept = self.parts.as_ref().and_then(|parts| parts.get(name));
        if let Some(kept) = kept {
            return serde_json::from_value(kept).map_err(Failure::work);
        }
        let found = work()?;
        if let Some(parts) = &self.parts {
            parts.keep(name, &found)?;
        }
        Ok(found)
    }

    /// At most `count` chess positions of the suite, spread evenly over it.
    pub(crate) fn positions(&self, count: usize) -> Result<Vec<Position>, Failure> {
        let chosen = positions::spread(&positions::read(self.settings.suite.as_deref())?, count);
        Ok(chosen.into_iter().map(|epd| epd.position).collect())
    }

    /// The tables that the run was given, else those of the config, else those of the source tree;
    /// `None` if there are none at all.
    pub(crate) fn tablebase(&self) -> Result<Option<Arc<Tablebase>>, Failure> {
        let named = self.settings.tables.as_ref();
        let paths = match named.unwrap_or(&self.config.syzygy.path).as_str() {
            "" if !Path::new(OF_THE_SOURCE_TREE).is_dir() => return Ok(None),
            "" => OF_THE_SOURCE_TREE,
            named => named,
        };
        let cause = match Tablebase::open(paths, Backend::Native) {
            Ok(tables) if tables.max_men() > 0 => return Ok(Some(Arc::new(tables))),
            Ok(_) => "there is no WDL table in it".to_owned(),
            Err(error) => error.to_string(),
        };
        Err(Failure::work(format!(
            "cannot use the endgame tables in {paths}: {cause}; give folders with .rtbw and .rtbz \
             files, or leave --tables out"
        )))
    }
}

/// A quick run with this seed and preset.
#[cfg(test)]
pub(crate) fn quick(seed: u64, preset: &str) -> Context {
    let settings = Settings {
        quick: true,
        resume: false,
        seed,
        suite: None,
        config: preset.to_owned(),
        tables: None,
    };
    settings.context().unwrap()
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
