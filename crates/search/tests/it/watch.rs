//! Looks over the shoulder of a search: whatever the config, every node's budgets come from its
//! parent's by the rules, and no line is longer than its credit allows.

use sextant_board::{Move, Position};
use sextant_config::{Config, CouplingRule};
use sextant_search::{
    Engine, Game, Limits, MoveSearched, Node, Observer, Outcome,
    budget::{Allowance, Price},
};

use crate::common::small;

struct Step {
    pos: Position,
    allowance: Allowance,
    tried: Option<(Move, Price)>,
}

/// Fails on the first node that breaks a rule.
pub(crate) struct Watch {
    k: i32,
    ratio: i32,
    rule: CouplingRule,
    /// The current line from the root.
    line: Vec<Step>,
    /// Nodes looked at, by how they were reached: moves, passes and other moves (of ProbCut).
    pub(crate) seen: [u64; 2],
    pub(crate) longest: usize,
}

impl Watch {
    fn new(config: &Config) -> Watch {
        let e = &config.extensions;
        Watch {
            k: e.coupling,
            ratio: e.refund_ratio,
            rule: e.coupling_rule,
            line: Vec::with_capacity(256),
            seen: [0; 2],
            longest: 0,
        }
    }

    /// `ply <= (T + X0 (1 + k r)) / 8` under "forcing", `(T + 2 X0) / 8` under "paper",
    /// `(T + X0) / 8` under "strict".
    fn longest_allowed(&self) -> f64 {
        let Allowance { budgets, credit } = self.line[0].allowance;
        let total = f64::from(budgets.us().raw() + budgets.them().raw());
        let factor = match self.rule {
            CouplingRule::Forcing => 1.0 + f64::from(self.k) / 64.0 * f64::from(self.ratio) / 64.0,
            CouplingRule::Paper => 2.0,
            CouplingRule::Strict => 1.0,
        };
        (total + f64::from(credit.raw()) * factor) / 128.0
    }

    fn right_depth(&self, allowance: &Allowance) -> i32 {
        let b = &allowance.budgets;
        let refund = match self.rule {
            CouplingRule::Paper => (b.us().raw() - b.them().raw()).abs(),
            CouplingRule::Strict => -(b.us().raw() - b.them().raw()).abs(),
            CouplingRule::Forcing => {
                let (e_us, e_them) = (b.gain_us(), b.gain_them());
                let lead = e_us.max(e_them).max(0);
                (self.ratio * lead / 64).min((-e_us.min(e_them)).max(0))
            }
        };
        b.us().raw() + b.them().raw() + self.k * refund / 64
    }

    /// What the last move did to the difference of the budgets is its price, and nothing else is:
    /// tempo and reductions are taken from both alike, and passing is free.
    fn check_step(&mut self, parent: usize, node: &Node<'_>) {
        let before = &self.line[parent];
        let paid = before.allowance.budgets.imbalance() + node.allowance.budgets.imbalance();
        let credit = before.allowance.credit.raw();
        let left = node.allowance.credit.raw();
        assert!((0..=credit).contains(&left), "credit {left} after {credit}");
        match before
            .tried
            .filter(|&(mv, _)| before.pos.make(mv).0 == *node.pos)
        {
            Some((mv, price)) => {
                self.seen[0] += 1;
                let extra = price.raw() - Price::NOMINAL.raw();
                if extra >= 0 {
                    assert_eq!(paid, extra, "{mv} costs {price:?}");
                } else {
                    let most = (-extra).min(credit);
                    assert!(
                        (0..=most).contains(&-paid),
                        "{mv} costs {price:?}, credit {credit}"
                    );
                }
            }
            None => {
                self.seen[1] += 1;
                assert_eq!(paid, 0, "a pass, or a move of ProbCut");
            }
        }
    }
}

impl Observer for Watch {
    fn enter(&mut self, node: &Node<'_>) {
        let ply = node.ply.index();
        self.line.truncate(ply);
        assert_eq!(self.line.len(), ply, "every ply is entered on the way");
        assert_eq!(node.depth.raw(), self.right_depth(&node.allowance));
        if let Some(parent) = ply.checked_sub(1) {
            self.check_step(parent, node);
            let bound = self.longest_allowed();
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
pub(crate) fn watched(
    engine: &mut Engine,
    game: &Game,
    config: &Config,
    limits: &Limits,
) -> (Outcome, Watch) {
    let config = small(config);
    let watch = Watch::new(&config);
    engine.configure(config).expect("a table of 1 MB");
    engine.clear_hash();
    engine.signals().arm(false);
    engine.observed(watch).go(game, limits, 1, &mut |_| ())
}
