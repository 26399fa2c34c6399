//! The alpha-beta window, and what a score found in it says.

use std::ops::Neg;

use sextant_board::Score;

/// What the side to move is sure of (`alpha`) and what the opponent will not allow (`beta`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Window {
    /// Scores at or below it do not matter.
    pub alpha: Score,
    /// Scores at or above it end the node.
    pub beta: Score,
}

impl Window {
    pub const FULL: Window = Window {
        alpha: Score::new(-32_001),
        beta: Score::INFINITE,
    };

    pub const fn new(alpha: Score, beta: Score) -> Window {
        Window { alpha, beta }
    }

    /// The zero window just above `alpha`.
    pub fn zero(alpha: Score) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// What `score`, found in this window, says of the truth.
    pub fn bound(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// The window shifted by a bonus that the caller adds to the score afterwards. Mates and
    /// tablebase results get no bonus, so an end among them stays where it is, and no other end
    /// moves in among them.
    pub fn shifted_down(self, bonus: i32) -> Window {
        if bonus == 0 {
            return self;
        }
        let most = Score::EVAL_MAX.raw();
        let shifted = |end: Score, low: i32, high: i32| {
            if end.is_decisive() {
                end
            } else {
                Score::new((end.raw() - bonus).clamp(low, high))
            }
        };
        Window {
            alpha: shifted(self.alpha, -most - 1, most),
            beta: shifted(self.beta, -most, most + 1),
        }
    }
}

impl Neg for Window {
    type Output = Window;
    /// The same window seen from the other side.
    fn neg(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

/// How a score bounds the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    /// The truth is at least the score (fail high).
    Lower,
    /// The truth is at most the score (fail low).
    Upper,
}

impl Bound {
    /// Does a score with this bound say all that `window` asks?
    pub(crate) fn settles(self, score: Score, window: Window) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        }
    }
}
