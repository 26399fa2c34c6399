//! Minimax: one player picks the largest value, the other the smallest.

use super::observer::{Observer, Visit};
use crate::game::{Game, Value, Window};

/// Whose turn it is, seen from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Player {
    Max,
    Min,
}

/// The value of `position` for the side to move there, looking `depth` plies ahead.
///
/// Unlike every other algorithm here it keeps all values from the root player's view, as the
/// theorem is usually told.
pub(crate) fn minimax<G: Game>(position: &G, depth: u32, observer: &mut impl Observer) -> Value {
    node(position, Player::Max, Visit::root(depth), observer)
}

fn node<G: Game>(
    position: &G,
    player: Player,
    visit: Visit,
    observer: &mut impl Observer,
) -> Value {
    observer.enter(visit);
    let moves = if visit.depth == 0 {
        Vec::new()
    } else {
        position.moves()
    };
    let values = moves
        .iter()
        .enumerate()
        .map(|(index, &mv)| (visit.child(index), position.play(mv)));
    let best = match player {
        Player::Max => values
            .map(|(v, p)| node(&p, Player::Min, v, observer))
            .max(),
        Player::Min => values
            .map(|(v, p)| node(&p, Player::Max, v, observer))
            .min(),
    };
    let value = best.unwrap_or_else(|| {
        observer.leaf(visit);
        let for_mover = if visit.depth == 0 {
            position.evaluate()
        } else {
            position.outcome(visit.ply)
        };
        if player == Player::Max {
            for_mover
        } else {
            -for_mover
        }
    });
    observer.leave(visit, Window::FULL, value);
    value
}
