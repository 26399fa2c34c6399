//! Static evaluation: what a position is worth without looking ahead.
//!
//! [`State`] is the search's interface: it is reset at the root, follows every move by its
//! [`Delta`](sextant_board::Delta), and values the position that it has arrived at. Behind it is one
//! of two evaluations: a network ([`nnue`]) that was trained on the engine's own games, or a compact
//! tapered sum of hand-made terms, whose numbers are one table, [`WEIGHTS`], fitted by logistic
//! regression on such games through [`Trace`].

#![warn(missing_docs)]

mod bits;
mod classical;
mod endgame;
pub mod nnue;
mod state;

pub use classical::{COUNT, Line, PHASE_ONE, Pair, TERMS, Term, Trace, WEIGHTS};
pub use state::{Params, State};
