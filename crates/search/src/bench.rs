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

/// Openings, middlegames, endings and tactics from own games and well-known studies.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/1PN1P3/PB2BPPP/R2Q1RK1 w - - 3 12",
    "2r3k1/pp3ppp/2n1b3/3p4/3P4/P1N1B3/1P3PPP/4R1K1 w - - 0 22",
    "r1b2rk1/ppq1bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 6 10",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "3r1rk1/p5pp/bpp1pp2/8/q1PP1P2/b3P3/P2NQRPP/1R2B1K1 b - - 6 22",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "8/3k4/p1p1p1p1/P1P1P1P1/2K5/8/8/8 w - - 0 1",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    "7k/3p2pp/4q3/8/4Q3/5Kp1/P6b/8 w - - 0 1",
    "1r3k2/4q3/2Pp3b/3Bp3/2Q2p2/1p1P2P1/1P2KP2/3N4 w - - 0 1",
    "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 5 30",
];

#[must_use]
pub fn positions() -> Vec<Position> {
    POSITIONS
        .iter()
        .map(|fen| Position::new(fen.parse().expect("bench positions are valid")))
        .collect()
}

/// The nodes that a fresh engine of `config` and its network (see [`Engine::with_network`]) takes on
/// one thread to search every position to `depth`: they tell searches apart.
///
/// # Errors
/// [`EngineError`] if table or network cannot be had.
pub fn nodes(
    depth: u32,
    config: &Config,
    network: Option<Arc<Network>>,
) -> Result<u64, EngineError> {
    let mut config = config.clone();
    config.engine.threads = 1;
    let mut engine = Engine::with_network(config, network)?;
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let nodes = positions().into_iter().map(|position| {
        engine.new_game();
        let game = Game::new(position);
        engine.go_armed(&game, &limits, 1, &mut |_| ()).nodes
    });
    Ok(nodes.sum())
}

/// The nodes of a short bench, by which files know the engine, the network and the config that made
/// them.
///
/// # Errors
/// As [`nodes`].
pub fn signature(config: &Config, network: Option<Arc<Network>>) -> Result<u64, EngineError> {
    nodes(SIGNATURE_DEPTH, config, network)
}
