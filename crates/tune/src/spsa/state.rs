//! All that a run needs to go on, in one readable file that is replaced whole after every
//! iteration. Floats are written with all their digits, so that a run that was killed goes on
//! exactly as it would have gone on.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sextant::whole_file;
use sextant_play::Pentanomial;

use super::{gains::Gains, optimiser::Tuned};

/// The meaning of the file changes with this number.
const VERSION: u32 = 1;
/// Points that the trajectory has at the end of a run, about.
const POINTS: u64 = 240;

const HEADER: &str = "\
# A tuning run of `sextant-tune spsa`: --show FILE prints it, --resume FILE goes on with it.
";

/// Why a run cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub(super) enum StateError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is something else.
    #[error("{} is no tuning run: {source}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        source: toml::de::Error,
    },
    /// The file is of another version.
    #[error("{} has version {found}; this program reads version {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version found.
        found: u32,
    },
    /// The file says what cannot be.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What cannot be.
        what: String,
    },
    /// A new run over an old one.
    #[error(
        "{0} holds a run already; go on with it (--resume {0}) or name another file",
        path.display()
    )]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The first state cannot be written.
    #[error("cannot write {}: {source}; nothing was begun", path.display())]
    NotBegun {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A later state cannot be written.
    #[error(
        "cannot write {}: {source}; what it holds is good, and --resume goes on from there once \
         that is mended",
        path.display()
    )]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// What the run is a function of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recipe {
    /// Preset or file that the tuned values change.
    pub(super) config: String,
    /// The hash of that config.
    pub(super) config_hash: String,
    /// Nodes of a short bench: engines that agree here search alike.
    pub(super) signature: u64,
    /// The book; empty for random openings. Paths are relative to the folder of the state, or whole.
    pub(super) book: String,
    /// A hash of the book's bytes.
    pub(super) book_hash: String,
    /// Nodes a move.
    pub(super) nodes: u64,
    /// Table of each player in MB.
    pub(super) hash: i32,
    /// Decides everything that is left to chance.
    pub(super) seed: u64,
    /// Game pairs of each iteration.
    pub(super) pairs_per_iteration: u64,
    /// Whether players who agree end a game early.
    pub(super) adjudication: bool,
    /// Most pairs of the verification match at the end; 0 for none.
    pub(super) verify_pairs: u64,
    /// Bounds of the sequential test that may end it earlier.
    pub(super) verify_sprt: Option<[f64; 2]>,
    /// Where the tuned config goes.
    pub(super) out: PathBuf,
}

/// How far the run is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Progress {
    /// Iterations done.
    pub(super) iterations: u64,
    /// Games that the first players of the probes won, drew and lost.
    pub(super) results: [u64; 3],
    /// The verification match so far.
    pub(super) verification: [u64; 5],
}

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    version: u32,
    pub(super) recipe: Recipe,
    pub(super) gains: Gains,
    pub(super) progress: Progress,
    pub(super) parameter: Vec<Tuned>,
    pub(super) trajectory: Trajectory,
}

/// Where the values were.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Trajectory {
    /// Iterations from point to point.
    pub(super) every: u64,
    /// The values before the first iteration, and after each of these.
    pub(super) points: Vec<Vec<f64>>,
}

impl State {
    /// A run that has not begun.
    pub(super) fn new(recipe: Recipe, gains: Gains, parameter: Vec<Tuned>) -> State {
        let mut state = State {
            version: VERSION,
            recipe,
            gains,
            progress: Progress::default(),
            parameter,
            trajectory: Trajectory {
                every: gains.iterations.div_ceil(POINTS),
                points: Vec::new(),
            },
        };
        state.note_point();
        state
    }

    /// Counts an iteration, after its values were learned.
    pub(super) fn count(&mut self, results: [u64; 3]) {
        self.progress.iterations += 1;
        for (all, new) in self.progress.results.iter_mut().zip(results) {
            *all += new;
        }
        if self
            .progress
            .iterations
            .is_multiple_of(self.trajectory.every)
        {
            self.note_point();
        }
    }

    fn note_point(&mut self) {
        let values = self.parameter.iter().map(|one| one.value).collect();
        self.trajectory.points.push(values);
    }

    /// Are all iterations done?
    pub(super) fn is_done(&self) -> bool {
        self.progress.iterations >= self.gains.iterations
    }

    /// The verification match so far.
    pub(super) fn verification(&self) -> Pentanomial {
        Pentanomial(self.progress.verification)
    }

    /// Reads a run.
    ///
    /// # Errors
    /// [`StateError`] if there is none or it is damaged.
    pub(super) fn load(path: &Path) -> Result<State, StateError> {
        let path_buf = || path.to_owned();
        let text = whole_file::read(path).map_err(|source| StateError::Unreadable {
            path: path_buf(),
            source,
        })?;
        let state: State = toml::from_str(&text).map_err(|source| StateError::Foreign {
            path: path_buf(),
            source,
        })?;
        if state.version != VERSION {
            return Err(StateError::Version {
                path: path_buf(),
                found: state.version,
            });
        }
        match state.contradiction() {
            None => Ok(state),
            Some(what) => Err(StateError::Damaged {
                path: path_buf(),
                what,
            }),
        }
    }

    /// What an edited or damaged file says that cannot be.
    fn contradiction(&self) -> Option<String> {
        let count = self.parameter.len();
        if self.trajectory.every == 0 || self.gains.iterations == 0 {
            return Some("a run of no iterations".to_owned());
        }
        if !Gains::is_rate(self.gains.r_end) {
            return Some(format!("{} is no learning rate", self.gains.r_end));
        }
        if self.progress.iterations > self.gains.iterations {
            let (done, all) = (self.progress.iterations, self.gains.iterations);
            return Some(format!("{done} of {all} iterations are done"));
        }
        let keys = self.parameter.iter().map(|one| one.key.as_str());
        if keys.collect::<HashSet<_>>().len() < count {
            return Some("a key stands there twice".to_owned());
        }
        if self
            .trajectory
            .points
            .iter()
            .any(|point| point.len() != count)
        {
            return Some(format!("a point of the trajectory has not {count} values"));
        }
        let bad = |one: &&Tuned| {
            let (min, max) = (f64::from(one.min), f64::from(one.max));
            one.c_end <= 0 || !(min..=max).contains(&one.value)
        };
        let bad = self.parameter.iter().find(bad)?;
        Some(format!(
            "{}: {} is not from {} to {}",
            bad.key, bad.value, bad.min, bad.max
        ))
    }

    /// Refuses to begin a run where one is.
    ///
    /// # Errors
    /// [`StateError::Exists`].
    pub(super) fn check_none(path: &Path) -> Result<(), StateError> {
        if path.is_file() {
            return Err(StateError::Exists {
                path: path.to_owned(),
            });
        }
        Ok(())
    }

    /// Writes the first state of a run.
    ///
    /// # Errors
    /// [`StateError`] if it cannot be written.
    pub(super) fn begin(&self, path: &Path) -> Result<(), StateError> {
        self.write(path).map_err(|source| StateError::NotBegun {
            path: path.to_owned(),
            source,
        })
    }

    /// Writes the run in the place of what was there.
    ///
    /// # Errors
    /// [`StateError`] if it cannot be written; what was there stays then.
    pub(super) fn save(&self, path: &Path) -> Result<(), StateError> {
        self.write(path).map_err(|source| StateError::Unwritable {
            path: path.to_owned(),
            source,
        })
    }

    fn write(&self, path: &Path) -> std::io::Result<()> {
        let text = toml::to_string(self).map_err(std::io::Error::other)?;
        whole_file::write(path, format!("{HEADER}{text}").as_bytes())
    }
}
