//! The arithmetic of budgets against a ledger kept for White and Black in plain integers. The
//! checks are generic over a [`Model`], so that `mutants` can show that they would see a mistake.

use sextant_config::CouplingRule;
use sextant_search::budget::{Allowance, Budget, Budgets, Coupling, Credit, Depth, Price};

use crate::common::Rng;

/// The search model as the engine uses it.
pub(crate) trait Model {
    fn after(line: Allowance, price: Price, beyond: bool) -> Allowance {
        line.after(price, beyond)
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
pub(crate) struct Real;

impl Model for Real {}

/// A violated rule, in words.
pub(crate) type Check = Result<(), String>;

pub(crate) fn ensure(holds: bool, what: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(what()) }
}

const SX: i32 = 16;
const PLY: i32 = 128;

pub(crate) fn root(plies: i32, credit: i32) -> Allowance {
    let total = Budget::from_sx(8 * plies);
    Allowance {
        budgets: Budgets::root(total),
        credit: Credit::root(total, credit),
    }
}

/// Every coupling that the tests look at.
pub(crate) fn couplings() -> impl Iterator<Item = Coupling> {
    let rules = [
        CouplingRule::Forcing,
        CouplingRule::Paper,
        CouplingRule::Strict,
    ];
    rules.into_iter().flat_map(|rule| {
        [0, 16, 32, 64]
            .into_iter()
            .flat_map(move |k| [0, 32, 64, 256].map(move |ratio| Coupling::new(k, rule, ratio)))
    })
}

/// A random line of moves, null moves and reductions: each side's budget and gain, and the credit,
/// are what a bookkeeper has for White and Black.
pub(crate) fn budgets_follow_the_ledger<M: Model>() -> Check {
    let mut rng = Rng::new(11);
    for _ in 0..2_000 {
        let credit_ratio = rng.within(0, 128);
        let plies = rng.within(1, 30);
        let mut line = root(plies, credit_ratio);
        let mut credit = line.credit.raw();
        let (mut left, mut gain) = ([plies * PLY / 2; 2], [0_i32; 2]);
        for ply in 0..40 {
            let side = ply % 2;
            let raw = rng.within(-16 * SX, 32 * SX);
            match rng.below(4) {
                0 => {
                    line = M::after_null(line);
                    left = left.map(|left| left - PLY / 2);
                }
                _ => {
                    line = M::after(line, Price::from_raw(raw), false);
                    let discount = (PLY - raw).min(credit);
                    if discount > 0 {
                        credit -= discount;
                    }
                    left = left.map(|left| left - PLY / 2);
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
            ensure(found == right, || {
                format!("ply {ply}: {found:?}, ledger {right:?}")
            })?;
            ensure(line.credit.raw() == credit && credit >= 0, || {
                format!("ply {ply}: credit {:?}, ledger {credit}", line.credit)
            })?;
        }
    }
    Ok(())
}

/// The depth by the two rules of the paper and of the design, from plain integers.
pub(crate) fn depth_follows_the_rule<M: Model>() -> Check {
    let mut rng = Rng::new(12);
    for _ in 0..5_000 {
        let mut line = root(rng.within(1, 30), 128);
        for _ in 0..rng.within(0, 12) {
            line = M::after(line, Price::from_raw(rng.within(-16 * SX, 32 * SX)), false);
        }
        let (k, ratio) = (rng.within(0, 64), rng.within(0, 256));
        let (us, them) = (line.budgets.us().raw(), line.budgets.them().raw());
        let (e_us, e_them) = (line.budgets.gain_us(), line.budgets.gain_them());
        let paper = us + them + k * (us - them).abs() / 64;
        let strict = us + them - k * (us - them).abs() / 64;
        let debt = (-e_us.min(e_them)).max(0);
        let forcing = us + them + k * (ratio * e_us.max(e_them).max(0) / 64).min(debt) / 64;
        for (rule, right) in [
            (CouplingRule::Paper, paper),
            (CouplingRule::Strict, strict),
            (CouplingRule::Forcing, forcing),
        ] {
            let found = M::depth(&Coupling::new(k, rule, ratio), line.budgets).raw();
            ensure(found == right, || {
                format!("{rule:?} k {k}: depth {found}, not {right}")
            })?;
        }
    }
    Ok(())
}

/// With k = 1 the paper's line goes on exactly as long as either side has something left.
pub(crate) fn paper_goes_on_while_either_can_pay<M: Model>() -> Check {
    let mut rng = Rng::new(13);
    let coupling = Coupling::new(64, CouplingRule::Paper, 64);
    for _ in 0..5_000 {
        let mut line = root(rng.within(1, 12), 64);
        for _ in 0..rng.within(0, 10) {
            line = M::after(line, Price::from_raw(rng.within(-16 * SX, 32 * SX)), false);
        }
        let either = line.budgets.us().raw() > 0 || line.budgets.them().raw() > 0;
        let goes_on = M::depth(&coupling, line.budgets) > Depth::ZERO;
        ensure(goes_on == either, || {
            format!("{:?} goes on: {goes_on}", line.budgets)
        })?;
    }
    Ok(())
}

/// With every price nominal the depth is what is left of the plies.
pub(crate) fn nominal_play_spends_a_ply_a_ply<M: Model>() -> Check {
    for coupling in couplings() {
        let mut line = root(20, 32);
        for left in (0..=20).rev() {
            let depth = M::depth(&coupling, line.budgets);
            ensure(depth == Depth::plies(left), || {
                format!("{depth:?}, not {left} plies")
            })?;
            line = if left % 3 == 0 {
                M::after_null(line)
            } else {
                M::after(line, Price::NOMINAL, false)
            };
        }
    }
    Ok(())
}

/// Who paid does not matter for the sum: any order of the same prices leaves the same.
pub(crate) fn the_sum_depends_on_the_costs_alone<M: Model>() -> Check {
    let mut rng = Rng::new(14);
    for _ in 0..500 {
        // Enough credit for any order.
        let mut prices: Vec<i32> = (0..8).map(|_| rng.within(4 * SX, 32 * SX)).collect();
        let mut sums = Vec::new();
        for _ in 0..4 {
            let mut line = root(30, 128);
            for &price in &prices {
                line = M::after(line, Price::from_raw(price), false);
            }
            sums.push(line.budgets.us().raw() + line.budgets.them().raw());
            prices.rotate_left(1 + rng.below(7));
        }
        let right = 30 * PLY - prices.iter().sum::<i32>();
        ensure(sums.iter().all(|&sum| sum == right), || {
            format!("{prices:?}: {sums:?}")
        })?;
    }
    Ok(())
}

/// A reduction lowers the depth by exactly its size, however far the budgets lie apart, and
/// exchanging the sides changes nothing.
pub(crate) fn a_reduction_is_no_sides_cost<M: Model>() -> Check {
    let mut rng = Rng::new(15);
    for _ in 0..500 {
        let mut line = root(rng.within(1, 30), 128);
        for _ in 0..rng.within(0, 12) {
            line = M::after(line, Price::from_raw(rng.within(-16 * SX, 32 * SX)), false);
        }
        let reduction = Depth::from_raw(2 * rng.within(0, 5 * PLY / 2));
        for coupling in couplings() {
            let before = M::depth(&coupling, line.budgets);
            let after = M::depth(&coupling, M::reduced(line, reduction).budgets);
            ensure(before - after == reduction, || {
                format!("{before:?} less {reduction:?} is {after:?}")
            })?;
            let exchanged = M::depth(&coupling, line.budgets.swapped());
            ensure(before == exchanged, || {
                format!("{before:?}, exchanged {exchanged:?}")
            })?;
        }
    }
    Ok(())
}

/// Every check by name.
pub(crate) fn checks<M: Model>() -> Vec<(&'static str, Check)> {
    vec![
        ("ledger", budgets_follow_the_ledger::<M>()),
        ("rule", depth_follows_the_rule::<M>()),
        ("paper", paper_goes_on_while_either_can_pay::<M>()),
        ("nominal", nominal_play_spends_a_ply_a_ply::<M>()),
        ("sum", the_sum_depends_on_the_costs_alone::<M>()),
        ("reduction", a_reduction_is_no_sides_cost::<M>()),
    ]
}

#[test]
fn the_engine_keeps_the_ledger() {
    for (name, check) in checks::<Real>() {
        assert_eq!(check, Ok(()), "{name}");
    }
}
