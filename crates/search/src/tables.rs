//! Tablebases at the root.

use std::collections::HashMap;

use sextant_board::{Move, PackedMove};
use sextant_config::SyzygyConfig;
use sextant_syzygy::Tablebase;

use crate::game::Game;

/// The rank of every root move by the tables, higher is better; empty if they do not cover the
/// position (then all moves are of one rank).
#[must_use]
pub(crate) fn root_ranks(
    tables: Option<&Tablebase>,
    config: &SyzygyConfig,
    game: &Game,
) -> HashMap<PackedMove, i32> {
    let Some(tables) = tables else {
        return HashMap::new();
    };
    let board = game.position().board();
    let men = board.occupied().len();
    if men > tables.max_men().min(config.probe_limit as u32) {
        return HashMap::new();
    }
    let repeated = has_repeated(game);
    match tables.probe_root(board, repeated, config.fifty_move_rule) {
        Ok(moves) => moves
            .iter()
            .map(|ranked| (PackedMove::from(ranked.mv), ranked.rank))
            .collect(),
        // A failed probe is no information.
        Err(_) => HashMap::new(),
    }
}

/// The line of the tables from the end of `line`, so that a tabled result is shown to its end;
/// empty where the tables have nothing to add.
#[must_use]
pub(crate) fn rest_of_line(tables: &Tablebase, game: &Game, line: &[Move]) -> Vec<Move> {
    let mut end = game.clone();
    line.iter().for_each(|&mv| end.play(mv));
    let board = end.position().board();
    if board.occupied().len() > tables.max_men() {
        return Vec::new();
    }
    let rest = tables.main_line(board, LONGEST_LINE);
    rest.map_or_else(
        |_| Vec::new(),
        |rest| rest.moves.iter().map(|step| step.mv).collect(),
    )
}

/// Plies that [`rest_of_line`] adds at most.
const LONGEST_LINE: usize = 120;

/// Has any position since the last irreversible move stood on the board twice?
fn has_repeated(game: &Game) -> bool {
    let reversible = usize::from(game.position().clock()) + 1;
    let keys = game.keys();
    let recent = &keys[keys.len().saturating_sub(reversible)..];
    recent
        .iter()
        .enumerate()
        .any(|(n, (key, _))| recent[..n].iter().any(|(seen, _)| seen == key))
}
