//! What all games have in common, made from the arguments.

use std::{fs, sync::Arc};

use sextant_board::Score;
use sextant_play::{DrawRule, Openings, Rules, TrainingStarts, WinRule};
use sextant_search::Limits;
use sextant_syzygy::{Backend, Tablebase};

use super::Args;
use crate::{
    engine::{self, Mind},
    failure::Failure,
    hash::fnv,
};

/// Nodes of the search that looks whether a start is balanced.
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
    pub(super) mind: Mind,
    pub(super) starts: TrainingStarts,
    pub(super) limits: Limits,
    pub(super) rules: Rules,
    /// The books' bytes, to tell them apart.
    pub(super) book_hash: Option<u64>,
}

impl Setup {
    /// Reads everything that the arguments name.
    pub(super) fn new(args: &Args) -> Result<Setup, Failure> {
        if args.random_plies_min > args.random_plies_max {
            return Err(Failure::usage(format!(
                "--random-plies-min {} is more than --random-plies-max {}",
                args.random_plies_min, args.random_plies_max
            )));
        }
        let book = book(args)?;
        Ok(Setup {
            mind: Mind::load(&args.config, args.hash)?,
            book_hash: book.as_ref().map(|(_, hash)| *hash),
            starts: TrainingStarts {
                seed: args.seed,
                book: book.map(|(openings, _)| openings),
                chess960_per_mille: args.chess960,
                random_plies: args.random_plies_min.into()..=args.random_plies_max.into(),
                judge_nodes: JUDGE_NODES,
                most_unequal: args.most_unequal,
            },
            limits: engine::limits(args.soft_nodes, args.hard_nodes()),
            rules: rules(args)?,
        })
    }
}

/// All books as one, and a hash of their bytes.
fn book(args: &Args) -> Result<Option<(Openings, u64)>, Failure> {
    if args.books.is_empty() {
        return Ok(None);
    }
    let mut whole = String::new();
    for path in &args.books {
        let path_text = path.display();
        let text = fs::read_to_string(path).map_err(|error| {
            Failure::usage(format!("cannot read the book {path_text}: {error}"))
        })?;
        Openings::from_book(&text, args.seed)
            .map_err(|error| Failure::usage(format!("{path_text}: {error}")))?;
        whole.push_str(&text);
        whole.push('\n');
    }
    let openings = Openings::from_book(&whole, args.seed).map_err(Failure::usage)?;
    Ok(Some((openings, fnv(whole.as_bytes()))))
}

fn rules(args: &Args) -> Result<Rules, Failure> {
    let tablebase = args
        .syzygy
        .as_deref()
        .map(|folders| Tablebase::open(folders, Backend::Native))
        .transpose()
        .map_err(Failure::usage)?;
    if let Some(tables) = &tablebase
        && tables.max_men() == 0
    {
        return Err(Failure::usage(format!(
            "--syzygy {}: no WDL table that can be used is there",
            args.syzygy.as_deref().unwrap_or_default()
        )));
    }
    let adjudicates = !args.no_adjudication;
    Ok(Rules {
        win: adjudicates.then_some(WinRule {
            score: Score::new(args.win_score),
            plies: WIN_PLIES,
        }),
        draw: adjudicates.then_some(DRAW),
        tablebase: tablebase.map(Arc::new),
        ..Rules::natural()
    })
}
