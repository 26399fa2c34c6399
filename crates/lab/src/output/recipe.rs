//! What a run was made with.

use serde::{Deserialize, Serialize};

/// How a run was made: only results of equal settings stand on one page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recipe {
    pub(crate) version: String,
    pub(crate) quick: bool,
    /// Seed of everything random; a text, because TOML's numbers end at the largest `i64`.
    pub(crate) seed: String,
    /// Hash of the file of positions, empty for the built-in ones: its name says little.
    pub(crate) suite: String,
    /// Fingerprint of the engine's configuration.
    pub(crate) config: String,
    /// Nodes of a few short searches: two engines that agree here search alike.
    pub(crate) engine: u64,
    /// Folders with endgame tables, if some were named.
    pub(crate) tables: String,
}
