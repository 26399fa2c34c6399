//! The arguments of `spsa`.

use std::path::PathBuf;

use super::gains::rate;

/// Most pairs of the match at the end.
const MOST_PAIRS: u64 = 1_000_000;

/// What is to be tuned, and how.
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("which").required(true).args(["state", "resume", "show"]))]
pub(crate) struct Args {
    /// Begin a run and keep it in this file, which is replaced after every iteration. A chart
    /// goes beside it.
    #[arg(long, value_name = "FILE", requires = "keys")]
    pub(super) state: Option<PathBuf>,
    /// Go on with a run; it keeps all its options.
    #[arg(long, value_name = "FILE", conflicts_with = "NewRun")]
    pub(super) resume: Option<PathBuf>,
    /// Print the values of a run, at any time; with --out also write them as a config.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["NewRun", "concurrency"])]
    pub(super) show: Option<PathBuf>,
    /// Where the tuned config goes [default: beside the state, as in run.tuned.toml].
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(super) out: Option<PathBuf>,
    /// Games at the same time; the results do not depend on it.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) concurrency: u16,
    #[command(flatten)]
    pub(super) new: NewRun,
}

/// What makes a run.
#[derive(clap::Args, Debug)]
#[group(id = "NewRun", multiple = true)]
pub(super) struct NewRun {
    /// The tunables, as in 'pruning.*'; may be repeated. `*` and `?` are wildcards.
    #[arg(long, value_name = "PATTERN")]
    pub(super) keys: Vec<String>,
    /// Tunables that are left out although --keys names them; may be repeated.
    #[arg(long, value_name = "PATTERN")]
    pub(super) except: Vec<String>,
    /// The preset or TOML file that the run begins with.
    #[arg(long, value_name = "CONFIG", default_value = "default")]
    pub(super) config: String,
    /// Openings, one FEN or EPD a line [default: eight random moves].
    #[arg(long, value_name = "FILE")]
    pub(super) book: Option<String>,
    /// Nodes a move.
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,
    /// Steps of the run.
    #[arg(long, value_name = "N", default_value_t = 1_250)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(super) iterations: u64,
    /// Game pairs that decide one step.
    #[arg(long, value_name = "N", default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(super) pairs_per_iteration: u64,
    /// Learning rate at the end of the run, as OpenBench's R_end.
    #[arg(long, value_name = "RATE", default_value = "0.002", value_parser = rate)]
    pub(super) r_end: f64,
    /// Decides everything that is left to chance.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Table of each engine in MB.
    #[arg(long, value_name = "MB", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=65_536))]
    pub(super) hash: i32,
    /// Play on until the rules of chess end the game.
    #[arg(long)]
    pub(super) no_adjudication: bool,
    /// Most game pairs of the match against the start values at the end; 0 for none [default: 500,
    /// with --verify-sprt no end but that of the book].
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=MOST_PAIRS))]
    pub(super) verify_pairs: Option<u64>,
    /// End that match as soon as it is clear whether the tuned values are rather ELO1 than ELO0
    /// stronger.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    pub(super) verify_sprt: Option<Vec<f64>>,
}

impl NewRun {
    /// Most pairs of the match at the end.
    pub(super) fn most_pairs(&self) -> u64 {
        let usual = match self.verify_sprt {
            Some(_) => MOST_PAIRS,
            None => 500,
        };
        self.verify_pairs.unwrap_or(usual)
    }
}
