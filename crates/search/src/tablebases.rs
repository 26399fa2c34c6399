//! Tablebases at the root.

use std::collections::HashMap;

use sextant_board::{Move, PackedMove, Ply, Score};
use sextant_config::SyzygyConfig;
use sextant_syzygy::{Tablebase, Wdl};

use crate::game::Game;

/// What a tabled result `ply` plies from the root is worth.
pub(crate) fn score(wdl: Wdl, ply: Ply) -> Score {
    match wdl {
        Wdl::Win => Score::table_win_at(ply),
        Wdl::Loss => Score::table_loss_at(ply),
        Wdl::CursedWin => Score::new(1),
        Wdl::BlessedLoss => Score::new(-1),
        Wdl::Draw => Score::DRAW,
    }
}

/// What is shown of a root move whose result the tables know: theirs, but a win or loss that the
/// search has found to its end keeps the distance. Among moves with one result the search goes on
/// by its own scores, which lead to a mate sooner.
pub(crate) fn shown(searched: Score, wdl: Wdl) -> Score {
    match wdl {
        Wdl::Win if searched.is_win() => searched,
        Wdl::Loss if searched.is_loss() => searched,
        _ => score(wdl, Ply::ROOT),
    }
}

/// The rank of every root move by the tables, higher is better, and its result; empty if they do
/// not cover the position (then all moves are of one rank).
pub(crate) fn root_ranks(
    tables: Option<&Tablebase>,
    config: &SyzygyConfig,
    game: &Game,
) -> HashMap<PackedMove, (i32, Wdl)> {
    let Some(tables) = tables else {
        return HashMap::new();
    };
    let board = game.position().board();
    let men = board.occupied().len();
    if men > tables.max_men().min(config.probe_limit as u32) {
        return HashMap::new();
    }
    // A failed probe is no information.
    let moves = tables.probe_root(board, has_repeated(game), config.fifty_move_rule);
    let ranked = moves.iter().flatten();
    ranked
        .map(|ranked| (PackedMove::from(ranked.mv), (ranked.rank, ranked.wdl)))
        .collect()
}

/// The line of the tables from the end of `line`, so that a tabled result is shown to its end;
/// empty where the tables have nothing to add.
pub(crate) fn rest_of_line(tables: &Tablebase, game: &Game, line: &[Move]) -> Vec<Move> {
    let mut end = game.clone();
    line.iter().for_each(|&mv| end.play(mv));
    let board = end.position().board();
    if board.occupied().len() > tables.max_men() {
        return Vec::new();
    }
    let rest = tables.main_line(board, LONGEST_LINE).into_iter();
    rest.flat_map(|rest| rest.moves)
        .map(|step| step.mv)
        .collect()
}

/// Plies that [`rest_of_line`] adds at most.
const LONGEST_LINE: usize = 120;

/// Has any position since the last irreversible move stood on the board twice?
fn has_repeated(game: &Game) -> bool {
    let reversible = usize::from(game.position().clock()) + 1;
    let keys = game.keys();
    let recent = &keys[keys.len().saturating_sub(reversible)..];
    let stood_before = |n: usize| recent[..n].iter().any(|(seen, _)| *seen == recent[n].0);
    (0..recent.len()).any(stood_before)
}
