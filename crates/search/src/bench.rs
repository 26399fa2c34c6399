//! A fixed set of searches: the signature of the search (nodes) and its speed.

use std::sync::Arc;

use sextant_board::Position;
use sextant_config::Config;
use sextant_eval::nnue::Network;

use crate::{
    engine::{Engine, EngineError},
    game::Game,
    limits::Limits,
};

/// Depth of the bench whose nodes are the engine's published signature.
pub const DEPTH: u32 = 16;

/// Depth of [`signature`]. It stands in files: another depth makes all of them another engine's.
const SIGNATURE_DEPTH: u32 = 5;

/// Nodes of a search that tells engines apart, at most: with some prices trees explode.
const SHORT_NODES: u64 = 20_000;

/// Openings, middlegames, endings and tactics from own games and well-known studies.
const POSITIONS: &str = include_str!("bench.epd");

pub fn positions() -> Vec<Position> {
    POSITIONS
        .lines()
        .map(|fen| Position::new(fen.parse().expect("bench positions are valid")))
        .collect()
}

/// A search to `depth` that ends soon whatever the config.
pub fn short(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        nodes: Some(SHORT_NODES),
        ..Limits::default()
    }
}

/// The nodes that a fresh engine of `config` and its network (see [`Engine::with_network`]) takes
/// on one thread to search every position within `limits`: they tell searches apart.
pub fn nodes(
    limits: &Limits,
    config: &Config,
    network: Option<Arc<Network>>,
) -> Result<u64, EngineError> {
    let mut config = config.clone();
    config.engine.threads = 1;
    let mut engine = Engine::with_network(config, network)?;
    let nodes = positions().into_iter().map(|position| {
        engine.new_game();
        let game = Game::new(position);
        engine.arm_and_go(&game, limits).nodes
    });
    Ok(nodes.sum())
}

/// The nodes of a short bench, by which files know the engine, the network and the config that made
/// them.
pub fn signature(config: &Config, network: Option<Arc<Network>>) -> Result<u64, EngineError> {
    nodes(&short(SIGNATURE_DEPTH), config, network)
}
