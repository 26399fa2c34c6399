//! Static evaluation: what a position is worth without looking ahead.
//!
//! [`EvalState`] is the search's interface: it is reset at the root, follows every move by its
//! [`Delta`](sextant_board::Delta), and values the position that it has arrived at. Behind it is
//! one of two evaluations: a network ([`nnue`]) trained on the engine's own games, or a compact
//! tapered sum of hand-made terms: the first teacher of every network, and an evaluation of the
//! style of 1989 for the laboratory.

#![warn(missing_docs)]

mod bits;
mod classical;
mod endgame;
pub mod nnue;
mod pawn_table;
mod state;

pub use state::{EvalModel, EvalState};
