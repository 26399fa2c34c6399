//! Move ordering: what alpha-beta lives on.

use std::collections::HashMap;

use cozy_chess::Move;

use crate::game::{Game, chess::Chess};

/// Decides which move is tried first, and may learn from what the search finds.
pub(crate) trait Ordering<G: Game> {
    /// Puts the moves that promise most to the front.
    fn arrange(&mut self, position: &G, moves: &mut [G::Move]);

    /// The search found `best` to be the best (or good enough) at `position`.
    fn learn(&mut self, _position: &G, _best: G::Move) {}
}

/// The game's own order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AsGenerated;

impl<G: Game> Ordering<G> for AsGenerated {
    fn arrange(&mut self, _position: &G, _moves: &mut [G::Move]) {}
}

/// Chess: captures first, then promotions, then quiet moves, see [`Chess::promise`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CapturesFirst;

impl Ordering<Chess> for CapturesFirst {
    fn arrange(&mut self, position: &Chess, moves: &mut [Move]) {
        moves.sort_by_cached_key(|&mv| -position.promise(mv));
    }
}

/// Chess: the best move of an earlier visit first, then captures and the rest: what the shallow
/// searches of iterative deepening give to the deep ones.
#[derive(Clone, Debug, Default)]
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

#[cfg(test)]
mod tests {
    use super::*;

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
