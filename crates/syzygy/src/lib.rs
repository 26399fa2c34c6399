//! Syzygy tablebases: safe WDL and DTZ probing with an inventory, root ranking and main lines.
//!
//! Usable without the engine; positions are [`cozy_chess::Board`]s.
//!
//! ```
//! use sextant_syzygy::{Backend, Tablebase, Wdl};
//!
//! let tables = Tablebase::open(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata"), Backend::Native)?;
//! let board = "8/8/8/3r4/8/2k5/8/K6Q b - - 0 1".parse()?;
//! assert_eq!(tables.wdl(&board), Some(Wdl::Loss));
//!
//! // Every legal move, best first, with the board's own half-move clock.
//! let moves = tables.probe_root(&board, false, true)?;
//! assert_eq!(moves[0].wdl, Wdl::Loss);
//!
//! // What cannot be answered says why.
//! let five = "8/8/3p4/3r4/8/2k5/8/K6Q b - - 0 1".parse()?;
//! assert_eq!(tables.dtz(&five).unwrap_err().to_string(), "KRPvKQ.rtbw is not installed");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the answers rest on
//!
//! The decoder is written from `docs/reference/syzygy-format.md` and agrees with independent ones
//! on tables of 3, 4 and 5 men. Tables of 6 and 7 men follow the same rules but were never at hand.
//!
//! Files are read at positions, never mapped, and every read is checked: a damaged, truncated or
//! replaced file is refused with its name or gives a typed error, never a crash. A damaged block
//! that still decodes to its length can give a wrong value: [`Options::verify`] and
//! [`Tablebase::verify`] find that.

#![warn(missing_docs)]

mod checksum;
mod error;
mod inventory;
#[cfg(feature = "json")]
pub mod json;
mod judge;
mod mainline;
mod material;
mod native;
mod probe;
#[cfg(all(feature = "pyrrhic", not(target_arch = "aarch64")))]
mod pyrrhic;
#[cfg(not(all(feature = "pyrrhic", not(target_arch = "aarch64"))))]
#[path = "no_pyrrhic.rs"]
mod pyrrhic;
mod root;
mod source;
mod tablebase;
mod types;

pub use error::{ProbeError, SyzygyError, TableError, TableId, TableKind};
pub use inventory::{Inventory, Refused, TableFile};
pub use judge::{Judged, JudgedMove, Verdict};
pub use mainline::{LineEnd, LineMove, MAX_LINE_PLIES, MainLine};
pub use material::{MAX_MEN, Material};
pub use root::{Outlook, TOP_RANK};
pub use source::{Backend, FileSource, Options, TableSource};
pub use tablebase::Tablebase;
pub use types::{Category, Dtz, FIFTY_MOVE_PLIES, RootMove, Wdl};
