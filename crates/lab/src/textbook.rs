//! The textbook algorithms, each written once, over any [`Game`](crate::game::Game).
//!
//! Read them in this order: [`minimax`](mod@minimax), [`negamax`](mod@negamax) (the same with one case instead of
//! two), [`alpha_beta`] (the same without the needless part), [`quiescence`], [`deepening`], and
//! for contrast [`breadth_first`](mod@breadth_first) and [`solving`]. All depths and plies are counted in single moves of one
//! player; a search of depth 0 is the evaluation.

pub mod alpha_beta;
pub mod breadth_first;
pub mod deepening;
pub mod minimax;
pub mod negamax;
pub mod observer;
pub mod ordering;
pub mod quiescence;
pub mod root_bonus;
pub mod solving;
