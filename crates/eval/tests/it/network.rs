//! The network along a line of moves is the network of each board.

use std::sync::Arc;

use sextant_board::{Color, Position, Random, Score};
use sextant_eval::{
    EvalModel,
    nnue::{Architecture, Layers, Network},
};

use crate::{
    common::{fresh, random_games},
    random_network::random_network,
};

/// Many small king buckets, so that kings change them often.
fn architectures() -> [Architecture; 5] {
    let every_file = std::array::from_fn(|i| (i % 4) as u8);
    let wings = std::array::from_fn(|i| u8::from(i >= 8));
    let deep = |relations| {
        let layers = Layers::Three { relations };
        let shape = Architecture::new(64, wings, 8);
        shape.and_then(|shape| shape.with_layers(layers)).unwrap()
    };
    [
        Architecture::plain(64).unwrap(),
        Architecture::new(32, every_file, 8).unwrap(),
        Architecture::new(96, wings, 2).unwrap(),
        deep(false),
        deep(true),
    ]
}

/// The value as the engine shows it, from the plain sum over all neurons.
fn plainly(network: &Network, pos: &Position) -> Score {
    let clock = i32::from(pos.clock());
    Score::eval(network.value(pos.board()) * (200 - clock) / 200)
}

/// Is the position the network's to judge, not one of the endings with rules of their own?
fn is_judged(pos: &Position) -> bool {
    let board = pos.board();
    let is_bare = |us| board.colors(us).len() == 1;
    board.occupied().len() > 4 && !Color::ALL.into_iter().any(is_bare)
}

/// Compares along random games, asking for a value once in `every` positions. What one game leaves
/// in the refresh cache disturbs none of the next.
fn follow_the_plain_network(seeds: u64, every: usize, least: u32) {
    for (seed, architecture) in (seeds..).zip(architectures()) {
        let network = Arc::new(random_network(architecture, seed));
        let mut random = Random::new(seed);
        let mut compared = 0;
        random_games(seed, &EvalModel::Network(network.clone()), |state, pos| {
            if random.below(every) == 0 && is_judged(pos) {
                let plain = plainly(&network, pos);
                assert_eq!(state.evaluate(pos), plain, "{}", pos.board());
                compared += 1;
            }
        });
        assert!(compared > least, "only {compared} positions");
    }
}

#[test]
fn incremental_is_from_scratch() {
    follow_the_plain_network(1, 1, 6_000);
}

#[test]
fn values_may_be_left_out_for_any_number_of_moves() {
    follow_the_plain_network(11, 6, 1_000);
}

#[test]
fn a_bare_king_is_driven_to_mate_without_the_network() {
    let network = Arc::new(random_network(Architecture::plain(32).unwrap(), 3));
    let (by_network, by_hand) = (
        EvalModel::Network(network),
        EvalModel::Classical { tempo: 0 },
    );
    for fen in [
        "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
        "8/8/8/4k3/8/8/8/4K1N1 b - - 0 1",
    ] {
        let pos = Position::new(fen.parse().unwrap());
        assert_eq!(fresh(&by_network, &pos), fresh(&by_hand, &pos));
    }
}
