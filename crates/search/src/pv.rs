//! A principal variation fit to be shown: legal, and not running iterations the end of the game.

use sextant_board::{Move, is_insufficient_material};
use sextant_repetition::is_fifty;

use crate::game::Game;

/// The part of `line` that is legal from the game's position and ends where the game ends.
pub(crate) fn checked(game: &Game, line: &[Move]) -> Vec<Move> {
    let mut game = game.clone();
    let mut moves = Vec::with_capacity(line.len());
    for &mv in line {
        if !game.position().board().is_legal(mv) {
            break;
        }
        game.play(mv);
        moves.push(mv);
        let over = is_fifty(game.position().clock())
            || game.occurrences() >= 3
            || is_insufficient_material(game.position().board());
        if over {
            break;
        }
    }
    moves
}
