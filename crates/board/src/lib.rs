//! What a chess search asks of a position, on top of `cozy-chess`.
//!
//! `cozy-chess` supplies the rules of standard chess, Chess960 and double Chess960; castling is
//! king takes rook, as there. This crate adds
//!
//! * [`Position`]: a board with incremental [`Keys`] and, for every move, the [`Delta`] that an
//!   incremental evaluation needs;
//! * [`MoveSets`] and [`generate_noisy`]: staged generation; [`PackedMove`]: a move in 16 bits;
//! * questions about a move before it is made: [`see_ge`], [`CheckSquares::gives_check`],
//!   [`MoveFacts`], [`mate_at_a_glance`];
//! * questions about a position: [`Threats`], [`Phase`], [`is_insufficient_material`];
//! * texts: [`parse_fen`], [`parse_loose_fen`], [`to_fen`], [`Epd`], [`parse_san`], [`to_san`],
//!   [`parse_uci_move`], [`display_uci_move`], games in PGN ([`PgnReader`], [`write_pgn`]);
//! * what the whole engine shares: [`perft`](fn@perft), the units [`Score`] and [`Ply`], and
//!   reproducible [`Random`] numbers.
//!
//! It knows nothing of searching and can be used alone:
//!
//! ```
//! use sextant_board::{CheckSquares, MoveSets, mate_at_a_glance, parse_fen, see_ge, to_san};
//!
//! let pos = parse_fen("6k1/5ppp/8/3p4/8/1B6/8/R5K1 w - - 0 1")?;
//! let mut captures = Vec::new();
//! MoveSets::generate(&pos).noisy(&pos, |_, mv| captures.push(mv));
//! assert_eq!(captures.len(), 1);
//! assert!(see_ge(&pos, captures[0], 100), "the pawn is loose");
//!
//! let checks = CheckSquares::of(&pos);
//! let mate = mate_at_a_glance(&pos, &checks).expect("the back rank is weak");
//! assert_eq!(to_san(&pos, mate), "Ra8#");
//! assert!(checks.gives_check(&pos, mate));
//!
//! let (after, delta) = pos.make(mate);
//! assert_eq!(delta.removed.iter().flatten().count(), 1);
//! assert!(after.in_check() && MoveSets::generate(&after).is_empty());
//! # Ok::<(), sextant_board::FenError>(())
//! ```

#![warn(missing_docs)]

mod attacks;
mod checks;
mod epd;
mod facts;
mod fen;
mod glance;
mod keys;
mod material;
mod movegen;
mod moves;
mod pgn;
mod position;
mod prefetch;
mod random;
mod san;
mod see;
mod tactical;
mod units;

pub use attacks::{Threats, attacks_of};
pub use checks::CheckSquares;
pub use cozy_chess::{self, BitBoard, Board, Color, File, Move, Piece, Rank, Square};
pub use epd::{Epd, EpdError, LooseFenError, parse_loose_fen, split_loose_fen};
pub use facts::{MoveFacts, passed_mask};
pub use fen::{FenError, parse_fen, parse_fen_dropping_rights, piece_letter, to_fen};
pub use glance::mate_at_a_glance;
pub use keys::Keys;
pub use material::{Phase, is_insufficient_material};
pub use movegen::{MAX_MOVES, MoveSets, QuietSet, has_only_move, perft};
pub use moves::{Delta, PackedMove, Placed};
pub use pgn::{
    PgnError, PgnGame, PgnItem, PgnReader, decode_pgn, move_number, numbered_san, write_pgn,
};
pub use position::{Position, replay};
pub use prefetch::prefetch;
pub use random::Random;
pub use san::{SanError, UciMoveError, display_uci_move, parse_san, parse_uci_move, to_san};
pub use see::{SEE_VALUES, see_ge};
pub use tactical::{generate_noisy, generate_quiet_checks};
pub use units::{MAX_PLY, Ply, Score};
