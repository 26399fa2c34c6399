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
    EnginePlayer, Openings, Opponents, Pair, Pentanomial, Plan, Rules, SprtResult, Tally,
    play_match,
};
use sextant_search::{Engine, EngineSetup, Limits};

use super::state::Options;
use crate::{engine, hash::hex};

/// Keeps the openings of the verification match apart from those of the run.
const VERIFYING: u64 = 0x5665_7269_6679;

pub(super) struct Games {
    /// Those of the iterations, and of the match at the end.
    openings: [Openings; 2],
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
        options: &Options,
        engine: &EngineSetup,
        book: Option<&Path>,
        threads: u16,
    ) -> Result<Games, Failure> {
        let openings = |seed| match book {
            None => Ok((Openings::random(seed), None)),
            Some(path) => engine::read_book(path, seed).map(|(book, hash)| (book, Some(hash))),
        };
        let (own, book_hash) = openings(options.seed)?;
        let (last, _) = openings(options.seed ^ VERIFYING)?;
        Ok(Games {
            openings: [own, last],
            book_hash: book_hash.map_or(String::new(), hex),
            network: engine.network().cloned(),
            limits: Limits {
                nodes: Some(options.nodes),
                ..Limits::default()
            },
            rules: if options.no_adjudication {
                Rules::natural()
            } else {
                Rules::default()
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
    pub(super) fn verification(&self, options: &Options) -> Result<Plan, Failure> {
        let openings = self.openings[1].clone();
        let asked = options.verify_pairs();
        Ok(Plan {
            pairs: Some(openings.count().map_or(asked, |all| all.min(asked))),
            openings,
            sprt: options.sprt()?,
            rules: self.rules.clone(),
        })
    }

    /// Plays a match of two configs on after `so_far`, and hands every pair with the results to
    /// `save`; ends early when `stop` is set.
    pub(super) fn play(
        &self,
        configs: [&Config; 2],
        (plan, so_far): (&Plan, Tally),
        stop: &AtomicBool,
        save: &mut dyn FnMut(&Pair, &Tally) -> Result<(), Failure>,
    ) -> Result<Tally, Failure> {
        let opponents = (0..self.threads).map(|_| {
            Ok(Opponents {
                first: self.player(configs[0])?,
                second: self.player(configs[1])?,
            })
        });
        let opponents = opponents.collect::<Result<_, Failure>>()?;
        let mut saved = Ok(());
        let tally = play_match(opponents, plan, so_far, stop, &mut |pair, tally| {
            saved = save(pair, tally);
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

pub(super) fn verdict(options: &Options, pairs: &Pentanomial) -> String {
    let error = pairs.elo_error();
    let error = error.map_or("?".to_owned(), |error| format!("{error:.1}"));
    let test = options.sprt().ok().flatten().map(|sprt| {
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
