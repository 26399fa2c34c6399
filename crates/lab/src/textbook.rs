//! The textbook algorithms, each written once, over any [`Game`](crate::game::Game).
//!
//! Read them in this order: [`minimax`](mod@minimax), [`negamax`](mod@negamax) (the same with one case instead of
//! two), [`alpha_beta`] (the same without the needless part), [`quiescence`], [`deepening`], and
//! for contrast [`breadth_first`](mod@breadth_first) and [`solving`]. All depths and plies are counted in single moves of one
//! player; a search of depth 0 is the evaluation.

pub(crate) mod alpha_beta;
pub(crate) mod breadth_first;
pub(crate) mod deepening;
pub(crate) mod minimax;
pub(crate) mod negamax;
pub(crate) mod observer;
pub(crate) mod ordering;
pub(crate) mod quiescence;
pub(crate) mod solving;
