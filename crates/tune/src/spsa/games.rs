//! Where and how all games of a run are played: those of the iterations, and the match of the tuned
//! values against those of the start, since a run only says where it went.

use std::{
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use sextant_cli::failure::Failure;
use sextant_config::Config;
use sextant_eval::nnue::Network;
use sextant_play::{
    EnginePlayer, MatchPlayers, Openings, Pentanomial, Plan, Rules, SprtResult, Tally, play_match,
};
use sextant_search::{Engine, EngineSetup, Limits};

use super::state::Recipe;
use crate::{
    engine,
    hash::{fnv, hex},
};

/// Keeps the openings of the verification match apart from those of the run.
const VERIFYING: u64 = 0x5665_7269_6679;

pub(super) struct Games {
    /// Those of the iterations, and of the match at the end.
    openings: [Openings; 2],
    /// Tells books apart; empty without a book.
    pub(super) book_hash: String,
    network: Option<Arc<Network>>,
    limits: Limits,
    rules: Rules,
    /// Games at the same time; the results do not depend on it.
    threads: u16,
}

impl Games {
    /// The games that a run asks for, with the openings of a book or random ones.
    pub(super) fn new(
        recipe: &Recipe,
        engine: &EngineSetup,
        book: Option<&Path>,
        threads: u16,
    ) -> Result<Games, Failure> {
        let seed = recipe.conditions.seed;
        let seeds = [seed, seed ^ VERIFYING];
        let (openings, book_hash) = match book {
            None => (seeds.map(Openings::random), String::new()),
            Some(path) => {
                let text = engine::read_positions(path)?;
                let bad = |error| Failure::usage(format!("{}: {error}", path.display()));
                let [own, last] = seeds.map(|seed| Openings::from_book(&text, seed).map_err(bad));
                ([own?, last?], hex(fnv(text.as_bytes())))
            }
        };
        Ok(Games {
            openings,
            book_hash,
            network: engine.network().cloned(),
            limits: Limits {
                nodes: Some(recipe.conditions.nodes),
                ..Limits::default()
            },
            rules: if recipe.adjudication {
                Rules::default()
            } else {
                Rules::natural()
            },
            threads,
        })
    }

    /// The plan of `pairs` pairs with the openings that follow on number `first`; a book that is at
    /// its end begins again, because the players are not the same as the last time.
    pub(super) fn iteration(&self, first: u64, pairs: u64) -> Plan {
        Plan {
            openings: self.openings[0].endless_from(first),
            pairs: Some(pairs),
            sprt: None,
            rules: self.rules.clone(),
        }
    }

    /// The plan of the match at the end: no opening is played twice.
    pub(super) fn verification(&self, recipe: &Recipe) -> Result<Plan, Failure> {
        let openings = self.openings[1].clone();
        let most = openings.count().unwrap_or(recipe.verify_pairs);
        Ok(Plan {
            openings,
            pairs: Some(most.min(recipe.verify_pairs)),
            sprt: recipe.sprt()?,
            rules: self.rules.clone(),
        })
    }

    /// Plays a match of two configs on after `so_far`, and hands the results to `save` after every
    /// pair; ends early when `stop` is set.
    pub(super) fn play(
        &self,
        configs: [&Config; 2],
        (plan, so_far): (&Plan, Tally),
        stop: &AtomicBool,
        save: &mut dyn FnMut(&Tally) -> Result<(), Failure>,
    ) -> Result<Tally, Failure> {
        let teams = (0..self.threads).map(|_| {
            Ok(MatchPlayers {
                first: self.player(configs[0])?,
                second: self.player(configs[1])?,
            })
        });
        let teams = teams.collect::<Result<_, Failure>>()?;
        let mut saved = Ok(());
        let tally = play_match(teams, plan, so_far, stop, &mut |_, tally| {
            saved = save(tally);
            saved.is_ok()
        });
        saved?;
        tally.map_err(Failure::work)
    }

    fn player(&self, config: &Config) -> Result<EnginePlayer, Failure> {
        let engine = Engine::on_caller(config.clone(), self.network.clone());
        let engine = engine.map_err(Failure::work)?;
        Ok(EnginePlayer::new(engine, self.limits.clone()))
    }
}

/// Is there nothing left to play in the match at the end?
pub(super) fn is_over(plan: &Plan, pairs: &Pentanomial) -> bool {
    let decided = plan.sprt.is_some_and(|sprt| sprt.verdict(pairs).is_some());
    decided || plan.pairs.is_some_and(|most| pairs.pairs() >= most)
}

/// What that match says, in a sentence.
pub(super) fn verdict(recipe: &Recipe, pairs: &Pentanomial) -> String {
    let error = pairs.elo_error();
    let error = error.map_or("?".to_owned(), |error| format!("{error:.1}"));
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
        "tuned against start: Elo {:+.1} +- {error} (95 %) after {} games, pairs {:?}{}",
        pairs.elo(),
        2 * pairs.pairs(),
        pairs.0,
        test.unwrap_or_default()
    )
}
