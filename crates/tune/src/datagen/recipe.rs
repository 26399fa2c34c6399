//! What a file's games depend on, kept beside it: a run resumes only with the same recipe.

use serde::{Deserialize, Serialize};
use sextant_board::{Position, parse_fen};
use sextant_cli::failure::Failure;
use sextant_search::{Game, Limits};

use super::{
    args::{Args, WIN_SCORE},
    setup::Setup,
};
use crate::hash::{fnv, hex};

pub(super) const COMMENT: &str = "\
# What the games of the file beside this one are a function of; written by
# `sextant-tune datagen`, which goes on with that file only if nothing here differs.
";

/// The meaning of the games changes with this number.
const GENERATION: u32 = 1;

/// That of files which were begun when there was no choice.
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
        let tables = setup.rules.tablebase.as_ref();
        Ok(Recipe {
            generator: GENERATION,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            signature: hex(signature(setup)?),
            config: hex(setup.engine.config().hash()),
            seed: args.seed,
            soft_nodes: args.search.soft_nodes,
            hard_nodes: args.hard_nodes(),
            hash: args.search.hash,
            book: setup.book_hash.map_or_else(|| "none".to_owned(), hex),
            chess960_per_mille: args.start.chess960_per_mille(),
            random_plies: [args.start.random_plies_min, args.start.random_plies_max],
            most_unequal: args.start.most_unequal,
            adjudication: !args.end.no_adjudication,
            win_score: args.end.win_score,
            tables: tables.map_or(0, |tables| tables.inventory().wdl_count()),
        })
    }
}

/// A hash of moves, scores and node counts of a few searches.
fn signature(setup: &Setup) -> Result<u64, Failure> {
    const NODES: u64 = 20_000;
    const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut engine = setup.engine.engine_on_caller().map_err(Failure::work)?;
    let limits = Limits {
        soft_nodes: Some(NODES),
        ..Limits::default()
    };
    let mut text = String::new();
    let middlegame = parse_fen(MIDDLEGAME).map_err(Failure::work)?;
    for position in [Position::startpos(), middlegame] {
        let outcome = engine.arm_and_go(&Game::new(position), &limits);
        let score = outcome.score().raw();
        text.push_str(&format!("{:?} {score} {}\n", outcome.best, outcome.nodes));
    }
    Ok(fnv(text.as_bytes()))
}
