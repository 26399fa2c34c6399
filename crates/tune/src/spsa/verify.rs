//! The match of the tuned values against those of the start: a run only says where it went.

use sextant_cli::failure::Failure;
use sextant_play::{Pentanomial, Plan, Sprt, SprtModel, SprtResult};

use super::state::Recipe;

/// Error rates of the sequential test.
const ERROR_RATE: f64 = 0.05;

impl Recipe {
    /// The sequential test that a run asks for.
    ///
    /// # Errors
    /// [`Failure`] if there is no such test.
    pub(super) fn sprt(&self) -> Result<Option<Sprt>, Failure> {
        let test = |[elo0, elo1]: [f64; 2]| {
            Sprt::new(elo0, elo1, ERROR_RATE, ERROR_RATE, SprtModel::Logistic)
        };
        self.verify_sprt
            .map(test)
            .transpose()
            .map_err(Failure::usage)
    }
}

/// Is there nothing left to play?
pub(super) fn is_over(plan: &Plan, pairs: &Pentanomial) -> bool {
    let decided = plan.sprt.is_some_and(|sprt| sprt.verdict(pairs).is_some());
    decided || pairs.pairs() >= most(plan)
}

/// Most pairs that can be played: no opening is played twice.
pub(super) fn most(plan: &Plan) -> u64 {
    let wanted = plan.pairs.unwrap_or(u64::MAX);
    plan.openings.count().unwrap_or(wanted).min(wanted)
}

/// What the match says, in a sentence.
pub(super) fn text(recipe: &Recipe, pairs: &Pentanomial) -> String {
    let elo = match pairs.elo_error() {
        Some(error) => format!("{:+.1} +- {error:.1}", pairs.elo()),
        None => format!("{:+.1} +- ?", pairs.elo()),
    };
    let test = recipe.sprt().ok().flatten().map(|sprt| {
        let result = match sprt.verdict(pairs) {
            Some(SprtResult::H1) => "passed",
            Some(SprtResult::H0) => "failed",
            None => "undecided",
        };
        let ((elo0, elo1), llr) = (sprt.hypotheses(), sprt.llr(pairs));
        format!(", SPRT [{elo0}, {elo1}] {result} (LLR {llr:.2})")
    });
    format!(
        "tuned against start: Elo {elo} (95 %) after {} games, pairs {:?}{}",
        2 * pairs.pairs(),
        pairs.0,
        test.unwrap_or_default()
    )
}
