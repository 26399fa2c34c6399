//! What to do at the horizon: guess at once, or first let the captures play themselves out.

use super::observer::Observer;
use super::ordering::Ordering;
use crate::game::{Game, Tactical, Value, Window};

/// How a search judges a position when no depth is left.
pub(crate) trait Horizon<G: Game> {
    /// Value for the side to move, exact inside `window` and a bound outside.
    fn value(
        &mut self,
        position: &G,
        window: Window,
        ply: u32,
        observer: &mut impl Observer,
    ) -> Value;
}

/// The evaluation, without a further look.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evaluate;

impl<G: Game> Horizon<G> for Evaluate {
    fn value(
        &mut self,
        position: &G,
        _window: Window,
        _ply: u32,
        _observer: &mut impl Observer,
    ) -> Value {
        position.evaluate()
    }
}

/// A search of captures and promotions only, in which the mover may always decline to take
/// (*stand pat*): some quiet move will be at least as good as the evaluation says.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quiescence<O> {
    /// In which order the captures are tried.
    pub(crate) order: O,
}

impl<G: Tactical, O: Ordering<G>> Horizon<G> for Quiescence<O> {
    fn value(
        &mut self,
        position: &G,
        window: Window,
        ply: u32,
        observer: &mut impl Observer,
    ) -> Value {
        let mut best = position.evaluate();
        if best >= window.beta {
            return best;
        }
        let mut moves = position.noisy_moves();
        self.order.arrange(position, &mut moves);
        for mv in moves {
            observer.quiescence_enter(ply + 1);
            let theirs = window.for_opponent(best);
            let value = self.value(&position.play(mv), theirs, ply + 1, observer);
            observer.quiescence_leave(value);
            best = best.max(-value);
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
    use crate::game::chess::Chess;
    use crate::textbook::ordering::CapturesFirst;

    fn settle(fen: &str) -> (i64, i64) {
        let position = Chess::new(fen.parse().unwrap(), 0);
        let mut search = Quiescence {
            order: CapturesFirst,
        };
        let value = search.value(&position, Window::FULL, 0, &mut ());
        (value.0, position.evaluate().0)
    }

    #[test]
    fn a_hanging_rook_is_taken_and_a_protected_pawn_is_not() {
        let (settled, guessed) = settle("4k3/8/8/3r4/8/8/3R4/4K3 w - - 0 1");
        assert!(settled > guessed + 400);
        let (settled, guessed) = settle("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1");
        assert_eq!(settled, guessed);
    }
}
