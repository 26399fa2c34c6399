//! Any valid config plays by the rules of the budgets, ends its lines in time, and makes no search
//! panic.

use sextant_config::{Config, PRESETS};
use sextant_search::{Limits, budget::Category};

use crate::{
    common::{Rng, engine, fens::RICH, game, positions, randomize, set_price, to_depth, to_nodes},
    watch::watched,
};

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
    let games = positions::games(500);
    let mut engine = engine(&Config::default());
    let mut rng = Rng::new(71);
    let (mut moves, mut others, mut longest) = (0, 0, 0);
    for round in 0..3 {
        for game in &games {
            let mut config = Config::default();
            for section in SECTIONS {
                // Prices alone, prices with what lengthens lines, and any features with and
                // without each other.
                let wanted = match round {
                    0 => *section == "extensions",
                    1 => ["extensions", "reductions", "search"].contains(section),
                    _ => rng.one_in(2),
                };
                if wanted {
                    randomize(&mut config, section, &mut rng);
                }
            }
            // Without a network that is built in there is but one evaluation to choose.
            config.eval.kind = Config::default().eval.kind;
            let (outcome, watch) = watched(&mut engine, game, &config, &to_nodes(1_000));
            assert!(outcome.best.is_some() && outcome.nodes <= 1_000);
            moves += watch.seen[0];
            others += watch.seen[1];
            longest = longest.max(watch.longest);
        }
    }
    println!(
        "{moves} nodes after moves, {others} after passes and ProbCut, longest line {longest}"
    );
    assert!(moves > 100_000 && others > 1_000 && longest > 15);
}

/// The most nodes that depth 6 may take: with prices of 4 to 16 SX, the default credit, and
/// everything else as it is by default.
const DEPTH_6: u64 = 2_000_000;

#[test]
fn depth_six_always_ends() {
    let mut engine = engine(&Config::default());
    let mut rng = Rng::new(72);
    let mut most = 0;
    let presets = PRESETS
        .iter()
        .map(|preset| Config::preset(preset.name).expect("a preset"));
    let random = (0..20).map(|_| {
        let default = Config::default();
        let mut config = default.clone();
        randomize(&mut config, "extensions", &mut rng);
        let e = &mut config.extensions;
        e.line_credit = default.extensions.line_credit;
        e.refund_ratio = default.extensions.refund_ratio;
        e.phase = [0; 8];
        for category in Category::ALL {
            set_price(&mut config, category, rng.within(4 * 16, 16 * 16));
        }
        config
    });
    for config in presets.chain(random) {
        for fen in RICH {
            let limits = Limits {
                nodes: Some(DEPTH_6),
                ..to_depth(6)
            };
            let (outcome, watch) = watched(&mut engine, &game(fen), &config, &limits);
            let case = format!("{fen} {:?}", config.extensions);
            assert!(outcome.best.is_some() && watch.seen[0] > 0, "{case}");
            assert!(outcome.nodes < DEPTH_6 && outcome.depth() >= 6, "{case}");
            most = most.max(outcome.nodes);
        }
    }
    println!("at most {most} nodes to depth 6");
}
