//! From two budgets to one effective depth.

use sextant_config::CouplingRule;

use super::units::{Budgets, Depth};

/// How far one side's spending is refunded because the other side has been forcing.
#[derive(Clone, Copy, Debug)]
pub struct Coupling {
    /// 0..=64: none to all of the refund.
    k: i32,
    rule: CouplingRule,
    /// Most that is refunded for each unit of the forcing side's lead, in 64ths.
    refund_ratio: i32,
}

impl Coupling {
    /// `k` and `refund_ratio` in 64ths, as the config keeps them.
    #[must_use]
    pub const fn new(k: i32, rule: CouplingRule, refund_ratio: i32) -> Coupling {
        Coupling {
            k,
            rule,
            refund_ratio,
        }
    }

    /// Does the difference between the budgets matter at all?
    #[inline]
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.k != 0
    }

    /// `k` times a difference of budgets.
    #[inline]
    #[must_use]
    pub const fn weigh(&self, difference: i32) -> i32 {
        self.k * difference / 64
    }

    /// The effective depth `d = us + them + k R`.
    ///
    /// * "paper": `R = |us - them|`; with k = 1 the line goes on while either budget is positive.
    /// * "strict": the opposite of that, `R = -|us - them|`; with k = 1 the line ends as soon as
    ///   either budget is spent.
    /// * "forcing": the side with the debt is refunded only as far as the other side has a gain.
    #[inline]
    #[must_use]
    pub fn depth(&self, budgets: Budgets) -> Depth {
        let shared = budgets.shared();
        if !self.is_on() {
            return Depth::from_raw(shared);
        }
        let (us, them) = (budgets.gain_us(), budgets.gain_them());
        let refund = match self.rule {
            CouplingRule::Paper => (us - them).abs(),
            CouplingRule::Strict => -(us - them).abs(),
            CouplingRule::Forcing => {
                let lead = us.max(them).max(0);
                let debt = (-us.min(them)).max(0);
                (self.refund_ratio * lead / 64).min(debt)
            }
        };
        Depth::from_raw(shared + self.k * refund / 64)
    }
}
