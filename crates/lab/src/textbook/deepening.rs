//! Iterative deepening: search one ply, then two, then three, until the time is used up.

use super::{alpha_beta::AlphaBeta, observer::Observer, ordering::Ordering, quiescence::Horizon};
use crate::game::{Game, Value, Window};

/// One finished search of the sequence.
#[derive(Clone, Debug)]
pub(crate) struct Iteration<W> {
    /// Plies looked ahead.
    pub(crate) depth: u32,
    /// Value for the side to move.
    pub(crate) value: Value,
    /// What watched this iteration alone.
    pub(crate) observer: W,
}

/// Searches `position` to depth 1, 2, 3 ... `depth` and returns all iterations. What the ordering
/// learns in one iteration helps the next.
pub(crate) fn deepen<G, O, H, W>(
    position: &G,
    order: O,
    horizon: H,
    depth: u32,
) -> Vec<Iteration<W>>
where
    G: Game,
    O: Ordering<G>,
    H: Horizon<G>,
    W: Observer + Default,
{
    let mut search = AlphaBeta {
        order,
        horizon,
        observer: W::default(),
    };
    let iterations = (1..=depth).map(|depth| Iteration {
        depth,
        value: search.search(position, Window::FULL, depth).value,
        observer: std::mem::take(&mut search.observer),
    });
    iterations.collect()
}
