//! What a chess search asks of a position, on top of `cozy-chess`.
//!
//! `cozy-chess` supplies the rules; this crate adds incremental keys and deltas ([`Position`]), a
//! 16-bit move ([`PackedMove`]) and the units [`Score`] and [`Ply`] that the whole engine shares.

mod delta;
mod keys;
mod packed;
mod position;
mod units;

pub use cozy_chess::{self, BitBoard, Board, Color, File, Move, Piece, Rank, Square};
pub use delta::{Delta, Placed};
pub use keys::Keys;
pub use packed::PackedMove;
pub use position::Position;
pub use units::{MAX_PLY, Ply, Score};
