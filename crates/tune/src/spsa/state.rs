//! All that a run needs to go on, in one readable file that is replaced whole after every
//! iteration. Floats are written with all their digits, so that a run that was killed goes on
//! exactly as it would have gone on. A hash and sums that must agree tell of every other change.

use std::{
    collections::HashSet,
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sextant_cli::{
    failure::Failure,
    files::{self, FileError},
};
use sextant_config::Config;
use sextant_play::Pentanomial;

use super::{gains::Gains, optimizer::Tuned};
use crate::{
    hash::{fnv, hex},
    keys,
};

/// The meaning of the file changes with this number.
const VERSION: u32 = 2;
/// Points that the trajectory has at the end of a run, about.
const POINTS: u64 = 240;
/// The largest state that is believed.
const LARGEST: u64 = 64 * files::MIB;

const HEADER: &str = "\
# A tuning run of `sextant-tune spsa`: --show FILE prints it, --resume FILE goes on with it.
";

/// What the run is a function of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recipe {
    /// Preset or file that the tuned values change.
    pub(super) config: String,
    pub(super) config_hash: String,
    /// Nodes of a short bench: engines that agree here search alike.
    pub(super) signature: u64,
    /// The book; empty for random openings. Paths are relative to the folder of the state, or whole.
    pub(super) book: String,
    pub(super) book_hash: String,
    pub(super) nodes: u64,
    /// Table of each player in MB.
    pub(super) hash: i32,
    /// Decides everything that is left to chance.
    pub(super) seed: u64,
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
    pub(super) iterations: u64,
    /// Games that the first players of the probes won, drew and lost.
    pub(super) results: [u64; 3],
    /// The verification match so far.
    pub(super) verification: [u64; 5],
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    version: u32,
    /// Of the file, with nothing here.
    hash: String,
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

/// What a file of any version has.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

impl State {
    /// A run that has not begun.
    pub(super) fn new(recipe: Recipe, gains: Gains, parameter: Vec<Tuned>) -> State {
        let mut state = State {
            version: VERSION,
            hash: String::new(),
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
        let iterations = self.progress.iterations;
        if iterations.is_multiple_of(self.trajectory.every) {
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

    /// A config with other values of the tuned parameters.
    ///
    /// # Errors
    /// [`Failure`] if this version lacks one of them.
    pub(super) fn with_values(&self, config: &Config, values: &[i32]) -> Result<Config, Failure> {
        let mut config = config.clone();
        for (one, value) in self.parameter.iter().zip(values) {
            let parameter = keys::find(&one.key).ok_or_else(|| {
                Failure::usage(format!(
                    "{} is no key of this version; the run is of another one",
                    one.key
                ))
            })?;
            parameter.set(&mut config, *value).map_err(Failure::usage)?;
        }
        Ok(config)
    }

    /// The tuned config, as far as its values can be had.
    ///
    /// # Errors
    /// As [`State::with_values`].
    pub(super) fn tuned(&self, base: &Config) -> Result<Config, Failure> {
        let rounded: Vec<_> = self.parameter.iter().map(Tuned::rounded).collect();
        self.with_values(base, &rounded)
    }

    /// Reads a run.
    ///
    /// # Errors
    /// [`Failure`] if there is none, or it was damaged or edited.
    pub(super) fn load(path: &Path) -> Result<State, Failure> {
        let shown = path.display();
        let text = files::read_text(path, LARGEST)?;
        let foreign = |error| Failure::usage(format!("{shown} is no tuning run: {error}"));
        let Version { version } = toml::from_str(&text).map_err(foreign)?;
        if version != VERSION {
            return Err(Failure::usage(format!(
                "{shown} has version {version}; this program reads version {VERSION}"
            )));
        }
        let state: State = toml::from_str(&text).map_err(foreign)?;
        match state.contradiction() {
            None => Ok(state),
            Some(what) => Err(Failure::usage(format!(
                "{shown} is damaged or was edited: {what}"
            ))),
        }
    }

    /// What a file says that cannot be. Sums come before the hash, which says less.
    fn contradiction(&self) -> Option<String> {
        let (recipe, gains, progress) = (&self.recipe, &self.gains, &self.progress);
        let done = progress.iterations;
        if gains.iterations == 0 || done > gains.iterations {
            return Some(format!(
                "{done} of {} iterations are done",
                gains.iterations
            ));
        }
        if !Gains::is_rate(gains.r_end) {
            return Some(format!("{} is no learning rate", gains.r_end));
        }
        let sum = |counts: &[u64]| counts.iter().try_fold(0_u64, |a, b| a.checked_add(*b));
        let games = done
            .checked_mul(recipe.pairs_per_iteration)
            .and_then(|pairs| pairs.checked_mul(2));
        if games.is_none() || sum(&progress.results) != games {
            return Some(format!(
                "{done} iterations of {} pairs cannot give the results {:?}",
                recipe.pairs_per_iteration, progress.results
            ));
        }
        let most = if self.is_done() {
            recipe.verify_pairs
        } else {
            0
        };
        if sum(&progress.verification).is_none_or(|pairs| pairs > most) {
            return Some(format!(
                "the verification {:?} has more than {most} pairs",
                progress.verification
            ));
        }
        self.bad_parameter()
            .or_else(|| self.bad_trajectory())
            .or_else(|| {
                let hash = self.hashed();
                (self.hash != hash).then(|| format!("its hash is {hash}, not {}", self.hash))
            })
    }

    fn bad_parameter(&self) -> Option<String> {
        let keys = self.parameter.iter().map(|one| one.key.as_str());
        if keys.collect::<HashSet<_>>().len() < self.parameter.len() {
            return Some("a key stands there twice".to_owned());
        }
        let bad = |one: &&Tuned| {
            let range = f64::from(one.min)..=f64::from(one.max);
            one.c_end <= 0 || !range.contains(&one.value) || !range.contains(&one.start.into())
        };
        let bad = self.parameter.iter().find(bad)?;
        Some(format!(
            "{}: {} and {} are not from {} to {}",
            bad.key, bad.start, bad.value, bad.min, bad.max
        ))
    }

    fn bad_trajectory(&self) -> Option<String> {
        let Trajectory { every, points } = &self.trajectory;
        let (count, done) = (self.parameter.len(), self.progress.iterations);
        if *every != self.gains.iterations.div_ceil(POINTS)
            || points.len() as u64 != 1 + done / every
            || points.iter().any(|point| point.len() != count)
        {
            return Some(format!(
                "the trajectory is not that of {count} values and {done} iterations"
            ));
        }
        let starts = self.parameter.iter().map(|one| f64::from(one.start));
        let values = self.parameter.iter().map(|one| one.value);
        let is_now = done.is_multiple_of(*every);
        let ends = [points.first()?, points.last()?];
        (!starts.eq(ends[0].iter().copied()) || is_now && !values.eq(ends[1].iter().copied()))
            .then(|| "the trajectory does not lead from the start to the values".to_owned())
    }

    /// Refuses to begin where a run is already.
    ///
    /// # Errors
    /// [`Failure`] names the file.
    pub(super) fn check_none(path: &Path) -> Result<(), Failure> {
        if path.is_file() {
            return Err(Failure::usage(format!(
                "{0} holds a run already; go on with it (--resume {0}) or name another file",
                path.display()
            )));
        }
        Ok(())
    }

    /// Writes the run in the place of what was there.
    ///
    /// # Errors
    /// [`FileError`] if it cannot be written; what was there stays then.
    pub(super) fn save(&self, path: &Path) -> Result<(), FileError> {
        let text = self.text(self.hashed()).map_err(io::Error::other);
        let text = text.map_err(FileError::of("write", path))?;
        files::write(path, format!("{HEADER}{text}"))
    }

    /// The hash of what can be written.
    fn hashed(&self) -> String {
        hex(fnv(self.text(String::new()).unwrap_or_default().as_bytes()))
    }

    fn text(&self, hash: String) -> Result<String, toml::ser::Error> {
        toml::to_string(&State {
            hash,
            ..self.clone()
        })
    }
}
