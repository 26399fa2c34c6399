//! Static evaluation: what a position is worth without looking ahead.
//!
//! [`State`] is the search's interface: it is reset at the root, follows every move by its
//! [`Delta`](sextant_board::Delta), and values the position that it has arrived at. Behind it is a
//! compact tapered evaluation in integers; its numbers are one table, [`WEIGHTS`], fitted by
//! logistic regression on the engine's own games through [`Trace`].

mod bits;
mod classical;
mod endgame;
mod king;
pub mod nnue;
mod pair;
mod pawns;
mod pieces;
mod psq;
mod state;
mod table;
mod threats;
mod trace;
mod weights;

pub use classical::PHASE_ONE;
pub use pair::Pair;
pub use state::{Params, State};
pub use table::{COUNT, TERMS, WEIGHTS};
pub use trace::{Line, Trace};
pub use weights::Term;
