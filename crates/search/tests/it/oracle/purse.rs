//! What both sides may still spend, in sixteenths of an SX.

use sextant_config::{Config, CouplingRule};

/// Half a ply of tempo, and the nominal price of a move.
const TEMPO: i32 = 64;
const NOMINAL: i32 = 128;

/// A deliberate mistake, so that the tests can show that they would see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// After a move each side goes on with the other's budget.
    SidesMixedUp,
    /// The depth is what both have together.
    CouplingIgnored,
    /// Discounts do not draw on the credit.
    CreditForgotten,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Purse {
    pub(crate) us: i32,
    pub(crate) them: i32,
    /// Gains (or debts, if negative) of both sides along the line.
    pub(crate) gain_us: i32,
    pub(crate) gain_them: i32,
    pub(crate) credit: i32,
}

/// The rules of spending.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    k: i32,
    rule: CouplingRule,
    ratio: i32,
    line_credit: i32,
    fault: Fault,
}

impl Rules {
    pub(crate) fn new(config: &Config, fault: Fault) -> Rules {
        let e = &config.extensions;
        Rules {
            k: e.coupling,
            rule: e.coupling_rule,
            ratio: e.refund_ratio,
            line_credit: e.line_credit,
            fault,
        }
    }

    /// The root of an iteration of `total`.
    pub(crate) fn root(&self, total: i32) -> Purse {
        Purse {
            us: total / 2,
            them: total / 2,
            gain_us: 0,
            gain_them: 0,
            credit: (i64::from(total) * i64::from(self.line_credit) / 64) as i32,
        }
    }

    /// After a move of `price`, for the other side.
    pub(crate) fn after(&self, purse: Purse, price: i32, beyond: bool) -> Purse {
        let mut discount = NOMINAL - price;
        let mut credit = purse.credit;
        if discount > 0 {
            if beyond {
                discount /= 2;
            }
            discount = discount.min(credit);
            if self.fault != Fault::CreditForgotten {
                credit -= discount;
            }
        }
        // The mover is credited the discount, or pays the surcharge.
        let mover = (purse.us - TEMPO + discount, purse.gain_us + discount);
        let other = (purse.them - TEMPO, purse.gain_them);
        let (us, them) = if self.fault == Fault::SidesMixedUp {
            (mover, other)
        } else {
            (other, mover)
        };
        Purse {
            us: us.0,
            them: them.0,
            gain_us: us.1,
            gain_them: them.1,
            credit,
        }
    }

    /// The effective depth: a ply is 128.
    pub(crate) fn depth(&self, purse: Purse) -> i32 {
        let (us, them) = (purse.gain_us, purse.gain_them);
        let refund = match self.rule {
            CouplingRule::Paper => (purse.us - purse.them).abs(),
            CouplingRule::Strict => -(purse.us - purse.them).abs(),
            CouplingRule::Forcing => {
                let (lead, lag) = (us.max(them), us.min(them));
                (self.ratio * lead.max(0) / 64).min((-lag).max(0))
            }
        };
        let k = if self.fault == Fault::CouplingIgnored {
            0
        } else {
            self.k
        };
        purse.us + purse.them + k * refund / 64
    }
}
