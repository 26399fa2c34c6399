//! Exact mode equals plain negamax: every strength of the coupling, both rules, three iteration
//! steps, each on many positions.

mod common;
mod oracle;

use common::{Rng, positions};
use oracle::duel::{self, Duel};

#[test]
fn exact_mode_equals_plain_negamax_everywhere() {
    let games = positions::games(200);
    let mut rng = Rng::new(61);
    let mut duel = Duel::new(12_000);
    // 24 combinations, each on every fourth position.
    for round in 0..6 {
        for (number, game) in games.iter().enumerate() {
            duel.compare(
                game,
                &duel::config(number + number / 24 + 4 * round, &mut rng),
            );
        }
    }
    duel.conclude(games.len() * 6 * 2 / 3);
}
