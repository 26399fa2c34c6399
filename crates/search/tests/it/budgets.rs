//! Any valid config plays by the rules of the budgets, ends its lines in time, and makes no search
//! panic. With every price nominal the engine is an ordinary one, whatever the coupling.

use sextant_board::{Move, Position};
use sextant_config::{Config, Lead, PRESETS};
use sextant_search::{
    Engine, Game, Limits, MoveSearched, Node, Observer, Outcome,
    budget::{Allowance, Category, Price},
};

use crate::{
    common::{
        self, Print, RICH, RULES, Rng, SPARSE, configure, engine, fresh, game, randomize,
        set_price, to_depth, to_nodes,
    },
    ledger::Rule,
};

struct Step {
    pos: Position,
    allowance: Allowance,
    tried: Option<(Move, Price)>,
}

/// Looks over the shoulder of a search, and fails on the first node whose budgets do not come from
/// its parent's by the rules, or whose line is longer than its credit allows.
struct Watch {
    rule: Rule,
    /// Some moves build no lead.
    shares: bool,
    /// What a price has above nominal is reduced, not paid.
    verified: bool,
    /// The current line from the root.
    line: Vec<Step>,
    /// Nodes looked at, by how they were reached: moves, passes and other moves (of ProbCut).
    seen: [u64; 2],
    longest: usize,
}

impl Watch {
    /// What the last move did to the difference of the budgets is its price, and nothing else is:
    /// tempo and reductions are taken from both alike, and passing is free.
    fn check_step(&mut self, parent: usize, node: &Node<'_>) {
        let before = &self.line[parent];
        let paid = before.allowance.budgets.imbalance() + node.allowance.budgets.imbalance();
        let credit = before.allowance.credit.raw();
        let left = node.allowance.credit.raw();
        assert!((0..=credit).contains(&left), "credit {left} after {credit}");
        let made = |&(mv, _): &(Move, Price)| before.pos.make(mv).0 == *node.pos;
        let Some((mv, price)) = before.tried.filter(made) else {
            self.seen[1] += 1;
            assert_eq!(paid, 0, "a pass, or a move of ProbCut");
            return;
        };
        self.seen[0] += 1;
        let mut extra = price.raw() - Price::NOMINAL.raw();
        if self.verified {
            extra = extra.min(0);
        }
        if self.shares && paid == 0 {
            return;
        }
        let allowed = if extra >= 0 {
            extra..=extra
        } else {
            extra.max(-credit)..=0
        };
        assert!(
            allowed.contains(&paid),
            "{mv} costs {price:?}, credit {credit}"
        );
    }
}

impl Observer for Watch {
    fn enter(&mut self, node: &Node<'_>) {
        let ply = node.ply.index();
        self.line.truncate(ply);
        assert_eq!(self.line.len(), ply, "every ply is entered on the way");
        assert_eq!(node.depth.raw(), self.rule.depth(node.allowance.budgets));
        if let Some(parent) = ply.checked_sub(1) {
            self.check_step(parent, node);
            let bound = self.rule.longest(self.line[0].allowance);
            assert!(ply as f64 <= bound, "ply {ply} beyond {bound:.2}");
            self.longest = self.longest.max(ply);
        }
        self.line.push(Step {
            pos: node.pos.clone(),
            allowance: node.allowance,
            tried: None,
        });
    }

    fn move_searched(&mut self, tried: &MoveSearched<'_>) {
        self.line.truncate(tried.ply.index() + 1);
        self.line[tried.ply.index()].tried = Some((tried.mv, tried.price));
    }
}

/// A watched search with `config` from a clean start.
fn watched(engine: &mut Engine, game: &Game, config: &Config, limits: &Limits) -> (Outcome, Watch) {
    let watch = Watch {
        rule: Rule::of(&config.extensions),
        shares: config.extensions.lead == Lead::Initiative,
        verified: config.extensions.verified,
        line: Vec::with_capacity(256),
        seen: [0; 2],
        longest: 0,
    };
    configure(engine, config);
    engine.signals().arm(false);
    engine.observed(watch).go(game, limits, 1, &mut |_| ())
}

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
    let games = common::games(500);
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
    println!("{moves} nodes after moves, {others} after others, longest line {longest}");
    assert!(moves > 100_000 && others > 1_000 && longest > 15);
}

/// The most nodes that depth 6 may take: with prices of 4 to 16 SX, the default credit, and
/// everything else as it is by default.
const DEPTH_6: u64 = 2_000_000;

#[test]
fn depth_six_always_ends() {
    let mut engine = engine(&Config::default());
    let mut rng = Rng::new(72);
    let presets = PRESETS.iter().map(|preset| preset.name);
    let mut configs: Vec<Config> = presets
        .map(|name| Config::preset(name).expect("a preset"))
        .collect();
    configs.extend((0..20).map(|_| {
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
    }));
    let limits = Limits {
        nodes: Some(DEPTH_6),
        ..to_depth(6)
    };
    for config in configs {
        for fen in RICH.iter() {
            let (outcome, watch) = watched(&mut engine, &game(fen), &config, &limits);
            let case = format!("{fen} {:?}", config.extensions);
            assert!(outcome.best.is_some() && watch.seen[0] > 0, "{case}");
            assert!(outcome.nodes < DEPTH_6 && outcome.depth() >= 6, "{case}");
        }
    }
}

fn prints(config: &Config, depth: u32) -> Vec<Print> {
    let mut engine = engine(config);
    let fens = RICH[..4].iter().chain(&SPARSE[2..5]);
    fens.map(|fen| fresh(&mut engine, &game(fen), &to_depth(depth)))
        .collect()
}

#[test]
fn nominal_prices_make_the_same_tree_for_every_coupling() {
    let mut config = Config::preset("integer-ply").expect("the preset");
    let plain = prints(&config, 8);
    assert!(plain.iter().all(|print| print.nodes > 100));
    for rule in RULES {
        for (k, ratio) in [(0, 64), (16, 0), (16, 256), (-32, 64), (64, 64), (64, 256)] {
            config.extensions.coupling = k;
            config.extensions.coupling_rule = rule;
            config.extensions.refund_ratio = ratio;
            assert_eq!(prints(&config, 8), plain, "{rule:?} {k} {ratio}");
        }
    }
}
