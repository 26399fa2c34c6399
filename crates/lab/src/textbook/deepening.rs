//! Iterative deepening: search one ply, then two, then three, until the time is used up.

use super::{alpha_beta::AlphaBeta, horizon::Horizon, ordering::Ordering, tally::Tally};
use crate::game::{Game, Value, Window};

/// Searches `position` to depth 1, 2, 3 ... `depth`; each iteration has its value and what it alone
/// cost. What the ordering learns in one iteration helps the next.
pub(crate) fn deepen<G, O, H>(position: &G, order: O, horizon: H, depth: u32) -> Vec<(Value, Tally)>
where
    G: Game,
    O: Ordering<G>,
    H: Horizon<G>,
{
    let mut search = AlphaBeta::new(order, horizon);
    let iterations = (1..=depth).map(|depth| {
        let value = search.search(position, Window::FULL, depth);
        (value, std::mem::take(&mut search.tally))
    });
    iterations.collect()
}
