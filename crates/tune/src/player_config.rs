//! A config as a player of games: with its network read.

use std::{
    fs,
    io::{self, Read as _},
    sync::Arc,
};

use sextant_config::Config;
use sextant_eval::nnue::Network;
use sextant_search::network;

use crate::{engine, failure::Failure};

/// Larger than any network that could be run.
const MAX_BYTES: u64 = 64 << 20;

/// A config and what it names.
pub(crate) struct PlayerConfig {
    /// The config as the games are played with, see [`engine::config`].
    pub(crate) config: Config,
    /// Its network; `None` is the hand-made evaluation.
    pub(crate) network: Option<Arc<Network>>,
}

impl PlayerConfig {
    /// Loads a preset or a file, with a table of `hash` MB.
    pub(crate) fn load(name: &str, hash: i32) -> Result<PlayerConfig, Failure> {
        let config = engine::config(name, hash)?;
        let network = network(&config, read).map_err(Failure::usage)?;
        Ok(PlayerConfig { config, network })
    }
}

fn read(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?
        .take(MAX_BYTES)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
