//! Wrong models fail the checks that the engine passes: a test that cannot fail proves nothing.

use std::panic::catch_unwind;

use sextant_config::Config;
use sextant_search::budget::{Allowance, Budgets, Charge, Coupling, Depth, Price};

use crate::{
    common::{self, Rng},
    exact,
    ledger::{Model, checks, lines_end_in_time},
    oracle::Fault,
};

/// After a move each side goes on with the other's budget.
struct SidesMixedUp;

impl Model for SidesMixedUp {
    fn after(line: Allowance, charge: Charge) -> Allowance {
        let line = line.after(charge);
        // A ply that is given back exchanges the sides, and does nothing else.
        let exchanged = line.budgets.after(Price::NOMINAL).reduced(-Depth::PLY);
        Allowance {
            budgets: exchanged,
            ..line
        }
    }
}

/// Passing costs the side that passes a second ply.
struct NullMoveCharged;

impl Model for NullMoveCharged {
    fn after_null(line: Allowance) -> Allowance {
        line.after(Charge::whole(Price::from_raw(2 * Price::NOMINAL.raw())))
    }
}

/// The depth is what both sides have together.
struct CouplingIgnored;

impl Model for CouplingIgnored {
    fn depth(_: &Coupling, budgets: Budgets) -> Depth {
        Depth::from_raw(budgets.us().raw() + budgets.them().raw())
    }
}

/// Discounts are free.
struct CreditForgotten;

impl Model for CreditForgotten {
    fn after(line: Allowance, charge: Charge) -> Allowance {
        Allowance {
            budgets: line.budgets.after(charge.price),
            ..line
        }
    }
}

/// A reduction is taken from the side to move alone.
struct ReductionOnOneSide;

impl Model for ReductionOnOneSide {
    fn reduced(line: Allowance, reduction: Depth) -> Allowance {
        // Two plies cancel each other but for the price.
        let price = Price::from_raw(Price::NOMINAL.raw() + reduction.raw());
        let there = line.budgets.after(price);
        Allowance {
            budgets: there.after(Price::NOMINAL).reduced(Depth::plies(-2)),
            ..line
        }
    }
}

/// Does a check panic?
fn is_caught<M: Model>() -> bool {
    let mut checks = checks::<M>().into_iter();
    checks.any(|check| catch_unwind(check).is_err())
}

#[test]
fn every_wrong_model_fails_a_check() {
    for (mutant, is_caught) in [
        ("sides mixed up", is_caught::<SidesMixedUp>()),
        ("null move charged", is_caught::<NullMoveCharged>()),
        ("coupling ignored", is_caught::<CouplingIgnored>()),
        ("credit forgotten", is_caught::<CreditForgotten>()),
        ("reduction on one side", is_caught::<ReductionOnOneSide>()),
    ] {
        assert!(is_caught, "{mutant} passes every check");
    }
    let endless = catch_unwind(|| lines_end_in_time::<CreditForgotten>(1_000));
    assert!(
        endless.is_err(),
        "without the credit lines grow out of bounds"
    );
}

/// The comparison with the oracle would see each of these mistakes, too.
#[test]
fn a_wrong_oracle_disagrees_with_the_engine() {
    let games = common::games(120);
    let mut engine = common::engine(&Config::default());
    for fault in [
        Fault::SidesMixedUp,
        Fault::CouplingIgnored,
        Fault::CreditForgotten,
    ] {
        let mut rng = Rng::new(5);
        // One line in hundreds runs out of credit.
        let mut cases = games.iter().cycle().take(4 * games.len()).enumerate();
        let disagrees = cases.any(|(number, game)| {
            let config = exact::config(number, &mut rng);
            exact::compare(&mut engine, game, &config, (fault, 3_000))
                .is_some_and(|compared| !compared.agrees())
        });
        assert!(disagrees, "{fault:?} goes unseen");
    }
}
