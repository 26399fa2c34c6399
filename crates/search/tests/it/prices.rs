//! With every price nominal the engine is an ordinary one, whatever the coupling; and with k = 0
//! the rule of the coupling does not matter.

use sextant_board::Score;
use sextant_config::{Config, CouplingRule};
use sextant_search::{Leave, Node, Observer, SearchEvent, budget::Depth};

use crate::common::{self, Rng, fens, randomize, search, small, to_depth};

/// What two equal searches have in common.
type Print = Vec<(u64, Option<sextant_board::Move>, Score)>;

fn print(config: &Config, depth: u32) -> Print {
    let mut engine = common::engine(config);
    let fens = fens::RICH.iter().take(4).chain(&fens::SPARSE[2..5]);
    fens.map(|fen| {
        engine.new_game();
        let outcome = search(&mut engine, &common::game(fen), &to_depth(depth));
        (outcome.nodes, outcome.best, outcome.score())
    })
    .collect()
}

#[test]
fn nominal_prices_make_the_same_tree_for_every_coupling() {
    let mut config = Config::preset("integer-ply").expect("the preset");
    let plain = print(&config, 8);
    assert!(plain.iter().all(|&(nodes, ..)| nodes > 100));
    for rule in [
        CouplingRule::Forcing,
        CouplingRule::Paper,
        CouplingRule::Strict,
    ] {
        for (k, ratio) in [(0, 64), (16, 0), (16, 256), (32, 64), (64, 64), (64, 256)] {
            config.extensions.coupling = k;
            config.extensions.coupling_rule = rule;
            config.extensions.refund_ratio = ratio;
            assert_eq!(
                print(&config, 8),
                plain,
                "{rule:?}, k {k}/64, ratio {ratio}/64"
            );
        }
    }
}

#[test]
fn without_coupling_the_rule_does_not_matter() {
    let mut rng = Rng::new(31);
    for _ in 0..3 {
        let mut config = Config::default();
        randomize(&mut config, "extensions", &mut rng);
        config.extensions.coupling = 0;
        config.extensions.line_credit = 16;
        let all = [
            CouplingRule::Forcing,
            CouplingRule::Paper,
            CouplingRule::Strict,
        ]
        .map(|rule| {
            config.extensions.coupling_rule = rule;
            print(&config, 5)
        });
        assert_eq!(all[0], all[1], "{:?}", config.extensions);
        assert_eq!(all[0], all[2], "{:?}", config.extensions);
    }
}

/// In the exact search of an engine with nominal prices, the depth is the number of plies left.
#[derive(Default)]
struct PliesLeft {
    nominal: i32,
    seen: u64,
    quiescence: u64,
}

impl Observer for PliesLeft {
    fn enter(&mut self, node: &Node<'_>) {
        if node.ply.0 == 0 {
            self.nominal = node.depth.raw();
            assert_eq!(self.nominal % Depth::PLY.raw(), 0);
        }
        let left = self.nominal - i32::from(node.ply.0) * Depth::PLY.raw();
        assert_eq!(node.depth.raw(), left, "at ply {}", node.ply.0);
        self.seen += 1;
    }

    fn leave(&mut self, leave: &Leave) {
        assert!(i32::from(leave.ply.0) * Depth::PLY.raw() < self.nominal);
    }

    fn event(&mut self, event: SearchEvent) {
        self.quiescence += u64::from(event == SearchEvent::Quiescence);
    }
}

#[test]
fn nominal_prices_make_depth_the_plies_left() {
    let mut config = Config::preset("integer-ply").expect("the preset");
    config.extensions.coupling = 64;
    let mut engine = common::engine(&small(&config));
    for fen in fens::SPARSE {
        engine.signals().arm(false);
        let (game, limits) = (common::game(fen), to_depth(3));
        let report = &mut |_| ();
        let (_, seen) = engine
            .observed(PliesLeft::default())
            .exact()
            .go(&game, &limits, 1, report);
        assert!(seen.seen >= 3);
    }
}
