//! Negamax: minimax with every value seen from the side to move, so that both players maximise.

use super::observer::{Observer, Visit};
use crate::game::{Game, Value, Window};

/// The value of `position` for the side to move, looking `depth` plies ahead. Visits every node:
/// b^depth leaves where there are b moves everywhere.
pub(crate) fn negamax<G: Game>(position: &G, depth: u32, observer: &mut impl Observer) -> Value {
    node(position, Visit::root(depth), observer)
}

fn node<G: Game>(position: &G, visit: Visit, observer: &mut impl Observer) -> Value {
    observer.enter(visit);
    let value = if visit.depth == 0 {
        observer.leaf(visit);
        position.evaluate()
    } else {
        let replies = position.moves();
        let values = replies
            .iter()
            .enumerate()
            .map(|(index, &mv)| -node(&position.play(mv), visit.child(index), observer));
        match values.max() {
            Some(best) => best,
            None => {
                observer.leaf(visit);
                position.outcome(visit.ply)
            }
        }
    };
    observer.leave(visit, Window::FULL, value);
    value
}
