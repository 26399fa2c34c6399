//! Millions of positions: sums that follow the moves are the sums made afresh.

mod common;

use std::sync::Arc;

use common::{random_games, random_network};
use sextant_eval::{Params, State, nnue::Architecture};

/// Positions for each architecture.
const POSITIONS: u64 = 1_000_000;

/// Compares along random games until there are enough.
fn compare(architecture: &Architecture, seed: u64) {
    let network = Arc::new(random_network(architecture.clone(), seed));
    let params = Params::Network(network);
    let mut afresh = State::new(params.clone());
    let mut compared = 0;
    for games in seed.. {
        random_games(games, &params, |state, pos| {
            afresh.reset(pos);
            let expected = afresh.evaluate(pos);
            assert_eq!(state.evaluate(pos), expected, "{}", pos.board());
            compared += 1;
        });
        if compared >= POSITIONS {
            break;
        }
    }
}

#[test]
fn one_bucket() {
    compare(&Architecture::plain(32).unwrap(), 100);
}

#[test]
fn many_buckets() {
    let buckets = std::array::from_fn(|i| i as u8);
    compare(&Architecture::new(32, buckets, 8).unwrap(), 200);
}
