//! What a person is shown of a game and a search: the messages between a page and its engine,
//! whatever carries them, and the search as a tree.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod budgets;
mod protocol;
mod rules;
mod search;
pub mod tree;

use sextant_search::budget::Depth;

pub use protocol::{GameText, Go, GoLimits, Refusal, Request, hello};
pub use rules::{Known, read_pgn};
pub use search::Asked;

/// The script and the style of the tree, for every page that shows one.
pub const TREE_SCRIPT: &str = include_str!("../assets/tree.js");
pub const TREE_STYLE: &str = include_str!("../assets/tree.css");

/// Budgets and prices are counted in sixteenths of an SX.
pub const SX: f64 = 16.0;
/// Depths are counted in parts of a ply.
pub const PLY: f64 = 128.0;

/// From sixteenths.
pub fn sx(sixteenths: i32) -> f64 {
    f64::from(sixteenths) / SX
}

/// From parts.
pub fn plies(depth: Depth) -> f64 {
    f64::from(depth.raw()) / PLY
}
