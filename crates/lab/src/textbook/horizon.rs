//! What to do at the horizon: guess at once, or first let the captures play themselves out.

use super::{
    ordering::{CapturesFirst, Ordering},
    tally::Tally,
};
use crate::game::{Game, Value, Window, chess::Chess};

/// How a search judges a position when no depth is left.
pub(crate) trait Horizon<G: Game> {
    /// Value for the side to move, exact inside `window` and a bound outside.
    fn value(&self, position: &G, window: Window, tally: &mut Tally) -> Value;
}

/// The evaluation, without a further look.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evaluate;

impl<G: Game> Horizon<G> for Evaluate {
    fn value(&self, position: &G, _window: Window, _tally: &mut Tally) -> Value {
        position.evaluate()
    }
}

/// Quiescence: a search of captures and promotions only, in which the mover may always decline to
/// take (*stand pat*): some quiet move will be at least as good as the evaluation says.
#[derive(Clone, Copy, Debug, Default)]
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
}
