//! Move ordering: what alpha-beta lives on.

use std::collections::HashMap;

use cozy_chess::Move;

use crate::game::{
    Game, Value,
    chess::Chess,
    evaluation::{piece_value, placement},
};

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

/// The best move of an earlier visit first, then as the other ordering says: what the shallow
/// searches of iterative deepening give to the deep ones.
#[derive(Clone, Debug)]
pub(crate) struct Remembering<O, M> {
    best: HashMap<u64, M>,
    otherwise: O,
}

impl<O: Default, M> Default for Remembering<O, M> {
    fn default() -> Self {
        Remembering {
            best: HashMap::new(),
            otherwise: O::default(),
        }
    }
}

impl<G: Game, O: Ordering<G>> Ordering<G> for Remembering<O, G::Move> {
    fn arrange(&mut self, position: &G, moves: &mut [G::Move]) {
        self.otherwise.arrange(position, moves);
        let known = self.best.get(&position.key());
        if let Some(place) = known.and_then(|best| moves.iter().position(|mv| mv == best)) {
            moves[..=place].rotate_right(1);
        }
    }

    fn learn(&mut self, position: &G, best: G::Move) {
        self.best.insert(position.key(), best);
    }
}

/// Chess: captures first, the most valuable victim by the least valuable attacker, then
/// promotions, then quiet moves by how much better the piece stands afterwards.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CapturesFirst;

impl CapturesFirst {
    /// Promise of a move, in centipawns and a large step between captures and the rest.
    pub(crate) fn promise(position: &Chess, mv: Move) -> Value {
        const TACTICAL: i32 = 100_000;
        let board = position.board();
        let Some(piece) = board.piece_on(mv.from) else {
            return Value::ZERO;
        };
        let victim = position
            .victim(mv)
            .map_or(0, |v| TACTICAL + piece_value(v) * 32);
        let promotion = mv.promotion.map_or(0, |p| TACTICAL / 2 + piece_value(p));
        let attacker = if victim > 0 {
            piece_value(piece) / 16
        } else {
            0
        };
        let mover = board.side_to_move();
        let step = placement(piece, mv.to, mover, false) - placement(piece, mv.from, mover, false);
        Value(i64::from(victim + promotion - attacker + step))
    }
}

impl Ordering<Chess> for CapturesFirst {
    fn arrange(&mut self, position: &Chess, moves: &mut [Move]) {
        moves.sort_by_cached_key(|&mv| -CapturesFirst::promise(position, mv));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_attacker_takes_the_dearest_victim_first() {
        let fen = "4k3/8/8/3q1r2/4P3/8/3Q4/4K3 w - - 0 1";
        let position = Chess::new(fen.parse().unwrap(), 0);
        let mut moves = position.moves();
        CapturesFirst.arrange(&position, &mut moves);
        let first: Vec<String> = moves[..3].iter().map(ToString::to_string).collect();
        assert_eq!(first, ["e4d5", "d2d5", "e4f5"]);
    }

    #[test]
    fn what_was_learned_comes_first_and_the_rest_keeps_its_order() {
        let position = Chess::new(cozy_chess::Board::default(), 0);
        let mut order = Remembering::<AsGenerated, Move>::default();
        let natural = position.moves();
        order.learn(&position, natural[7]);
        let mut moves = natural.clone();
        order.arrange(&position, &mut moves);
        assert_eq!(moves[0], natural[7]);
        assert_eq!(moves[1..=7], natural[..7]);
        assert_eq!(moves[8..], natural[8..]);
    }
}
