//! The textbook searches over any [`Game`]: negamax, and fail-soft negamax alpha-beta (the NFAB of
//! the papers), which skips what cannot matter. With move ordering, on which it lives, with a guess
//! or a quiescence search at the horizon, and iteratively deepened.
//!
//! All depths and plies are counted in single moves of one player; a search of depth 0 is the
//! evaluation.

use std::collections::HashMap;

use cozy_chess::Move;

use crate::game::{Game, Value, Window, chess::Chess};

/// What a node is in the minimal tree of Knuth and Moore, who call the types 1, 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeType {
    /// On the principal variation: its exact value is needed.
    Pv,
    /// One good reply is enough here: the node is left by a cut-off.
    Cut,
    /// Every reply must be looked at, and none is good enough.
    All,
}

impl NodeType {
    /// The type that a node's child number `index` (from 0) is expected to have.
    fn child(self, index: usize) -> NodeType {
        match self {
            NodeType::Pv if index == 0 => NodeType::Pv,
            NodeType::Pv | NodeType::All => NodeType::Cut,
            NodeType::Cut => NodeType::All,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Nodes above and on the horizon, the root included.
    pub(crate) nodes: u64,
    /// Leaves by the type that they should have: PV, CUT, ALL.
    pub(crate) leaves_by_type: [u64; 3],
    /// Nodes below the horizon, where only captures are tried.
    pub(crate) quiescence_nodes: u64,
}

impl Tally {
    pub(crate) fn leaves(&self) -> u64 {
        self.leaves_by_type.iter().sum()
    }
}

/// Minimax with every value seen from the side to move, so that both players maximize. Visits every
/// node: b^depth leaves where there are b moves everywhere. A mate is worth the same at every ply.
pub(crate) fn negamax<G: Game>(position: &G, depth: u32, nodes: &mut u64) -> Value {
    *nodes += 1;
    if depth == 0 {
        return position.evaluate();
    }
    let moves = position.moves().into_iter();
    let values = moves.map(|mv| -negamax(&position.play(mv), depth - 1, nodes));
    values.max().unwrap_or_else(|| position.outcome(0))
}

/// An alpha-beta search.
pub(crate) struct AlphaBeta<G: Game> {
    /// Puts the moves that promise most to the front.
    order: fn(&G, &mut [G::Move]),
    /// Value at the horizon for the side to move, exact inside the window and a bound outside.
    horizon: Horizon<G>,
    /// The best moves of earlier visits, which are tried first; `None` if they are forgotten.
    best: Option<HashMap<u64, G::Move>>,
    pub(crate) tally: Tally,
}

pub(crate) type Horizon<G> = fn(&G, Window, &mut Tally) -> Value;

#[derive(Clone, Copy)]
struct Visit {
    ply: u32,
    /// How many plies are still to be searched below.
    depth: u32,
    /// What the node should be, were the move order perfect.
    expected: NodeType,
}

impl<G: Game> AlphaBeta<G> {
    pub(crate) fn new(order: fn(&G, &mut [G::Move]), horizon: Horizon<G>) -> Self {
        AlphaBeta {
            order,
            horizon,
            best: None,
            tally: Tally::default(),
        }
    }

    /// The value of `position` for the side to move, looking `depth` plies ahead.
    ///
    /// A value inside `window` is exact. One at or above beta is a lower bound, one at or below
    /// alpha an upper bound, and because the search is fail-soft the bound may lie outside.
    pub(crate) fn search(&mut self, position: &G, window: Window, depth: u32) -> Value {
        let (ply, expected) = (0, NodeType::Pv);
        let root = Visit {
            ply,
            depth,
            expected,
        };
        self.node(position, window, root)
    }

    fn node(&mut self, position: &G, window: Window, visit: Visit) -> Value {
        self.tally.nodes += 1;
        let moves = match visit.depth {
            0 => Vec::new(),
            _ => self.moves(position),
        };
        if moves.is_empty() {
            self.tally.leaves_by_type[visit.expected as usize] += 1;
            return match visit.depth {
                0 => (self.horizon)(position, window, &mut self.tally),
                _ => position.outcome(visit.ply),
            };
        }
        let (mut best, mut best_move) = (-Value::INFINITE, moves[0]);
        for (index, mv) in moves.into_iter().enumerate() {
            let child = Visit {
                ply: visit.ply + 1,
                depth: visit.depth - 1,
                expected: visit.expected.child(index),
            };
            let value = -self.node(&position.play(mv), window.for_opponent(best), child);
            if value > best {
                (best, best_move) = (value, mv);
            }
            if best >= window.beta {
                break;
            }
        }
        if let Some(known) = &mut self.best {
            known.insert(position.key(), best_move);
        }
        best
    }

    fn moves(&self, position: &G) -> Vec<G::Move> {
        let mut moves = position.moves();
        (self.order)(position, &mut moves);
        let known = self.best.as_ref();
        let best = known.and_then(|known| known.get(&position.key()));
        if let Some(place) = best.and_then(|best| moves.iter().position(|mv| mv == best)) {
            moves[..=place].rotate_right(1);
        }
        moves
    }
}

/// Iterative deepening: searches to depth 1, 2, 3 ... `depth`; each iteration has its value and
/// what it alone cost. Best moves of earlier visits come first, then captures and the rest.
pub(crate) fn deepen(position: &Chess, horizon: Horizon<Chess>, depth: u32) -> Vec<(Value, Tally)> {
    let mut search = AlphaBeta::new(captures_first, horizon);
    search.best = Some(HashMap::new());
    let iterations = (1..=depth).map(|depth| {
        let value = search.search(position, Window::FULL, depth);
        (value, std::mem::take(&mut search.tally))
    });
    iterations.collect()
}

/// The game's own order of moves.
pub(crate) fn as_generated<G: Game>(_: &G, _: &mut [G::Move]) {}

/// Captures first, then promotions, then quiet moves, see [`Chess::promise`].
pub(crate) fn captures_first(position: &Chess, moves: &mut [Move]) {
    moves.sort_by_cached_key(|&mv| -position.promise(mv));
}

/// The evaluation, without a further look.
pub(crate) fn evaluate<G: Game>(position: &G, _: Window, _: &mut Tally) -> Value {
    position.evaluate()
}

/// A search of captures and promotions only, in which the mover may always decline to take (*stand
/// pat*): some quiet move will be at least as good as the evaluation says.
pub(crate) fn quiescence(position: &Chess, window: Window, tally: &mut Tally) -> Value {
    let mut best = position.evaluate();
    if best >= window.beta {
        return best;
    }
    let mut moves = position.moves();
    moves.retain(|&mv| position.is_noisy(mv));
    captures_first(position, &mut moves);
    for mv in moves {
        tally.quiescence_nodes += 1;
        let theirs = window.for_opponent(best);
        best = best.max(-quiescence(&position.play(mv), theirs, tally));
        if best >= window.beta {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::uniform::{Order, UniformTree};

    /// One player picks the largest value, the other the smallest; all are the root player's.
    fn minimax<G: Game>(position: &G, depth: u32, is_max: bool) -> Value {
        if depth == 0 {
            let value = position.evaluate();
            return if is_max { value } else { -value };
        }
        let moves = position.moves().into_iter();
        let values = moves.map(|mv| minimax(&position.play(mv), depth - 1, !is_max));
        let best = if is_max { values.max() } else { values.min() };
        best.unwrap()
    }

    #[test]
    fn negamax_is_minimax_and_every_window_gives_its_value_or_the_right_bound() {
        for seed in 0..200 {
            let tree = UniformTree::new(4, 5, Order::Independent(seed)).unwrap();
            let truth = negamax(&tree, 5, &mut 0);
            assert_eq!(truth, minimax(&tree, 5, true));
            let mut search = AlphaBeta::new(as_generated, evaluate);
            assert_eq!(search.search(&tree, Window::FULL, 5), truth);
            let leaves = search.tally.leaves();
            assert!(leaves < 1024, "{seed}: nothing was cut off");
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
            let settled = quiescence(&position, Window::FULL, &mut Tally::default());
            settled.0 - position.evaluate().0
        };
        assert!(gain("4k3/8/8/3r4/8/8/3R4/4K3 w - - 0 1") > 400);
        assert_eq!(gain("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1"), 0);
    }

    #[test]
    fn the_cheapest_attacker_takes_the_dearest_victim_unless_another_move_was_best() {
        let fen = "4k3/8/8/3q1r2/4P3/8/3Q4/4K3 w - - 0 1";
        let position = Chess::new(fen.parse().unwrap(), 0);
        let mut search = AlphaBeta::new(captures_first, evaluate);
        let first = search.moves(&position);
        let names = first[..3].iter().map(ToString::to_string);
        assert!(names.eq(["e4d5", "d2d5", "e4f5"]));
        search.best = Some(HashMap::from([(position.key(), first[7])]));
        let second = search.moves(&position);
        assert_eq!(second[0], first[7]);
        assert_eq!(second[1..=7], first[..7]);
        assert_eq!(second[8..], first[8..]);
    }
}
