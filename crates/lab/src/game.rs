//! One small trait for every game that the textbook algorithms play.
//!
//! All values are seen from the side to move, so that one rule serves both players: what is
//! good for me after my move is minus what is good for my opponent there (*negamax*).

pub mod chess;
pub mod evaluation;
pub mod tic_tac_toe;
pub mod uniform;

use std::fmt;
use std::ops::Neg;

/// The worth of a position for the side to move, in the game's own unit (centipawns in chess,
/// won games in tic-tac-toe, leaves' ranks in a synthetic tree).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub i64);

impl Value {
    /// Beyond every value that a game returns, and safe to negate.
    pub const INFINITE: Value = Value(i64::MAX);
    /// A draw.
    pub const ZERO: Value = Value(0);
}

impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The open interval of values that still matter: the mover already has `alpha` elsewhere, and
/// the opponent already has an answer that keeps the mover down to `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Lower bound: what the side to move has for certain.
    pub alpha: Value,
    /// Upper bound: what the opponent will not allow to be exceeded.
    pub beta: Value,
}

impl Window {
    /// The window that excludes nothing.
    pub const FULL: Window = Window {
        alpha: Value(-i64::MAX),
        beta: Value::INFINITE,
    };

    /// The same window for the opponent, once the mover is sure of `score`.
    #[must_use]
    pub fn for_opponent(self, score: Value) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha.max(score),
        }
    }
}

/// A finite game for two players who move in turn, know everything and share one purse.
pub trait Game: Clone {
    /// A move; small and comparable, so that it can be remembered and tried first.
    type Move: Copy + PartialEq + fmt::Debug;

    /// Every legal move in the game's natural order. None means that the game is over.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after `mv`, which must be legal.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// A guess at the worth of the position for the side to move, without search.
    fn evaluate(&self) -> Value;

    /// The true worth for the side to move where [`Game::moves`] found nothing; `ply` is the
    /// distance from the root, for games that prefer a quick win.
    fn outcome(&self, ply: u32) -> Value;

    /// Equal for equal positions, and (but for rare accidents) different for others.
    fn key(&self) -> u64;
}

/// A game in which some moves change so much that a guess right after them means little.
pub trait Tactical: Game {
    /// The moves that a quiescence search looks at: captures and promotions in chess.
    fn noisy_moves(&self) -> Vec<Self::Move>;
}

/// Scrambles 64 bits (the finaliser of Steele's SplitMix64): the laboratory's only source of
/// chance, so that a seed fixes a run on every machine.
#[must_use]
pub fn scramble(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A stream of scrambled numbers for the experiments that draw lots.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that fall the same way for the same `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Dice {
        Dice(scramble(seed))
    }

    /// 64 fresh bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        scramble(self.0)
    }

    /// A number below `limit` (which must not be 0), all equally likely but for 2^-32.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.bits()) * limit as u128) >> 64) as usize
    }

    /// Puts `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
