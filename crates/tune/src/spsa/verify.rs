//! The match of the tuned values against those of the start: a run only says where it went.

use std::sync::atomic::AtomicBool;

use sextant_config::Config;
use sextant_play::{
    EnginePlayer, MatchPlayers, Openings, Pair, Pentanomial, Plan, Sprt, SprtModel, SprtResult,
    Tally, resume_match,
};
use sextant_search::Engine;

use super::{games::Hall, state::Recipe};
use crate::failure::Failure;

/// Error rates of the sequential test.
const ERROR_RATE: f64 = 0.05;

/// The sequential test that a run asks for.
pub(super) fn sprt(recipe: &Recipe) -> Result<Option<Sprt>, Failure> {
    recipe
        .verify_sprt
        .map(|[elo0, elo1]| Sprt::new(elo0, elo1, ERROR_RATE, ERROR_RATE, SprtModel::Logistic))
        .transpose()
        .map_err(Failure::usage)
}

/// Plays on after `so_far`, and hands the results to `save` after every pair; ends early when `stop`
/// is set.
pub(super) fn play(
    hall: &Hall,
    openings: Openings,
    recipe: &Recipe,
    [tuned, base]: [&Config; 2],
    so_far: Pentanomial,
    stop: &AtomicBool,
    save: &mut dyn FnMut(&Tally) -> Result<(), Failure>,
) -> Result<Tally, Failure> {
    let player = |config: &Config| {
        Engine::on_caller(config.clone(), hall.network.clone())
            .map(|engine| EnginePlayer::new(engine, hall.limits.clone()))
            .map_err(Failure::work)
    };
    let team = || {
        Ok(MatchPlayers {
            first: player(tuned)?,
            second: player(base)?,
        })
    };
    let teams = (0..hall.threads)
        .map(|_| team())
        .collect::<Result<_, Failure>>()?;
    let plan = Plan {
        pairs: Some(most(recipe, &openings)),
        openings,
        sprt: sprt(recipe)?,
        rules: hall.rules.clone(),
    };
    let so_far = Tally {
        pairs: so_far,
        ..Tally::default()
    };
    let mut saved = Ok(());
    let mut report = |_: &Pair, tally: &Tally| {
        saved = save(tally);
        saved.is_ok()
    };
    let tally = resume_match(teams, &plan, so_far, stop, &mut report).map_err(Failure::work)?;
    saved?;
    Ok(tally)
}

/// Is there nothing left to play?
pub(super) fn is_over(recipe: &Recipe, openings: &Openings, pairs: &Pentanomial) -> bool {
    let decided = sprt(recipe).is_ok_and(|sprt| sprt.is_some_and(|s| s.verdict(pairs).is_some()));
    decided || pairs.pairs() >= most(recipe, openings)
}

/// Most pairs that can be played: no opening is played twice.
pub(super) fn most(recipe: &Recipe, openings: &Openings) -> u64 {
    let all = openings.count().unwrap_or(recipe.verify_pairs);
    all.min(recipe.verify_pairs)
}

/// What the match says, in a sentence.
pub(super) fn text(recipe: &Recipe, pairs: &Pentanomial) -> String {
    let elo = match pairs.elo_error() {
        Some(error) => format!("{:+.1} +- {error:.1}", pairs.elo()),
        None => format!("{:+.1} +- ?", pairs.elo()),
    };
    let test = sprt(recipe).ok().flatten().map(|sprt| {
        let verdict = match sprt.verdict(pairs) {
            Some(SprtResult::H1) => "passed",
            Some(SprtResult::H0) => "failed",
            None => "undecided",
        };
        let (elo0, elo1) = sprt.hypotheses();
        format!(
            ", SPRT [{elo0}, {elo1}] {verdict} (LLR {:.2})",
            sprt.llr(pairs)
        )
    });
    format!(
        "tuned against start: Elo {elo} (95 %) after {} games, pairs {:?}{}",
        2 * pairs.pairs(),
        pairs.0,
        test.unwrap_or_default()
    )
}
