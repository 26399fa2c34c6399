//! All that a run needs to go on, in one readable file that is replaced whole after every
//! iteration. Floats are written with all their digits, so that a run that was killed goes on
//! exactly as it would have gone on.
//!
//! Files are named relative to the folder of the state where they lie in it, so that a run goes on
//! from anywhere and its folder can be moved; elsewhere by whole paths.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sextant_cli::{append_file::Mark, failure::Failure, files};
use sextant_config::{Config, Preset};
use sextant_play::{Pentanomial, Sprt, SprtModel};

use super::optimizer::{Gains, Tuned};
use crate::{keys, state_file::StateFile};

/// Points that the trajectory has at the end of a run, about.
const POINTS: u64 = 240;
/// The largest state that is believed.
const LARGEST: u64 = 64 * files::MIB;
const ERROR_RATE: f64 = 0.05;
/// Most pairs of the match at the end.
const MOST_PAIRS: u64 = 1_000_000;

const HEADER: &str = "\
# A tuning run of `sextant-tune spsa`: --show FILE prints it, --resume FILE goes on with it.
";

/// What the run is a function of.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Recipe {
    /// Paths are as the state keeps them.
    #[serde(flatten)]
    pub(super) options: Options,
    pub(super) config_hash: String,
    /// Nodes of a short bench: engines that agree here search alike.
    pub(super) signature: u64,
    /// Tells books apart; empty without a book.
    pub(super) book_hash: String,
    pub(super) out: PathBuf,
}

/// How a run plays; the command line and the state share it.
#[derive(clap::Args, Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Options {
    /// The preset or TOML file that the run begins with.
    #[arg(long, value_name = "CONFIG", default_value = "default")]
    pub(super) config: String,
    /// Openings, one FEN or EPD a line [default: eight random moves].
    #[arg(long, value_name = "FILE")]
    pub(super) book: Option<PathBuf>,
    /// Nodes a move.
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,
    /// Table of each engine in MB.
    #[arg(long, value_name = "MB", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=65_536))]
    pub(super) hash: i32,
    /// Decides everything that is left to chance.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Game pairs that decide one step.
    #[arg(long, value_name = "N", default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(super) pairs_per_iteration: u64,
    /// Play on until the rules of chess end the game.
    #[arg(long)]
    pub(super) no_adjudication: bool,
    /// Append all games, with their scores, to this file, in the format of `datagen`.
    #[arg(long, value_name = "FILE")]
    pub(super) viriformat: Option<PathBuf>,
    /// Most game pairs of the match against the start values at the end; 0 for none [default: 500,
    /// with --verify-sprt no end but that of the book].
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=MOST_PAIRS))]
    verify_pairs: Option<u64>,
    /// End that match as soon as it is clear whether the tuned values are rather ELO1 than ELO0
    /// stronger.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    verify_sprt: Option<Vec<f64>>,
}

impl Options {
    /// Most pairs of the verification match at the end; 0 for none.
    pub(super) fn verify_pairs(&self) -> u64 {
        let usual = if self.verify_sprt.is_some() {
            MOST_PAIRS
        } else {
            500
        };
        self.verify_pairs.unwrap_or(usual)
    }

    /// The sequential test that may end it earlier.
    pub(super) fn sprt(&self) -> Result<Option<Sprt>, Failure> {
        let Some(&[elo0, elo1]) = self.verify_sprt.as_deref() else {
            return Ok(None);
        };
        let test = Sprt::new(elo0, elo1, ERROR_RATE, ERROR_RATE, SprtModel::Logistic);
        test.map(Some).map_err(Failure::usage)
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Progress {
    pub(super) iterations: u64,
    /// Games that the first players of the probes won, drew and lost.
    pub(super) results: [u64; 3],
    pub(super) verification: [u64; 5],
}

/// Where the values were.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Trajectory {
    /// Iterations from point to point.
    pub(super) every: u64,
    /// The values before the first iteration, and after each of these.
    pub(super) points: Vec<Vec<f64>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) recipe: Recipe,
    pub(super) gains: Gains,
    pub(super) progress: Progress,
    pub(super) parameter: Vec<Tuned>,
    pub(super) trajectory: Trajectory,
    /// What is known of the file of the games, once there is something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) games: Option<Mark>,
    #[serde(skip)]
    pub(super) path: PathBuf,
}

impl StateFile for State {
    const KIND: &'static str = "tuning run";
    const VERSION: u32 = 4;

    fn print(value: &impl Serialize) -> Result<String, String> {
        let text = toml::to_string(value).map_err(|error| error.to_string());
        text.map(|text| HEADER.to_owned() + &text)
    }

    fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    fn check(&self) -> Result<(), String> {
        let (done, all) = (self.progress.iterations, self.gains.iterations);
        if done > all {
            return Err(format!("{done} iterations of {all}"));
        }
        let games: u128 = self.progress.results.into_iter().map(u128::from).sum();
        let pairs = u128::from(self.recipe.options.pairs_per_iteration);
        let expected = (2 * u128::from(done)).saturating_mul(pairs);
        if games != expected {
            return Err(format!("{games} results of {expected} games"));
        }
        let Trajectory { every, points } = &self.trajectory;
        let expected = done
            .checked_div(*every)
            .map(|points| points.saturating_add(1));
        if expected != Some(points.len() as u64) {
            return Err(format!("{} points after {done} iterations", points.len()));
        }
        let whole = |point: &Vec<f64>| {
            point.len() == self.parameter.len() && point.iter().all(|value| value.is_finite())
        };
        if !points.iter().all(whole) {
            return Err("a point without a value for each parameter".to_owned());
        }
        self.parameter.iter().try_for_each(Tuned::check)
    }
}

#[cfg(fuzzing)]
pub(crate) fn fuzz_state(text: &str) {
    State::fuzz(text);
}

impl State {
    pub(super) fn new(path: &Path, recipe: Recipe, gains: Gains, parameter: Vec<Tuned>) -> State {
        let every = gains.iterations.div_ceil(POINTS);
        let points = vec![parameter.iter().map(|one| one.value).collect()];
        State {
            recipe,
            gains,
            progress: Progress::default(),
            parameter,
            trajectory: Trajectory { every, points },
            games: None,
            path: path.to_owned(),
        }
    }

    /// Counts an iteration, after its values were learned.
    pub(super) fn count(&mut self, results: [u64; 3]) {
        self.progress.iterations += 1;
        for (all, new) in self.progress.results.iter_mut().zip(results) {
            *all += new;
        }
        let Trajectory { every, points } = &mut self.trajectory;
        if self.progress.iterations.is_multiple_of(*every) {
            points.push(self.parameter.iter().map(|one| one.value).collect());
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.progress.iterations >= self.gains.iterations
    }

    pub(super) fn verification(&self) -> Pentanomial {
        Pentanomial(self.progress.verification)
    }

    /// A config with other values of the tuned parameters.
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
    pub(super) fn tuned(&self, base: &Config) -> Result<Config, Failure> {
        let rounded: Vec<_> = self.parameter.iter().map(Tuned::rounded).collect();
        self.with_values(base, &rounded)
    }

    /// Where a path of the recipe leads.
    pub(super) fn found(&self, kept: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(kept)
    }

    /// The preset or the file that the tuned values change.
    pub(super) fn found_config(&self) -> String {
        let config = &self.recipe.options.config;
        if Preset::find(config).is_some() {
            return config.clone();
        }
        let path = self.found(Path::new(config));
        path.to_string_lossy().into_owned()
    }

    pub(super) fn load(path: &Path) -> Result<State, Failure> {
        let mut state = State::read(&files::read_text(path, LARGEST)?, path)?;
        state.path = path.to_owned();
        Ok(state)
    }

    /// Writes the run in the place of what was there, which stays if that fails.
    pub(super) fn save(&self) -> Result<(), Failure> {
        let text = self.text()?;
        let advice = "what it holds is good, and --resume goes on from there once that is mended";
        files::write(&self.path, text).map_err(|error| Failure::work(error).advise(advice))
    }
}

/// A path, relative to the current folder, as the state at `state` keeps it.
pub(super) fn kept(path: &Path, state: &Path) -> Result<PathBuf, Failure> {
    let absolute = |path| std::path::absolute(path).map_err(Failure::work);
    let (path, state) = (absolute(path)?, absolute(state)?);
    let folder = state.parent();
    let within = folder.and_then(|folder| path.strip_prefix(folder).ok());
    Ok(within.map_or_else(|| path.clone(), Path::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_no_run_can_have_is_refused() {
        let options = Options {
            pairs_per_iteration: 2,
            ..Options::default()
        };
        let recipe = Recipe {
            options,
            ..Recipe::default()
        };
        let gains = Gains {
            iterations: 3,
            r_end: 0.002,
        };
        let tuned = Tuned {
            key: "pruning.rfp_margin".to_owned(),
            min: 0,
            max: 200,
            c_end: 10,
            start: 64,
            value: 64.0,
        };
        let mut state = State::new(Path::new("run.toml"), recipe, gains, vec![tuned]);
        state.count([1, 2, 1]);
        let read = |state: &State| State::read(&state.text().unwrap(), Path::new("run.toml"));
        assert!(read(&state).is_ok());
        let forgeries: [fn(&mut State); 8] = [
            |state| state.progress.iterations = 4,
            |state| state.progress.results[0] = u64::MAX,
            |state| state.trajectory.every = 0,
            |state| state.trajectory.points.truncate(1),
            |state| state.trajectory.points[1].push(1.0),
            |state| state.trajectory.points[0][0] = f64::NAN,
            |state| state.parameter[0].value = 200.5,
            |state| state.parameter[0].c_end = 0,
        ];
        for (number, forge) in forgeries.into_iter().enumerate() {
            let mut forged = read(&state).unwrap();
            forge(&mut forged);
            let error = read(&forged).err().map(|error| error.to_string());
            let is_told = |error: &String| error.contains("contradicts itself");
            assert!(error.as_ref().is_some_and(is_told), "{number}: {error:?}");
        }
    }

    #[test]
    fn what_lies_with_the_state_moves_with_it() {
        for (path, expected) in [
            ("/runs/a/out.toml", "out.toml"),
            ("/runs/a/books/b.epd", "books/b.epd"),
            ("/runs/b.epd", "/runs/b.epd"),
        ] {
            let kept = kept(Path::new(path), Path::new("/runs/a/run.toml")).unwrap();
            assert_eq!(kept, Path::new(expected));
        }
    }
}
