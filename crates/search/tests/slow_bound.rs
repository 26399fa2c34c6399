//! Lines end in time and so does depth 6, whatever moves cost.

mod common;
mod watch;

use common::{Rng, engine, game, positions, randomise, set_price, to_depth, to_nodes};
use sextant_config::{Config, PRESETS};
use sextant_search::{Limits, budget::Category};
use watch::watched;

#[test]
fn lines_end_in_time_under_any_prices() {
    let games = positions::games(500);
    let mut engine = engine(&Config::default());
    let mut rng = Rng::new(71);
    let mut longest = 0;
    for round in 0..4 {
        for game in &games {
            let mut config = Config::default();
            randomise(&mut config, "extensions", &mut rng);
            if round % 2 == 1 {
                randomise(&mut config, "reductions", &mut rng);
                randomise(&mut config, "search", &mut rng);
            }
            let (_, watch) = watched(&mut engine, game, &config, &to_nodes(1_000));
            longest = longest.max(watch.longest);
        }
    }
    println!("longest line: {longest} plies");
    assert!(longest > 15);
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
        randomise(&mut config, "extensions", &mut rng);
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
        for fen in positions::RICH {
            let limits = Limits {
                nodes: Some(DEPTH_6),
                ..to_depth(6)
            };
            let (outcome, _) = watched(&mut engine, &game(fen), &config, &limits);
            let case = format!("{fen} {:?}", config.extensions);
            assert!(outcome.nodes < DEPTH_6 && outcome.depth() >= 6, "{case}");
            most = most.max(outcome.nodes);
        }
    }
    println!("at most {most} nodes to depth 6");
}
