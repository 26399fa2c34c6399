//! However moves are priced, the line credit ends every line in time.

use sextant_config::CouplingRule;
use sextant_search::budget::{Allowance, Budget, Budgets, Coupling, Credit, Depth, Price};

use crate::{
    common::Rng,
    ledger::{Check, Model, Real, ensure},
};

/// `walks` random configs and lines; at every full-width node of a line
/// `ply <= (T + X0 (1 + k r)) / 8` under "forcing", `(T + 2 X0) / 8` under "paper" and
/// `(T + X0) / 8` under "strict".
pub(crate) fn lines_end_in_time<M: Model>(walks: usize) -> Check {
    let mut rng = Rng::new(21);
    for _ in 0..walks {
        let total = Budget::from_sx(rng.within(1, 40) * rng.within(1, 32));
        let (ratio, k) = (rng.within(0, 256), rng.within(0, 64));
        let rule = rng.of(&[
            CouplingRule::Forcing,
            CouplingRule::Paper,
            CouplingRule::Strict,
        ]);
        let coupling = Coupling::new(k, rule, ratio);
        let mut line = Allowance {
            budgets: Budgets::root(total),
            credit: Credit::root(total, rng.within(0, 128)),
        };
        let x0 = f64::from(line.credit.raw());
        let factor = match rule {
            CouplingRule::Forcing => 1.0 + f64::from(k) / 64.0 * f64::from(ratio) / 64.0,
            CouplingRule::Paper => 2.0,
            CouplingRule::Strict => 1.0,
        };
        let bound = (f64::from(total.raw()) + x0 * factor) / 128.0;
        // Three habits of pricing: all over the range, everything cheap, one side cheap.
        let habit = rng.below(3);
        for ply in 0.. {
            if M::depth(&coupling, line.budgets) <= Depth::ZERO {
                break;
            }
            ensure(f64::from(ply) <= bound, || {
                format!(
                    "ply {ply} beyond {bound:.2}: T {total:?}, credit {x0}, {rule:?} k {k} r {ratio}"
                )
            })?;
            let cheap = habit == 1 || habit == 2 && ply % 2 == 0;
            let price = rng.within(-256, if cheap { 128 } else { 512 });
            let beyond = ply as u32 >= total.plies_rounded_up();
            line = if rng.one_in(8) {
                M::after_null(line)
            } else {
                M::after(line, Price::from_raw(price), beyond)
            };
            if rng.one_in(8) {
                line = M::reduced(line, Depth::from_raw(2 * rng.within(-64, 64)));
            }
        }
    }
    Ok(())
}

#[test]
fn ten_thousand_lines_end_in_time() {
    assert_eq!(lines_end_in_time::<Real>(10_000), Ok(()));
}
