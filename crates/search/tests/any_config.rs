//! Any valid config plays by the rules of the budgets, and none makes the search panic.

mod common;
mod watch;

use common::{Rng, engine, positions, randomise, to_nodes};
use sextant_config::{Config, PRESETS};
use watch::watched;

/// Every section that the search reads.
const SECTIONS: &[&str] = &[
    "search",
    "extensions",
    "reductions",
    "pruning",
    "history",
    "quiescence",
    "root_bonus",
    "repetition",
    "eval",
    "level",
];

#[test]
fn random_configs_search_by_the_rules() {
    let games = positions::games(200);
    let mut engine = engine(&Config::default());
    let mut rng = Rng::new(51);
    let (mut moves, mut others, mut longest) = (0, 0, 0);
    for game in &games {
        let mut config = Config::default();
        // Some sections, so that features are seen with and without each other.
        for section in SECTIONS {
            if rng.one_in(2) {
                randomise(&mut config, section, &mut rng);
            }
        }
        // Without a network that is built in there is but one evaluation to choose.
        config.eval.kind = Config::default().eval.kind;
        let (outcome, watch) = watched(&mut engine, game, &config, &to_nodes(2_000));
        assert!(outcome.best.is_some() && outcome.nodes <= 2_000);
        moves += watch.seen[0];
        others += watch.seen[1];
        longest = longest.max(watch.longest);
    }
    println!(
        "{moves} nodes after moves, {others} after passes and ProbCut, longest line {longest}"
    );
    assert!(moves > 20_000 && others > 200);
}

#[test]
fn presets_search_by_the_rules() {
    let mut engine = engine(&Config::default());
    for preset in PRESETS {
        let config = Config::preset(preset.name).expect("an embedded preset");
        for fen in positions::RICH {
            let game = common::game(fen);
            let (outcome, watch) = watched(&mut engine, &game, &config, &to_nodes(10_000));
            assert!(
                outcome.best.is_some() && watch.seen[0] > 0,
                "{}: {fen}",
                preset.name
            );
        }
    }
}
