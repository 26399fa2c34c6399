//! The engine with a network of its own: it is used, shared, and forgotten with what it said.

use std::sync::Arc;

use sextant_board::Position;
use sextant_config::{Config, EvalKind};
use sextant_eval::nnue::{Architecture, FEATURES, Network, Parameters};
use sextant_search::{Engine, EngineError, Game, NetworkError};

use crate::common::{Print, to_depth};

/// A network with weights that `seed` tells from others.
fn some_network(seed: usize) -> Arc<Network> {
    let weights = |count: usize| {
        (0..count)
            .map(|i| (i * i % (60 + seed)) as i16 - 30)
            .collect()
    };
    let parameters = Parameters {
        feature_weights: weights(FEATURES * 32),
        feature_biases: weights(32),
        output_weights: weights(64),
        output_biases: vec![0],
        stacks: Vec::new(),
        relation_weights: Vec::new(),
        scale: 400,
    };
    let architecture = Architecture::plain(32).unwrap();
    Arc::new(Network::new(architecture, &parameters).unwrap())
}

fn nnue() -> Config {
    let mut config = Config::default();
    config.engine.hash = 1;
    config.eval.kind = EvalKind::Nnue;
    config.eval.file = "some.nnue".to_owned();
    config
}

fn fresh(network: &Arc<Network>) -> Engine {
    Engine::with_network(nnue(), Some(network.clone())).unwrap()
}

fn search(engine: &mut Engine) -> Print {
    let game = Game::new(Position::startpos());
    crate::common::search(engine, &game, &to_depth(6)).into()
}

#[test]
fn engines_share_a_network_and_search_alike_with_it() {
    let network = some_network(1);
    let [mut a, mut b] = [(); 2].map(|()| fresh(&network));
    assert!(Arc::ptr_eq(a.network().unwrap(), b.network().unwrap()));
    let start = Position::startpos();
    assert_eq!(a.evaluate(&start).raw(), network.value(start.board()));
    assert_eq!(search(&mut a), search(&mut b));
}

#[test]
fn another_evaluation_starts_with_an_empty_table() {
    let (first, second) = (some_network(1), some_network(2));
    let mut engine = fresh(&first);
    let before = search(&mut engine);
    engine
        .configure_with_network(nnue(), Some(second.clone()))
        .unwrap();
    let after = search(&mut engine);
    let mut other = fresh(&second);
    assert_eq!(after, search(&mut other));
    assert_ne!(after.nodes, before.nodes);
    // Other options leave the network alone.
    let mut config = nnue();
    config.pruning.null_move = false;
    engine.configure(config).unwrap();
    assert!(engine.network().is_some());
}

#[test]
fn a_network_that_was_not_given_is_asked_for() {
    let refused = Engine::new(nnue());
    assert!(matches!(
        refused,
        Err(EngineError::Network(NetworkError::NotGiven { path })) if path == "some.nnue"
    ));
    let mut engine = Engine::new(Config::default()).unwrap();
    let before = engine.evaluate(&Position::startpos());
    assert!(engine.configure(nnue()).is_err());
    assert_eq!(engine.evaluate(&Position::startpos()), before);
}
