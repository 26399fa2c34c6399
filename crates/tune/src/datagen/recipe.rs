//! What a file's games depend on, kept beside it: a file goes on only with the same.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sextant_board::{Position, parse_fen};
use sextant_search::{Game, Limits};

use super::{Args, setup::Setup};
use crate::{
    failure::Failure,
    hash::{fnv, hex},
};

/// The meaning of the games changes with this number.
const GENERATION: u32 = 1;

/// The score that decides a game where nobody asks for another.
pub(super) const WIN_SCORE: i32 = 2_000;

/// What files say that were begun when there was no choice.
fn usual_win_score() -> i32 {
    WIN_SCORE
}

/// Everything that the games are a function of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recipe {
    generator: u32,
    /// The engine's version, for people.
    engine: String,
    /// What the engine finds in two positions: two engines that agree here play alike.
    signature: String,
    config: String,
    seed: u64,
    soft_nodes: u64,
    hard_nodes: u64,
    hash: i32,
    /// A hash of the books' bytes, or `none`.
    book: String,
    chess960_per_mille: u16,
    random_plies: [u16; 2],
    most_unequal: i32,
    adjudication: bool,
    #[serde(default = "usual_win_score")]
    win_score: i32,
    /// How many WDL tables end games.
    tables: usize,
}

impl Recipe {
    /// The recipe of these arguments. Searches a little, to know the engine.
    pub(super) fn new(args: &Args, setup: &Setup) -> Result<Recipe, Failure> {
        Ok(Recipe {
            generator: GENERATION,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            signature: hex(signature(setup)?),
            config: hex(setup.mind.config().hash()),
            seed: args.seed,
            soft_nodes: args.soft_nodes,
            hard_nodes: args.hard_nodes(),
            hash: args.hash,
            book: setup.book_hash.map_or_else(|| "none".to_owned(), hex),
            chess960_per_mille: args.chess960,
            random_plies: [args.random_plies_min, args.random_plies_max],
            most_unequal: args.most_unequal,
            adjudication: !args.no_adjudication,
            win_score: args.win_score,
            tables: setup
                .rules
                .tablebase
                .as_ref()
                .map_or(0, |tables| tables.inventory().wdl_count()),
        })
    }

    /// Where the recipe of a file of games lies.
    pub(super) fn path(games: &Path) -> PathBuf {
        let mut path = games.as_os_str().to_owned();
        path.push(".toml");
        path.into()
    }

    /// The recipe as a file.
    pub(super) fn to_toml(&self) -> Result<String, Failure> {
        let body = toml::to_string(self).map_err(Failure::work)?;
        Ok(format!(
            "# What the games of the file beside this one are a function of; written by\n\
             # `sextant-tune datagen`, which goes on with that file only if nothing here differs.\n\
             {body}"
        ))
    }

    /// The names of the values in which a written recipe differs, with both values.
    pub(super) fn differences(&self, written: &Recipe) -> Result<Vec<String>, Failure> {
        // TOML's own values end at the largest i64, which a seed may be beyond.
        let value = |recipe| serde_json::to_value(recipe).map_err(Failure::work);
        let (now, then) = (value(self)?, value(written)?);
        let fields = now.as_object().into_iter().flatten();
        Ok(fields
            .filter(|(key, value)| then[*key] != **value)
            .map(|(key, value)| format!("{key} was {} and is now {value}", then[key]))
            .collect())
    }
}

/// A hash of moves, scores and node counts of a few searches.
fn signature(setup: &Setup) -> Result<u64, Failure> {
    const NODES: u64 = 20_000;
    const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut engine = setup.mind.engine()?;
    let limits = Limits {
        soft_nodes: Some(NODES),
        ..Limits::default()
    };
    let mut text = String::new();
    for position in [
        Position::startpos(),
        parse_fen(MIDDLEGAME).map_err(Failure::work)?,
    ] {
        let outcome = engine.go_armed(&Game::new(position), &limits, 1, &mut |_| ());
        let score = outcome.score().raw();
        text.push_str(&format!("{:?} {score} {}\n", outcome.best, outcome.nodes));
    }
    Ok(fnv(text.as_bytes()))
}
