//! Iterative deepening: search one ply, then two, then three, until the time is used up.

use super::alpha_beta::AlphaBeta;
use super::observer::Tally;
use super::ordering::Ordering;
use super::quiescence::Horizon;
use crate::game::{Game, Value, Window};

/// One finished search of the sequence.
#[derive(Clone, Debug)]
pub struct Iteration<M> {
    /// Plies looked ahead.
    pub depth: u32,
    /// Value for the side to move.
    pub value: Value,
    /// The move to make, if this were the last iteration.
    pub best: Option<M>,
    /// What this iteration alone cost.
    pub tally: Tally,
}

/// Searches `position` to depth 1, 2, 3 ... as long as `go_on` says so after each iteration, and
/// returns all of them. What the ordering learns in one iteration helps the next.
pub fn deepen<G, O, H>(
    position: &G,
    order: O,
    horizon: H,
    mut go_on: impl FnMut(&Iteration<G::Move>) -> bool,
) -> Vec<Iteration<G::Move>>
where
    G: Game,
    O: Ordering<G>,
    H: Horizon<G>,
{
    let mut search = AlphaBeta {
        order,
        horizon,
        observer: Tally::default(),
    };
    let mut iterations = Vec::new();
    for depth in 1.. {
        let found = search.search(position, Window::FULL, depth);
        let tally = std::mem::take(&mut search.observer);
        let iteration = Iteration {
            depth,
            value: found.value,
            best: found.best,
            tally,
        };
        let another = go_on(&iteration);
        iterations.push(iteration);
        if !another {
            break;
        }
    }
    iterations
}
