//! The textbook algorithms, each written once, over any [`Game`](crate::game::Game).
//!
//! Read them in this order: [`exhaustive`] (minimax, negamax, breadth first and solving with a
//! table), [`alpha_beta`] (negamax without the needless part), [`ordering`], [`horizon`] and
//! [`deepening`]. All depths and plies are counted in single moves of one player; a search of depth 0
//! is the evaluation.

pub(crate) mod alpha_beta;
pub(crate) mod deepening;
pub(crate) mod exhaustive;
pub(crate) mod horizon;
pub(crate) mod ordering;
pub(crate) mod tally;
