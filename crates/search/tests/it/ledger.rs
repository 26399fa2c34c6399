//! The arithmetic of budgets against a ledger kept for White and Black in plain integers; and
//! however moves are priced, the line credit ends every line in time. The checks are generic over a
//! [`Model`], so that `mutants` can show that they would see a mistake.

use sextant_config::{CouplingRule, ExtensionsConfig};
use sextant_search::budget::{Allowance, Budget, Budgets, Charge, Coupling, Credit, Depth, Price};

use crate::common::{RULES, Rng};

pub(crate) trait Model {
    fn after(line: Allowance, charge: Charge) -> Allowance {
        line.after(charge)
    }
    fn after_null(line: Allowance) -> Allowance {
        line.after_null()
    }
    fn reduced(line: Allowance, reduction: Depth) -> Allowance {
        line.reduced(reduction)
    }
    fn depth(coupling: &Coupling, budgets: Budgets) -> Depth {
        coupling.depth(budgets)
    }
}

/// The engine's own.
struct Real;

impl Model for Real {}

const SX: i32 = 16;
const PLY: i32 = 128;

/// A coupling by plain integers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    rule: CouplingRule,
    pub(crate) k: i32,
    ratio: i32,
}

impl Rule {
    pub(crate) fn of(config: &ExtensionsConfig) -> Rule {
        Rule {
            rule: config.coupling_rule,
            k: config.coupling,
            ratio: config.refund_ratio,
        }
    }

    fn coupling(self) -> Coupling {
        Coupling::new(self.k, self.rule, self.ratio)
    }

    /// The effective depth.
    pub(crate) fn depth(self, budgets: Budgets) -> i32 {
        self.depth_of(
            (budgets.us().raw(), budgets.them().raw()),
            (budgets.gain_us(), budgets.gain_them()),
        )
    }

    /// The same from what both sides have left, and what they have gained.
    pub(crate) fn depth_of(self, (us, them): (i32, i32), gains: (i32, i32)) -> i32 {
        let refund = match self.rule {
            CouplingRule::Paper => (us - them).abs(),
            CouplingRule::Forcing => {
                let debt = (-gains.0.min(gains.1)).max(0);
                (self.ratio * gains.0.max(gains.1).max(0) / 64).min(debt)
            }
        };
        us + them + self.k * refund / 64
    }

    /// No line from `root` is longer: `(T + X0 (1 + k r)) / 8` plies under "forcing",
    /// `(T + 2 X0) / 8` under "paper"; `(T + X0) / 8` with a negative coupling.
    pub(crate) fn longest(self, root: Allowance) -> f64 {
        let total = root.budgets.us().raw() + root.budgets.them().raw();
        let factor = match self.rule {
            _ if self.k < 0 => 1.0,
            CouplingRule::Forcing => 1.0 + f64::from(self.k * self.ratio) / (64.0 * 64.0),
            CouplingRule::Paper => 2.0,
        };
        (f64::from(total) + f64::from(root.credit.raw()) * factor) / f64::from(PLY)
    }
}

fn root(total: Budget, credit: i32) -> Allowance {
    Allowance {
        budgets: Budgets::root(total),
        credit: Credit::root(total, credit),
    }
}

/// A root of whole plies, whose credit is a share of the budget without a rest.
fn root_of_plies(plies: i32, credit: i32) -> Allowance {
    let root = root(Budget::from_sx(8 * plies), credit);
    assert_eq!(root.credit.raw(), PLY / 64 * plies * credit);
    root
}

/// A random line from a root of up to `plies`.
fn random_line<M: Model>(rng: &mut Rng, plies: i32) -> Allowance {
    let line = root_of_plies(rng.within(1, plies), 128);
    (0..rng.within(0, 12)).fold(line, |line, _| {
        M::after(line, Charge::whole(any_price(rng)))
    })
}

fn any_price(rng: &mut Rng) -> Price {
    Price::from_raw(rng.within(-16 * SX, 64 * SX))
}

/// A random line of moves, null moves and reductions: each side's budget and gain, and the credit,
/// are what a bookkeeper has for White and Black.
fn budgets_follow_the_ledger<M: Model>() {
    let mut rng = Rng::new(11);
    for _ in 0..2_000 {
        let plies = rng.within(1, 30);
        let mut line = root_of_plies(plies, rng.within(0, 128));
        let mut credit = line.credit.raw();
        let (mut left, mut gain) = ([plies * PLY / 2; 2], [0_i32; 2]);
        for ply in 0..40 {
            let side = ply % 2;
            left = left.map(|left| left - PLY / 2);
            if rng.one_in(4) {
                line = M::after_null(line);
            } else {
                let charge = Charge {
                    price: any_price(&mut rng),
                    share: rng.of(&[64, 64, 32, 17, 0]),
                    even: rng.one_in(3),
                };
                line = M::after(line, charge);
                let full = PLY - charge.price.raw();
                let wanted = if full > 0 {
                    full * charge.share / 64
                } else {
                    full
                };
                let discount = wanted.min(credit);
                credit -= discount.max(0);
                if charge.even {
                    // Each side bears exactly half, rounded up.
                    left = left.map(|left| left - ((1 - discount) >> 1));
                } else {
                    left[side] += discount;
                    gain[side] += discount;
                }
            }
            if rng.one_in(3) {
                let taken = 2 * rng.within(0, PLY);
                line = M::reduced(line, Depth::from_raw(taken));
                left = left.map(|left| left - taken / 2);
            }
            let mover = 1 - side;
            let (us, them) = (line.budgets.us().raw(), line.budgets.them().raw());
            let found = [us, them, line.budgets.gain_us(), line.budgets.gain_them()];
            let right = [left[mover], left[1 - mover], gain[mover], gain[1 - mover]];
            assert_eq!(found, right, "ply {ply}");
            assert!(line.credit.raw() == credit && credit >= 0, "ply {ply}");
        }
    }
}

fn depth_follows_the_rule<M: Model>() {
    let mut rng = Rng::new(12);
    for _ in 0..5_000 {
        let line = random_line::<M>(&mut rng, 30);
        let (k, ratio) = (rng.within(-64, 64), rng.within(0, 256));
        for rule in RULES.map(|rule| Rule { rule, k, ratio }) {
            let found = M::depth(&rule.coupling(), line.budgets).raw();
            assert_eq!(found, rule.depth(line.budgets), "{rule:?}");
        }
    }
}

/// With k = 1 the paper's line goes on exactly as long as either side has something left, with
/// k = -1 as long as both have.
fn paper_goes_on_while_either_can_pay<M: Model>() {
    let mut rng = Rng::new(13);
    for _ in 0..5_000 {
        let line = random_line::<M>(&mut rng, 12);
        let (us, them) = (line.budgets.us().raw() > 0, line.budgets.them().raw() > 0);
        for (k, expected) in [(64, us || them), (-64, us && them)] {
            let coupling = Coupling::new(k, CouplingRule::Paper, 64);
            let goes_on = M::depth(&coupling, line.budgets) > Depth::ZERO;
            assert_eq!(goes_on, expected, "{:?}", line.budgets);
        }
    }
}

/// `walks` random configs and lines, none longer than its credit allows.
pub(crate) fn lines_end_in_time<M: Model>(walks: usize) {
    let mut rng = Rng::new(21);
    for _ in 0..walks {
        let total = Budget::from_sx(rng.within(1, 40) * rng.within(1, 32));
        let rule = Rule {
            rule: rng.of(&RULES),
            k: rng.within(-64, 64),
            ratio: rng.within(0, 256),
        };
        let mut line = root(total, rng.within(0, 128));
        let bound = rule.longest(line);
        // Three habits of pricing: all over the range, everything cheap, one side cheap.
        let habit = rng.below(3);
        for ply in 0.. {
            if M::depth(&rule.coupling(), line.budgets) <= Depth::ZERO {
                break;
            }
            let is_within = f64::from(ply) <= bound;
            assert!(
                is_within,
                "ply {ply} beyond {bound:.2}: {total:?}, {rule:?}"
            );
            let cheap = habit == 1 || habit == 2 && ply % 2 == 0;
            let price = rng.within(-256, if cheap { 128 } else { 1024 });
            let beyond = ply as u32 >= total.plies_rounded_up();
            let charge = Charge {
                price: Price::from_raw(price),
                share: if beyond { 32 } else { 64 },
                even: rng.one_in(4),
            };
            line = if rng.one_in(8) {
                M::after_null(line)
            } else {
                M::after(line, charge)
            };
            if rng.one_in(8) {
                line = M::reduced(line, Depth::from_raw(2 * rng.within(-64, 64)));
            }
        }
    }
}

/// Every check of the arithmetic, each of which panics where a rule is violated.
pub(crate) fn checks<M: Model>() -> [fn(); 3] {
    [
        budgets_follow_the_ledger::<M>,
        depth_follows_the_rule::<M>,
        paper_goes_on_while_either_can_pay::<M>,
    ]
}

#[test]
fn the_engine_keeps_the_ledger() {
    checks::<Real>().into_iter().for_each(|check| check());
    lines_end_in_time::<Real>(10_000);
}
