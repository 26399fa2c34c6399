//! Solving a game with a table: positions reached in several ways are searched once.

use std::collections::HashMap;

use crate::game::{Game, Value};

/// The true value of `position` for the side to move, playing to the end of the game. `table`
/// receives every position met, under the name that `key` gives it; positions with the same
/// name must have the same value.
pub(crate) fn solve<G: Game>(
    position: &G,
    key: &impl Fn(&G) -> u64,
    table: &mut HashMap<u64, Value>,
) -> Value {
    let name = key(position);
    if let Some(&value) = table.get(&name) {
        return value;
    }
    let replies = position.moves();
    let best = replies
        .iter()
        .map(|&mv| -solve(&position.play(mv), key, table))
        .max();
    let value = best.unwrap_or_else(|| position.outcome(0));
    table.insert(name, value);
    value
}
