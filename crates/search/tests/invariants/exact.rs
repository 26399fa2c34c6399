//! Exact mode, in which the search guesses nothing, equals plain negamax.

use sextant_config::Config;

use crate::{
    common::{self, Rng, positions},
    oracle::duel::{self, Duel, exact},
};

#[test]
fn exact_mode_equals_plain_negamax() {
    let games = positions::games(200);
    let mut rng = Rng::new(1);
    let mut duel = Duel::new(8_000);
    for (number, game) in games.iter().enumerate() {
        duel.compare(game, &duel::config(number, &mut rng));
    }
    duel.conclude(games.len() * 2 / 3);
}

/// White's budgets in a position are Black's in its mirror image.
#[test]
fn exchanged_colours_exchange_the_budgets() {
    let mut engine = common::engine(&Config::default());
    let mut rng = Rng::new(2);
    for (number, fen) in positions::SPARSE.iter().chain(positions::RICH).enumerate() {
        let config = duel::config(number, &mut rng);
        let (one, other) = (common::game(fen), common::game(&positions::mirrored(fen)));
        let limits = common::to_depth(2);
        // The order of generation is not mirrored, so the nodes may differ; the value may not.
        let values = [one, other].map(|game| {
            let outcome = exact(&mut engine, &game, &config, &limits, 1);
            outcome.score()
        });
        assert_eq!(values[0], values[1], "{fen}");
    }
}
