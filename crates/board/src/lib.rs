//! What a chess search asks of a position, on top of `cozy-chess`.
//!
//! `cozy-chess` supplies the rules; this crate adds incremental keys and deltas ([`Position`]), a
//! 16-bit move ([`PackedMove`]) and the units [`Score`] and [`Ply`] that the whole engine shares.

mod attacks;
mod checks;
mod dead;
mod delta;
mod epd;
mod facts;
mod fen;
mod glance;
mod keys;
mod movegen;
mod packed;
mod perft;
mod phase;
mod position;
mod san;
mod see;
mod threats;
mod units;

pub use checks::CheckSquares;
pub use cozy_chess::{self, BitBoard, Board, Color, File, Move, Piece, Rank, Square};
pub use dead::is_insufficient_material;
pub use delta::{Delta, Placed};
pub use epd::{Epd, EpdError};
pub use facts::{MoveFacts, passed_mask};
pub use fen::{FenError, parse_fen, to_fen};
pub use glance::mate_at_a_glance;
pub use keys::Keys;
pub use movegen::{MAX_MOVES, MoveSets, count_legal, generate_noisy};
pub use packed::PackedMove;
pub use perft::{perft, perft_bare, perft_divide, perft_plain};
pub use phase::Phase;
pub use position::Position;
pub use san::{SanError, UciMoveError, display_uci_move, parse_san, parse_uci_move, to_san};
pub use see::{SEE_VALUES, see_ge};
pub use threats::Threats;
pub use units::{MAX_PLY, Ply, Score};
