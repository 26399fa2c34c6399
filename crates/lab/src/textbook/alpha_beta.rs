//! Fail-soft negamax alpha-beta, the NFAB of the papers: negamax that skips what cannot matter.

use super::{
    horizon::{Evaluate, Horizon},
    ordering::{AsGenerated, Ordering},
    tally::{Tally, Visit},
};
use crate::game::{Game, Value, Window};

/// An alpha-beta search with an order of moves and a way to judge positions at the horizon.
#[derive(Clone, Debug, Default)]
pub(crate) struct AlphaBeta<O, H> {
    order: O,
    horizon: H,
    pub(crate) tally: Tally,
}

/// The plain search: moves as they are generated, the evaluation at the horizon.
pub(crate) type Plain = AlphaBeta<AsGenerated, Evaluate>;

impl<O, H> AlphaBeta<O, H> {
    pub(crate) fn new(order: O, horizon: H) -> AlphaBeta<O, H> {
        AlphaBeta {
            order,
            horizon,
            tally: Tally::default(),
        }
    }

    /// The value of `position` for the side to move, looking `depth` plies ahead.
    ///
    /// A value inside `window` is exact. One at or above beta is a lower bound, one at or below
    /// alpha an upper bound, and because the search is fail-soft the bound may lie outside.
    pub(crate) fn search<G>(&mut self, position: &G, window: Window, depth: u32) -> Value
    where
        G: Game,
        O: Ordering<G>,
        H: Horizon<G>,
    {
        self.node(position, window, Visit::root(depth))
    }

    fn node<G>(&mut self, position: &G, window: Window, visit: Visit) -> Value
    where
        G: Game,
        O: Ordering<G>,
        H: Horizon<G>,
    {
        let value = if visit.depth == 0 {
            self.tally.leaf(visit);
            self.horizon.value(position, window, &mut self.tally)
        } else {
            self.best_child(position, window, visit)
        };
        self.tally.leave(visit, window, value);
        value
    }

    fn best_child<G>(&mut self, position: &G, window: Window, visit: Visit) -> Value
    where
        G: Game,
        O: Ordering<G>,
        H: Horizon<G>,
    {
        let mut moves = position.moves();
        if moves.is_empty() {
            self.tally.leaf(visit);
            return position.outcome(visit.ply);
        }
        self.order.arrange(position, &mut moves);
        let (mut best, mut best_move) = (-Value::INFINITE, moves[0]);
        for (index, &mv) in moves.iter().enumerate() {
            let theirs = window.for_opponent(best);
            let value = -self.node(&position.play(mv), theirs, visit.child(index));
            if value > best {
                (best, best_move) = (value, mv);
            }
            if best >= window.beta {
                self.tally.cut_offs += u64::from(index + 1 < moves.len());
                break;
            }
        }
        self.order.learn(position, best_move);
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::uniform::{Order, UniformTree},
        textbook::exhaustive::negamax,
    };

    #[test]
    fn agrees_with_negamax_on_trees_without_any_structure() {
        for seed in 0..200 {
            let tree = UniformTree::new(4, 5, Order::Independent(seed)).unwrap();
            let mut search = Plain::default();
            let value = search.search(&tree, Window::FULL, 5);
            assert_eq!(value, negamax(&tree, 5).0, "seed {seed}");
            let leaves = search.tally.leaves;
            assert!(leaves < 1024, "seed {seed}: nothing was cut off");
        }
    }

    #[test]
    fn every_window_gives_the_value_or_the_right_bound() {
        for seed in 0..100 {
            let tree = UniformTree::new(3, 4, Order::Shuffled(seed)).unwrap();
            let truth = negamax(&tree, 4).0;
            let near = [(truth.0 - 5, truth.0 + 5), (truth.0, truth.0 + 1)];
            for (alpha, beta) in near.into_iter().chain([(0, 9), (60, 81)]) {
                let [alpha, beta] = [alpha, beta].map(Value);
                let value = Plain::default().search(&tree, Window { alpha, beta }, 4);
                if value <= alpha {
                    assert!(truth <= value, "upper bound {value} for {truth}");
                } else if value >= beta {
                    assert!(truth >= value, "lower bound {value} for {truth}");
                } else {
                    assert_eq!(value, truth);
                }
            }
        }
    }
}
