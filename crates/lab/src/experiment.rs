//! What an experiment is, and what it is given.

use std::path::PathBuf;

use cozy_chess::Board;
use sextant_config::Config;

use crate::error::LabError;
use crate::positions;
use crate::report::Report;

/// A claim of a source, and the run that tests it.
pub trait Experiment: Sync {
    /// Name on the command line and in file names: lower case, digits and hyphens.
    fn name(&self) -> &'static str;

    /// Title in the report.
    fn title(&self) -> &'static str;

    /// The claim in our words, with its source.
    fn claim(&self) -> &'static str;

    /// Runs it.
    ///
    /// # Errors
    /// When something outside the experiment is missing or broken, such as a suite of positions.
    fn run(&self, context: &Context<'_>) -> Result<Report, LabError>;
}

/// What every experiment is given.
pub struct Context<'a> {
    /// Small enough for a continuous-integration run: seconds instead of minutes.
    pub quick: bool,
    /// Fixes everything that is left to chance.
    pub seed: u64,
    /// A file of chess positions (FEN or EPD, one a line) to use instead of the built-in ones.
    pub suite: Option<PathBuf>,
    /// The engine's configuration where an experiment asks nothing else.
    pub config: Config,
    /// What it was asked for by: a preset or a file.
    pub config_name: String,
    /// Folders with endgame tables, as UCI's `SyzygyPath` takes them; `None` for what there is.
    pub tables: Option<String>,
    /// Where progress is shown.
    pub progress: &'a dyn Progress,
}

impl Context<'static> {
    /// A quick run that shows nothing, with everything as it comes.
    #[must_use]
    pub fn quick(seed: u64) -> Context<'static> {
        Context {
            quick: true,
            seed,
            suite: None,
            config: Config::default(),
            config_name: "default".to_owned(),
            tables: None,
            progress: &Silent,
        }
    }
}

impl Context<'_> {
    /// `quick` or `full`, by the size of the run.
    #[must_use]
    pub fn sized<T>(&self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }

    /// The first `count` chess positions of the suite, spread evenly over it.
    ///
    /// # Errors
    /// When the suite cannot be read, holds a line that is no position, or holds none at all.
    pub fn positions(&self, count: usize) -> Result<Vec<Board>, LabError> {
        let all = match &self.suite {
            Some(path) => positions::read(path)?,
            None => positions::built_in()?,
        };
        Ok(positions::spread(&all, count))
    }
}

/// Shows how far an experiment is.
pub trait Progress {
    /// A new stretch of `steps` steps begins.
    fn begin(&self, steps: u64, what: &str);
    /// One step is done.
    fn step(&self);
}

/// Shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _steps: u64, _what: &str) {}
    fn step(&self) {}
}
