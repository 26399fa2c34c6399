//! What all games have in common, made from the arguments.

use sextant_board::Score;
use sextant_cli::failure::Failure;
use sextant_play::{DrawRule, Openings, Record, Rules, TrainingStarts, Turn, WinRule, play_game};
use sextant_search::{Engine, EngineSetup, Limits};

use super::args::{Args, EndArgs, StartArgs};
use crate::{args::limits, engine, hash::fnv};

/// Nodes of the search that checks whether a start is balanced.
const JUDGE_NODES: u64 = 1_000;

/// Plies in a row after which a score of `--win-score` decides a game.
const WIN_PLIES: u32 = 4;
const DRAW: DrawRule = DrawRule {
    score: 8,
    plies: 8,
    from_ply: 80,
};

/// Engine, starts, limits and rules of all games.
pub(super) struct Setup {
    pub(super) engine: EngineSetup,
    pub(super) starts: TrainingStarts,
    pub(super) limits: Limits,
    pub(super) rules: Rules,
    /// The books' bytes, to tell them apart.
    pub(super) book_hash: Option<u64>,
}

impl Setup {
    pub(super) fn new(args: &Args) -> Result<Setup, Failure> {
        let Args { search, start, .. } = args;
        if start.random_plies_min > start.random_plies_max {
            return Err(Failure::usage(format!(
                "--random-plies-min {} is more than --random-plies-max {}",
                start.random_plies_min, start.random_plies_max
            )));
        }
        let book = book(start, args.seed)?;
        Ok(Setup {
            engine: engine::load(&search.config, search.hash)?,
            book_hash: book.as_ref().map(|(_, hash)| *hash),
            starts: TrainingStarts {
                seed: args.seed,
                book: book.map(|(openings, _)| openings),
                chess960_per_mille: start.chess960_per_mille(),
                random_plies: start.random_plies_min.into()..=start.random_plies_max.into(),
                judge_nodes: JUDGE_NODES,
                most_unequal: start.most_unequal,
            },
            limits: limits(search.soft_nodes, args.hard_nodes()),
            rules: rules(&args.end)?,
        })
    }

    /// Plays game number `index` from its start; `None` if `is_over` says that nobody wants it.
    pub(super) fn play(
        &self,
        engine: &mut Engine,
        index: u64,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Record>, Failure> {
        engine.new_game();
        let start = self.starts.find(engine, index);
        let start = start.map_err(Failure::work)?;
        let choose = |_, game: &_| Turn::of_search(engine, game, &self.limits);
        play_game(&start, choose, &self.rules, is_over)
            .map_err(|error| Failure::work(format!("game {}: {error}", index + 1)))
    }
}

/// All books as one, and a hash of their bytes.
fn book(args: &StartArgs, seed: u64) -> Result<Option<(Openings, u64)>, Failure> {
    if args.books.is_empty() {
        return Ok(None);
    }
    let mut whole = String::new();
    for path in &args.books {
        let text = engine::read_positions(path)?;
        Openings::from_book(&text, seed)
            .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        whole.push_str(&text);
        whole.push('\n');
    }
    let openings = Openings::from_book(&whole, seed).map_err(Failure::usage)?;
    Ok(Some((openings, fnv(whole.as_bytes()))))
}

fn rules(args: &EndArgs) -> Result<Rules, Failure> {
    let mut rules = Rules::natural();
    if !args.no_adjudication {
        rules.win = Some(WinRule {
            score: Score::new(args.win_score),
            plies: WIN_PLIES,
        });
        rules.draw = Some(DRAW);
    }
    let folders = args.syzygy.as_deref();
    rules.tablebase = folders.map(engine::open_tables).transpose()?;
    Ok(rules)
}
