//! What can go wrong outside the experiments.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Everything that the laboratory refuses or fails at.
#[derive(Debug, Error)]
pub enum LabError {
    /// No experiment has this name.
    #[error(
        "there is no experiment \"{name}\"; did you mean \"{nearest}\"? (all of them: {})",
        known.join(", ")
    )]
    UnknownExperiment {
        /// What was asked for.
        name: String,
        /// The nearest name that exists.
        nearest: String,
        /// All names.
        known: Vec<String>,
    },
    /// The suite of positions cannot be read.
    #[error(
        "cannot read the suite {}: {cause}; give a file with one FEN or EPD a line, or leave \
         --suite out to use the built-in positions", path.display()
    )]
    MissingSuite {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// A line of a suite is no chess position.
    #[error(
        "{origin}, line {line}: \"{text}\" is no legal position ({cause}); expected a FEN or EPD"
    )]
    BadPosition {
        /// The file, or the name of the built-in list.
        origin: String,
        /// Line number, from 1.
        line: usize,
        /// The line.
        text: String,
        /// What is wrong with it.
        cause: String,
    },
    /// A suite without a single position.
    #[error("{origin} holds no position; expected one FEN or EPD a line")]
    EmptySuite {
        /// The file.
        origin: String,
    },
    /// The endgame tables cannot be read.
    #[error(
        "cannot use the endgame tables in {paths}: {cause}; give folders with .rtbw and .rtbz files, \
         or leave --tables out"
    )]
    MissingTables {
        /// The folders.
        paths: String,
        /// What is wrong with them.
        cause: String,
    },
    /// The configuration is refused.
    #[error("{cause}")]
    Config {
        /// What is wrong, with the file and the place.
        cause: String,
    },
    /// The output folder or a file in it cannot be written.
    #[error("cannot write {}: {cause}; choose another folder with --out or make it writable", path.display())]
    Unwritable {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The output folder holds what this run would spoil.
    #[error("{} {what}; choose another folder with --out, or delete it if nobody needs it", folder.display())]
    Occupied {
        /// The folder.
        folder: PathBuf,
        /// What it holds.
        what: String,
    },
    /// Standard output takes no more.
    #[error("cannot print the results: {cause}; --out writes them into a folder")]
    Unprinted {
        /// What the system said.
        cause: io::Error,
    },
    /// A table of the sources that the laboratory carries is damaged.
    #[error("the built-in table {table} is damaged: {cause}")]
    BadTable {
        /// Which one.
        table: &'static str,
        /// What is wrong with it.
        cause: String,
    },
    /// The engine cannot be set up.
    #[error("the engine cannot be set up: {cause}")]
    Engine {
        /// What it said.
        cause: String,
    },
    /// A figure could not be drawn.
    #[error("cannot draw \"{title}\": {cause}")]
    Drawing {
        /// The figure's title.
        title: String,
        /// What the plotting library said.
        cause: String,
    },
    /// A figure of a report has no statistics because too little was measured.
    #[error("{what}: {found} measurements are too few, at least {needed} are needed")]
    TooFew {
        /// What was to be computed.
        what: &'static str,
        /// How many there were.
        found: usize,
        /// How many it takes.
        needed: usize,
    },
    /// A figure of a report has no statistics because nothing varied.
    #[error("{what}: all {found} measurements are equal")]
    AllEqual {
        /// What was to be computed.
        what: &'static str,
        /// How many there were.
        found: usize,
    },
    /// Some experiments of a run failed; the others are in the report.
    #[error("{failed} of {total} experiments failed; what was finished is in the report")]
    SomeFailed {
        /// How many failed.
        failed: usize,
        /// How many were asked for.
        total: usize,
    },
}

impl LabError {
    /// An [`LabError::Engine`].
    pub(crate) fn engine(cause: impl std::fmt::Display) -> LabError {
        LabError::Engine {
            cause: cause.to_string(),
        }
    }

    /// An [`LabError::Config`].
    pub fn config(cause: impl std::fmt::Display) -> LabError {
        LabError::Config {
            cause: cause.to_string(),
        }
    }

    /// An [`LabError::Unwritable`] for `path`.
    pub(crate) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> LabError + '_ {
        move |cause| LabError::Unwritable {
            path: path.to_owned(),
            cause,
        }
    }
}
