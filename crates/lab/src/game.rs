//! One small trait for every game that the textbook algorithms play.
//!
//! All values are seen from the side to move, so that one rule serves both players: what is
//! good for me after my move is minus what is good for my opponent there (*negamax*).

pub(crate) mod chess;
pub(crate) mod uniform;

use std::{fmt, ops::Neg};

/// The worth of a position for the side to move, in the game's own unit (centipawns in chess,
/// leaves' ranks in a synthetic tree).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Value(pub i64);

impl Value {
    /// Beyond every value that a game returns, and safe to negate.
    pub(crate) const INFINITE: Value = Value(i64::MAX);
    pub(crate) const ZERO: Value = Value(0);
}

impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        Value(-self.0)
    }
}

/// The open interval of values that still matter: the mover already has `alpha` elsewhere, and
/// the opponent already has an answer that keeps the mover down to `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Lower bound: what the side to move has for certain.
    pub(crate) alpha: Value,
    /// Upper bound: what the opponent will not allow to be exceeded.
    pub(crate) beta: Value,
}

impl Window {
    pub(crate) const FULL: Window = Window {
        alpha: Value(-i64::MAX),
        beta: Value::INFINITE,
    };

    /// The same window for the opponent, once the mover is sure of `score`.
    pub(crate) fn for_opponent(self, score: Value) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha.max(score),
        }
    }
}

/// A finite game for two players who move in turn, know everything and share one purse.
pub(crate) trait Game: Clone {
    /// A move; small and comparable, so that it can be remembered and tried first.
    type Move: Copy + PartialEq + fmt::Debug;

    /// Every legal move in the game's natural order. None means that the game is over.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after `mv`, which must be legal.
    fn play(&self, mv: Self::Move) -> Self;

    /// Equal for equal positions, and (but for rare accidents) different for others.
    fn key(&self) -> u64;

    /// A guess at the worth of the position for the side to move, without search.
    fn evaluate(&self) -> Value;

    /// The true worth for the side to move where [`Game::moves`] found nothing; `ply` is the
    /// distance from the root, for games that prefer a quick win.
    fn outcome(&self, _ply: u32) -> Value {
        self.evaluate()
    }
}
