//! Ronald de Man's way to prefer some moves at the root: the search below is a black box, only
//! its window is shifted.

use super::alpha_beta::{AlphaBeta, Found};
use super::observer::Observer;
use super::ordering::Ordering;
use super::quiescence::Horizon;
use crate::game::{Game, Value, Window};

/// The best of `moves` when each one's value is raised by its bonus, looking `depth` (at least 1)
/// plies ahead: exact inside `window`, a bound outside, like any alpha-beta search.
///
/// A move is better than alpha with its bonus exactly if without it the move is better than alpha
/// less the bonus; so the window is shifted down by the bonus, and the answer up again.
pub fn search_root<G, O, H, W>(
    search: &mut AlphaBeta<O, H, W>,
    position: &G,
    moves: &[(G::Move, i64)],
    window: Window,
    depth: u32,
) -> Found<G::Move>
where
    G: Game,
    O: Ordering<G>,
    H: Horizon<G>,
    W: Observer,
{
    let mut found = Found {
        value: -Value::INFINITE,
        best: None,
    };
    for &(mv, bonus) in moves {
        let alpha = window.alpha.max(found.value);
        let shifted = Window {
            alpha: less(alpha, bonus),
            beta: less(window.beta, bonus),
        };
        let theirs = Window {
            alpha: -shifted.beta,
            beta: -shifted.alpha,
        };
        let below = search.search(&position.play(mv), theirs, depth - 1).value;
        let value = less(-below, -bonus);
        if value > found.value {
            found = Found {
                value,
                best: Some(mv),
            };
        }
        if found.value >= window.beta {
            break;
        }
    }
    found
}

/// `value - bonus`, where infinity stays infinity.
fn less(value: Value, bonus: i64) -> Value {
    if value.0.abs() == Value::INFINITE.0 {
        value
    } else {
        Value(value.0 - bonus)
    }
}
