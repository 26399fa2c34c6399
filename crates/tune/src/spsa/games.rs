//! Where and how all games of a run are played.

use std::{
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use sextant_cli::{failure::Failure, files};
use sextant_config::Config;
use sextant_eval::nnue::Network;
use sextant_play::{EnginePlayer, MatchPlayers, Openings, Plan, Rules, Tally, play_match};
use sextant_search::{Engine, EngineSetup, Limits};

use super::state::Recipe;
use crate::hash::{fnv, hex};

/// Keeps the openings of the verification match apart from those of the run.
const VERIFYING: u64 = 0x5665_7269_6679;
/// The largest book that is read.
const LARGEST_BOOK: u64 = 4096 * files::MIB;

/// A book that was read, or random openings.
pub(super) struct Book {
    text: Option<String>,
    /// The name in errors.
    name: String,
}

impl Book {
    /// Reads the book; without one openings are random.
    ///
    /// # Errors
    /// [`Failure`] if it cannot be read.
    pub(super) fn read(path: Option<&Path>) -> Result<Book, Failure> {
        let text = path.map(|path| files::read_text(path, LARGEST_BOOK));
        Ok(Book {
            text: text.transpose()?,
            name: path.map_or_else(String::new, |path| path.display().to_string()),
        })
    }

    /// Tells books apart; empty without a book.
    pub(super) fn hash(&self) -> String {
        let text = self.text.as_ref();
        text.map_or_else(String::new, |text| hex(fnv(text.as_bytes())))
    }

    fn openings(&self, seed: u64) -> Result<Openings, Failure> {
        match &self.text {
            Some(text) => Openings::from_book(text, seed)
                .map_err(|error| Failure::usage(format!("{}: {error}", self.name))),
            None => Ok(Openings::random(seed)),
        }
    }
}

/// Where and how all games are played.
pub(super) struct Games {
    /// Those of the iterations.
    openings: Openings,
    /// Those of the match at the end.
    pub(super) verifying: Openings,
    network: Option<Arc<Network>>,
    limits: Limits,
    rules: Rules,
    /// Games at the same time; the results do not depend on it.
    threads: u16,
}

impl Games {
    /// The games that a run asks for.
    ///
    /// # Errors
    /// [`Failure`] names the first bad line of the book.
    pub(super) fn new(
        recipe: &Recipe,
        engine: &EngineSetup,
        book: &Book,
        threads: u16,
    ) -> Result<Games, Failure> {
        Ok(Games {
            openings: book.openings(recipe.seed)?,
            verifying: book.openings(recipe.seed ^ VERIFYING)?,
            network: engine.network().cloned(),
            limits: Limits {
                nodes: Some(recipe.nodes),
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

    /// The plan of `pairs` pairs with the openings that follow on number `first`; a book that is at its
    /// end begins again, because the players are not the same as the last time.
    pub(super) fn iteration(&self, first: u64, pairs: u64) -> Plan {
        Plan {
            openings: self.openings.endless_from(first),
            pairs: Some(pairs),
            sprt: None,
            rules: self.rules.clone(),
        }
    }

    /// The plan of the match at the end.
    pub(super) fn verification(&self, recipe: &Recipe) -> Result<Plan, Failure> {
        Ok(Plan {
            openings: self.verifying.clone(),
            pairs: Some(recipe.verify_pairs),
            sprt: recipe.sprt()?,
            rules: self.rules.clone(),
        })
    }

    /// Plays a match of two configs on after `so_far`, and hands the results to `save` after every
    /// pair; ends early when `stop` is set.
    ///
    /// # Errors
    /// [`Failure`] if an engine cannot be had or crashes, or `save` fails.
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
