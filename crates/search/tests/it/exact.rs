//! Exact mode, in which the search guesses nothing, equals plain negamax.

use sextant_config::Config;

use crate::{
    common::{self, Rng, fens, positions},
    oracle::duel::{self, Duel, exact},
};

/// Every strength of the coupling, each rule and three iteration steps: each on every fourth position.
#[test]
fn exact_mode_equals_plain_negamax() {
    let games = positions::games(200);
    let mut rng = Rng::new(61);
    let mut duel = Duel::new(12_000);
    for round in 0..6 {
        for (number, game) in games.iter().enumerate() {
            let number = number + number / 24 + 4 * round;
            duel.compare(game, &duel::config(number, &mut rng));
        }
    }
    duel.conclude(games.len() * 6 * 2 / 3);
}

/// White's budgets in a position are Black's in its mirror image.
#[test]
fn exchanged_colors_exchange_the_budgets() {
    let mut engine = common::engine(&Config::default());
    let mut rng = Rng::new(2);
    for (number, fen) in fens::SPARSE.iter().chain(fens::RICH).enumerate() {
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
