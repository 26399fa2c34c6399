//! Syzygy tablebases: safe WDL and DTZ probing with an inventory, root ranking and main lines.
//!
//! Usable without the rest of Sextant; positions are [`cozy_chess::Board`]s.

mod checksum;
mod error;
mod inventory;
mod mainline;
mod material;
mod native;
mod probe;
mod pyrrhic;
mod root;
mod tablebase;
mod types;

pub use error::{ProbeError, SyzygyError, TableError, TableId, TableKind};
pub use inventory::{Inventory, Refused, TableFile};
pub use mainline::{LineEnd, LineMove, MainLine, insufficient_material};
pub use material::{MAX_MEN, Material};
pub use pyrrhic::PyrrhicMove;
pub use root::TOP_RANK;
pub use tablebase::{Backend, Tablebase};
pub use types::{Category, Dtz, FIFTY_MOVE_PLIES, RootMove, Wdl};
