//! The engine as the tools use it: nothing in a search may depend on more than its position, its
//! game and its limits.

use std::{io, path::Path};

use sextant_cli::{
    failure::Failure,
    files::{self, MIB},
};
use sextant_config::Config;
use sextant_search::{EngineSetup, Limits};

/// Larger than any network that could be run.
const LARGEST_NETWORK: u64 = 64 * MIB;
/// Larger than any book of openings.
const LARGEST_BOOK: u64 = 1024 * MIB;

/// A preset's or a file's config with one thread, a table of `hash` MB, and without weakening and
/// bonuses at the root: a score must be the search's own.
pub(crate) fn config(name: &str, hash: i32) -> Result<Config, Failure> {
    let mut config = Config::load(name).map_err(Failure::usage)?;
    let neutral = Config::default();
    config.engine.threads = 1;
    config.engine.hash = hash;
    config.engine.move_overhead = 0;
    config.level = neutral.level;
    config.root_bonus = neutral.root_bonus;
    Ok(config)
}

/// What engines of a config are made of: its network is read and its tables are opened.
pub(crate) fn setup(config: Config) -> Result<EngineSetup, Failure> {
    let setup = EngineSetup::new(config, read_network).map_err(Failure::usage)?;
    setup.with_tables().map_err(Failure::usage)
}

/// Reads a file with a network.
fn read_network(path: &str) -> io::Result<Vec<u8>> {
    let read = files::read(path.as_ref(), LARGEST_NETWORK);
    read.map_err(|error| error.source)
}

/// Reads a book or a test suite; letters of comments and names may be in any encoding.
pub(crate) fn read_positions(path: &Path) -> Result<String, Failure> {
    let bytes = files::read(path, LARGEST_BOOK)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What engines of a preset or a file are made of, see [`config`]: without tables.
pub(crate) fn load(name: &str, hash: i32) -> Result<EngineSetup, Failure> {
    EngineSetup::new(config(name, hash)?, read_network).map_err(Failure::usage)
}

/// How the positions of many games are searched.
#[derive(clap::Args, Debug)]
pub(crate) struct SearchArgs {
    /// A preset or a TOML file.
    #[arg(long, value_name = "CONFIG", default_value = "default")]
    pub(crate) config: String,
    /// No new iteration once a search took this many nodes.
    #[arg(long, value_name = "N", default_value_t = 1_200)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) soft_nodes: u64,
    /// Hash table of each game in MB.
    #[arg(long, value_name = "MB", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=65_536))]
    pub(crate) hash: i32,
    /// Games at the same time; the file does not depend on it.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
}

/// The limits, or so many nodes where there are none.
pub(crate) fn or_nodes(limits: Limits, usual: u64) -> Limits {
    let is_free = limits == Limits::default();
    Limits {
        nodes: limits.nodes.or(is_free.then_some(usual)),
        ..limits
    }
}

/// Limits of a search that ends after about `soft` nodes, and surely after `hard`.
pub(crate) fn limits(soft: u64, hard: u64) -> Limits {
    Limits {
        soft_nodes: Some(soft),
        nodes: Some(hard),
        ..Limits::default()
    }
}

/// Most nodes of a search where nothing else is said. An iteration costs a few times its
/// predecessor; beyond this the search has exploded.
pub(crate) fn usual_hard(soft: u64) -> u64 {
    soft.saturating_mul(8)
}
