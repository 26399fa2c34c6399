//! Fail-soft negamax alpha-beta, the NFAB of the papers: negamax that skips what cannot matter.

use super::{
    observer::{Observer, Tally, Visit},
    ordering::{AsGenerated, Ordering},
    quiescence::{Evaluate, Horizon},
};
use crate::game::{Game, Value, Window};

/// An alpha-beta search put together from three choices.
#[derive(Clone, Debug, Default)]
pub(crate) struct AlphaBeta<O, H, W> {
    /// In which order moves are tried.
    pub(crate) order: O,
    /// What happens when no depth is left.
    pub(crate) horizon: H,
    /// Who watches.
    pub(crate) observer: W,
}

/// The plain search: moves as they are generated, the evaluation at the horizon, counted.
pub(crate) type Plain = AlphaBeta<AsGenerated, Evaluate, Tally>;

impl<O, H, W: Observer> AlphaBeta<O, H, W> {
    /// The value of `position` for the side to move, looking `depth` plies ahead, and the move
    /// that achieves it (none if the game is over or the depth is 0).
    ///
    /// A value inside `window` is exact. One at or above beta is a lower bound, one at or below
    /// alpha an upper bound, and because the search is fail-soft the bound may lie outside.
    pub(crate) fn search<G>(&mut self, position: &G, window: Window, depth: u32) -> Found<G::Move>
    where
        G: Game,
        O: Ordering<G>,
        H: Horizon<G>,
    {
        self.node(position, window, Visit::root(depth))
    }

    fn node<G>(&mut self, position: &G, window: Window, visit: Visit) -> Found<G::Move>
    where
        G: Game,
        O: Ordering<G>,
        H: Horizon<G>,
    {
        self.observer.enter(visit);
        let found = if visit.depth == 0 {
            self.observer.leaf(visit);
            let value = self
                .horizon
                .value(position, window, visit.ply, &mut self.observer);
            Found { value, best: None }
        } else {
            self.best_child(position, window, visit)
        };
        self.observer.leave(visit, window, found.value);
        found
    }

    fn best_child<G>(&mut self, position: &G, window: Window, visit: Visit) -> Found<G::Move>
    where
        G: Game,
        O: Ordering<G>,
        H: Horizon<G>,
    {
        let mut moves = position.moves();
        if moves.is_empty() {
            self.observer.leaf(visit);
            return Found {
                value: position.outcome(visit.ply),
                best: None,
            };
        }
        self.order.arrange(position, &mut moves);
        let mut found = Found {
            value: -Value::INFINITE,
            best: None,
        };
        for (index, &mv) in moves.iter().enumerate() {
            let theirs = window.for_opponent(found.value);
            let value = -self
                .node(&position.play(mv), theirs, visit.child(index))
                .value;
            if value > found.value {
                found = Found {
                    value,
                    best: Some(mv),
                };
            }
            if found.value >= window.beta {
                if index + 1 < moves.len() {
                    self.observer.cut_off(visit);
                }
                break;
            }
        }
        if let Some(best) = found.best {
            self.order.learn(position, best);
        }
        found
    }
}

/// What a search returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found<M> {
    /// Value for the side to move.
    pub(crate) value: Value,
    /// The move that the value belongs to.
    pub(crate) best: Option<M>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::uniform::{Order, UniformTree};
    use crate::textbook::negamax::negamax;

    #[test]
    fn agrees_with_negamax_on_trees_without_any_structure() {
        for seed in 0..200 {
            let tree = UniformTree::new(4, 5, Order::Independent(seed)).unwrap();
            let mut search = Plain::default();
            let value = search.search(&tree, Window::FULL, 5).value;
            assert_eq!(value, negamax(&tree, 5, &mut ()), "seed {seed}");
            assert!(
                search.observer.leaves < 1024,
                "seed {seed}: nothing was cut off"
            );
        }
    }

    #[test]
    fn every_window_gives_the_value_or_the_right_bound() {
        for seed in 0..100 {
            let tree = UniformTree::new(3, 4, Order::Shuffled(seed)).unwrap();
            let truth = negamax(&tree, 4, &mut ());
            for (low, high) in [
                (truth.0 - 5, truth.0 + 5),
                (truth.0, truth.0 + 1),
                (0, 9),
                (60, 81),
            ] {
                let window = Window {
                    alpha: Value(low),
                    beta: Value(high),
                };
                let value = Plain::default().search(&tree, window, 4).value;
                if value <= window.alpha {
                    assert!(truth <= value, "upper bound {value} for {truth}");
                } else if value >= window.beta {
                    assert!(truth >= value, "lower bound {value} for {truth}");
                } else {
                    assert_eq!(value, truth);
                }
            }
        }
    }
}
