//! Fail-soft negamax alpha-beta, the NFAB of the papers: negamax that skips what cannot matter.
//! With move ordering, which it lives on, and what to do at the horizon: guess at once, or first
//! let the captures play themselves out.

use std::{collections::HashMap, marker::PhantomData};

use cozy_chess::Move;

use super::{Tally, Visit};
use crate::game::{Game, Value, Window, chess::Chess};

/// An alpha-beta search with an order of moves and a way to judge positions at the horizon.
pub(crate) struct AlphaBeta<G, O, H> {
    order: O,
    horizon: H,
    pub(crate) tally: Tally,
    game: PhantomData<G>,
}

impl<G: Game, O: Ordering<G>, H: Horizon<G>> AlphaBeta<G, O, H> {
    pub(crate) fn new(order: O, horizon: H) -> Self {
        AlphaBeta {
            order,
            horizon,
            tally: Tally::default(),
            game: PhantomData,
        }
    }

    /// The value of `position` for the side to move, looking `depth` plies ahead.
    ///
    /// A value inside `window` is exact. One at or above beta is a lower bound, one at or below
    /// alpha an upper bound, and because the search is fail-soft the bound may lie outside.
    pub(crate) fn search(&mut self, position: &G, window: Window, depth: u32) -> Value {
        self.node(position, window, Visit::root(depth))
    }

    fn node(&mut self, position: &G, window: Window, visit: Visit) -> Value {
        let mut moves = Vec::new();
        if visit.depth > 0 {
            moves = position.moves();
            self.order.arrange(position, &mut moves);
        }
        let value = if !moves.is_empty() {
            self.best_child(position, &moves, window, visit)
        } else {
            self.tally.leaf(visit);
            match visit.depth {
                0 => self.horizon.value(position, window, &mut self.tally),
                _ => position.outcome(visit.ply),
            }
        };
        self.tally.leave(visit, window, value);
        value
    }

    fn best_child(&mut self, at: &G, moves: &[G::Move], window: Window, visit: Visit) -> Value {
        let (mut best, mut best_move) = (-Value::INFINITE, moves[0]);
        for (index, &mv) in moves.iter().enumerate() {
            let theirs = window.for_opponent(best);
            let value = -self.node(&at.play(mv), theirs, visit.child(index));
            if value > best {
                (best, best_move) = (value, mv);
            }
            if best >= window.beta {
                self.tally.cut_offs += u64::from(index + 1 < moves.len());
                break;
            }
        }
        self.order.learn(at, best_move);
        best
    }
}

/// Iterative deepening: searches to depth 1, 2, 3 ... `depth`; each iteration has its value and
/// what it alone cost. What the ordering learns in one iteration helps the next.
pub(crate) fn deepen<G: Game>(
    position: &G,
    order: impl Ordering<G>,
    horizon: impl Horizon<G>,
    depth: u32,
) -> Vec<(Value, Tally)> {
    let mut search = AlphaBeta::new(order, horizon);
    let iterations = (1..=depth).map(|depth| {
        let value = search.search(position, Window::FULL, depth);
        (value, std::mem::take(&mut search.tally))
    });
    iterations.collect()
}

/// Decides which move is tried first, and may learn from what the search finds.
pub(crate) trait Ordering<G: Game> {
    /// Puts the moves that promise most to the front.
    fn arrange(&mut self, position: &G, moves: &mut [G::Move]);

    /// The search found `best` to be the best (or good enough) at `position`.
    fn learn(&mut self, _position: &G, _best: G::Move) {}
}

/// The game's own order.
#[derive(Clone, Copy)]
pub(crate) struct AsGenerated;

impl<G: Game> Ordering<G> for AsGenerated {
    fn arrange(&mut self, _position: &G, _moves: &mut [G::Move]) {}
}

/// Chess: captures first, then promotions, then quiet moves, see [`Chess::promise`].
#[derive(Clone, Copy)]
pub(crate) struct CapturesFirst;

impl Ordering<Chess> for CapturesFirst {
    fn arrange(&mut self, position: &Chess, moves: &mut [Move]) {
        moves.sort_by_cached_key(|&mv| -position.promise(mv));
    }
}

/// Chess: the best move of an earlier visit first, then captures and the rest: what the shallow
/// searches of iterative deepening give to the deep ones.
#[derive(Default)]
pub(crate) struct BestFirst(HashMap<u64, Move>);

impl Ordering<Chess> for BestFirst {
    fn arrange(&mut self, position: &Chess, moves: &mut [Move]) {
        CapturesFirst.arrange(position, moves);
        let known = self.0.get(&position.key());
        if let Some(place) = known.and_then(|best| moves.iter().position(|mv| mv == best)) {
            moves[..=place].rotate_right(1);
        }
    }

    fn learn(&mut self, position: &Chess, best: Move) {
        self.0.insert(position.key(), best);
    }
}

/// How a search judges a position when no depth is left.
pub(crate) trait Horizon<G: Game> {
    /// Value for the side to move, exact inside `window` and a bound outside.
    fn value(&self, position: &G, window: Window, tally: &mut Tally) -> Value;
}

/// The evaluation, without a further look.
#[derive(Clone, Copy)]
pub(crate) struct Evaluate;

impl<G: Game> Horizon<G> for Evaluate {
    fn value(&self, position: &G, _window: Window, _tally: &mut Tally) -> Value {
        position.evaluate()
    }
}

/// Quiescence: a search of captures and promotions only, in which the mover may always decline to
/// take (*stand pat*): some quiet move will be at least as good as the evaluation says.
#[derive(Clone, Copy)]
pub(crate) struct Quiescence;

impl Horizon<Chess> for Quiescence {
    fn value(&self, position: &Chess, window: Window, tally: &mut Tally) -> Value {
        let mut best = position.evaluate();
        if best >= window.beta {
            return best;
        }
        let mut moves = position.moves();
        moves.retain(|&mv| position.is_noisy(mv));
        CapturesFirst.arrange(position, &mut moves);
        for mv in moves {
            tally.quiescence_nodes += 1;
            let theirs = window.for_opponent(best);
            best = best.max(-self.value(&position.play(mv), theirs, tally));
            if best >= window.beta {
                break;
            }
        }
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
    fn every_window_gives_the_value_or_the_right_bound() {
        for seed in 0..200 {
            let tree = UniformTree::new(4, 5, Order::Independent(seed)).unwrap();
            let truth = negamax(&tree, 5).0;
            let mut search = AlphaBeta::new(AsGenerated, Evaluate);
            assert_eq!(search.search(&tree, Window::FULL, 5), truth);
            assert!(search.tally.leaves < 1024, "{seed}: nothing was cut off");
            let near = [(-5, 5), (0, 1)].map(|(low, high)| (truth.0 + low, truth.0 + high));
            for (low, high) in [(0, 1 << 38), (1 << 39, 1 << 40)].into_iter().chain(near) {
                let [alpha, beta] = [low, high].map(Value);
                let value = search.search(&tree, Window { alpha, beta }, 5);
                if value <= alpha {
                    assert!(truth <= value, "upper bound {value:?} for {truth:?}");
                } else if value >= beta {
                    assert!(truth >= value, "lower bound {value:?} for {truth:?}");
                } else {
                    assert_eq!(value, truth);
                }
            }
        }
    }

    #[test]
    fn a_hanging_rook_is_taken_and_a_protected_pawn_is_not() {
        let gain = |fen: &str| {
            let position = Chess::new(fen.parse().unwrap(), 0);
            let settled = Quiescence.value(&position, Window::FULL, &mut Tally::default());
            settled.0 - position.evaluate().0
        };
        assert!(gain("4k3/8/8/3r4/8/8/3R4/4K3 w - - 0 1") > 400);
        assert_eq!(gain("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1"), 0);
    }

    #[test]
    fn the_cheapest_attacker_takes_the_dearest_victim_unless_another_move_was_best() {
        let fen = "4k3/8/8/3q1r2/4P3/8/3Q4/4K3 w - - 0 1";
        let position = Chess::new(fen.parse().unwrap(), 0);
        let mut order = BestFirst::default();
        let mut arranged = || {
            let mut moves = position.moves();
            order.arrange(&position, &mut moves);
            order.learn(&position, moves[7]);
            moves
        };
        let (first, second) = (arranged(), arranged());
        let names = first[..3].iter().map(ToString::to_string);
        assert!(names.eq(["e4d5", "d2d5", "e4f5"]));
        assert_eq!(second[0], first[7]);
        assert_eq!(second[1..=7], first[..7]);
        assert_eq!(second[8..], first[8..]);
    }
}
