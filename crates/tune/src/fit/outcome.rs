//! What a fit found, as it is reported.

use serde::Serialize;

use super::{calibration::Bin, contest::Entry, recipe::Recipe};

/// Everything.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    /// What was fitted.
    pub(super) fit: Task,
    /// How the samples were made.
    pub(super) recipe: Recipe,
    /// What they are.
    pub(super) samples: Samples,
    /// The prices, if they were asked for.
    pub(super) prices: Option<Prices>,
    /// The reductions, if they were asked for.
    pub(super) reductions: Option<Reductions>,
}

/// What was fitted, and how.
#[derive(Debug, Serialize)]
pub(super) struct Task {
    /// The config whose weights were fitted, by name and by hash.
    pub(super) config: String,
    pub(super) config_hash: String,
    /// The hash of what became of it.
    pub(super) fitted_hash: String,
    /// `prices`, `reductions` or `both`.
    pub(super) model: &'static str,
    /// The gap by which quiet moves grow dearer, as the config has it.
    pub(super) gap_source: &'static str,
    /// Decides which games teach, choose and judge, and which are resampled.
    pub(super) split_seed: u64,
    /// Resampled sets of games behind each interval.
    pub(super) bootstrap: u32,
    /// Keys that were kept.
    pub(super) except: Vec<String>,
}

/// What the samples are.
#[derive(Debug, Default, Serialize)]
pub(super) struct Samples {
    /// How many.
    pub(super) count: u64,
    /// Games that they come from.
    pub(super) games: u64,
    /// Those that teach, choose and judge.
    pub(super) parts: [u64; 3],
    /// By expectation (PV, cut, all) and verdict (none, inside, cut).
    pub(super) kinds: [[u64; 3]; 3],
    /// Mean effective depth of the nodes, in plies.
    pub(super) depth: f64,
    /// Mean nominal depth of the searches that label.
    pub(super) label_depth: f64,
    /// Mean number of legal moves.
    pub(super) legal: f64,
    /// Factor by which the sampled trees grew from ply to ply: the geometric mean.
    pub(super) growth: f64,
}

/// Learned prices.
#[derive(Debug, Serialize)]
pub(super) struct Prices {
    /// The ridge that was chosen.
    pub(super) ridge: f64,
    /// Rounds of fitting, and the share of moves that the last one put elsewhere.
    pub(super) rounds: (usize, f64),
    /// SX for a bit.
    pub(super) kappa: f64,
    /// Mean price of the best moves of the test games before and after, in SX.
    pub(super) mean: (f64, f64),
    /// What the best move of the test games costs under the model, in bits.
    pub(super) bits: f64,
    /// What the model expects it to cost: its own entropy.
    pub(super) entropy: f64,
    /// By category.
    pub(super) categories: Vec<CategoryRow>,
    /// The slope of the score gap.
    pub(super) gap: Weight,
    /// Prices of the game phases before and after, in SX.
    pub(super) phases: (Vec<f64>, Vec<f64>),
    /// Other models.
    pub(super) rivals: Vec<Entry>,
    /// Predictions and what happened, in the test games.
    pub(super) calibration: Vec<Bin>,
}

/// A category of the price list.
#[derive(Debug, Serialize)]
pub(super) struct CategoryRow {
    /// Its key.
    pub(super) name: &'static str,
    /// Moves that it applies to.
    pub(super) applies: u64,
    /// Moves that it counts for, being the cheapest that applies.
    pub(super) counts: u64,
    /// Best moves among these.
    pub(super) best: u64,
    /// Utility in nats, above that of a forward quiet move.
    pub(super) utility: f64,
    /// Its standard error, as if samples were independent.
    pub(super) error: f64,
    /// `-log2 P` where it is played; `None` where it counts for no move.
    pub(super) bits: Option<f64>,
    /// Price before, in SX.
    pub(super) before: f64,
    /// Price after.
    pub(super) after: f64,
    /// What the paper says.
    pub(super) paper: &'static str,
}

impl CategoryRow {
    /// How probable such a move is where it is played, in percent: `2^-bits`.
    pub(super) fn percent(&self) -> Option<f64> {
        // The bits come nearest to the probabilities on average, and may be less than none.
        self.bits.map(|bits| 100.0 * (-bits).exp2().min(1.0))
    }
}

/// A weight with what becomes of it.
#[derive(Debug, Serialize)]
pub(super) struct Weight {
    /// What it belongs to.
    pub(super) name: String,
    /// In nats.
    pub(super) weight: f64,
    /// Its standard error, as if samples were independent.
    pub(super) error: f64,
}

/// Learned reductions.
#[derive(Debug, Serialize)]
pub(super) struct Reductions {
    /// Does the config that is fitted reduce late moves at all?
    pub(super) enabled: bool,
    /// The ridge that was chosen.
    pub(super) ridge: f64,
    /// Late moves tried in the test games, and how many were the one.
    pub(super) trials: (u64, u64),
    /// What a trial costs under the model, in bits.
    pub(super) bits: f64,
    /// Plies for a nat.
    pub(super) rho: f64,
    /// The weights of what the config can say.
    pub(super) weights: Vec<Weight>,
    /// Keys before and after, as the config stores them.
    pub(super) keys: Vec<(String, i32, i32)>,
    /// Other models.
    pub(super) rivals: Vec<Entry>,
    /// Predictions and what happened, in the test games.
    pub(super) calibration: Vec<Bin>,
}
