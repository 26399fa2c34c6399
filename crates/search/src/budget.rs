//! The search model of Levy, Broughton and Taylor (*The SEX Algorithm in Computer Chess*, ICCA
//! Journal 12/1, 1989), with what was learned since.
//!
//! | the paper | here | Stockfish |
//! | --- | --- | --- |
//! | SX, the unit of search depth: 8 are a ply | [`Budget`], in sixteenths of an SX | `ONE_PLY`, now 1 |
//! | SEXDEC (SXDEC), what a move takes from SX | [`Price`], by [`Category`] | one ply, less an extension |
//! | first generation (1981): one SX | [`Coupling`] 0: both budgets are one | `depth` |
//! | Cyrus 68K (1985): an SX a side | two budgets; [`Coupling`] makes one [`Depth`] of them | - |
//! | extended while either side can pay | coupling rule `paper`, k = 1 | - |
//! | - | [`Credit`] bounds what cheap moves add to a line | limits on extensions |
//! | - | a reduction (`lmr.rs`), taken from both sides alike | late-move reduction (LMR) |
//!
//! Every side has a [`Budget`]; every move has a [`Price`]. A ply takes four SX of tempo from both
//! sides. What a move costs above the nominal eight SX, or below, its mover alone pays or is
//! credited; under the lead by initiative both sides bear it alike ([`Charge`]), unless the move is
//! forcing. [`Coupling`] turns the two budgets into the one effective [`Depth`] that pruning,
//! reductions and the table are keyed on; where it reaches zero, quiescence begins.
//!
//! A *price* belongs to the move: it stays on the path and is seen by the coupling. A *reduction*
//! is the searcher's bet that the move fails: it is taken from both sides alike and lowers the
//! depth by exactly its size whatever the coupling. With `verified`, what a price has above nominal
//! becomes a reduction.

mod category;
mod price;
mod units;

use sextant_config::CouplingRule;

pub use category::{Category, CategorySet, Exchange, MoveToPrice, NodeFacts, OrderFacts};
pub use price::{AgainstWindow, Prices};
pub use units::{Budget, Budgets, Credit, Depth, Price};

/// What a line has left: both budgets and the credit for extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Allowance {
    /// The budgets, seen from the side to move.
    pub budgets: Budgets,
    /// What cheap moves may still draw.
    pub credit: Credit,
}

impl Allowance {
    /// Nothing left and nobody ahead: the allowance of quiescence.
    pub const SPENT: Allowance = Allowance {
        budgets: Budgets::level(),
        credit: Credit::NONE,
    };

    /// After a move, whose discount is cut to the credit that is left.
    pub fn after(self, charge: Charge) -> Allowance {
        let (price, credit) = self.credit.charge(charge.price, charge.share);
        let budgets = if charge.even {
            // Rounded up to halves, so that nobody gets more than was drawn on the credit.
            let extra = (price.raw() - Price::NOMINAL.raw() + 1) & !1;
            let both = self.budgets.after(Price::NOMINAL);
            both.reduced(Depth::from_raw(extra))
        } else {
            self.budgets.after(price)
        };
        Allowance { budgets, credit }
    }

    /// After a null move: tempo from both, no price.
    pub fn after_null(self) -> Allowance {
        Allowance {
            budgets: self.budgets.after(Price::NOMINAL),
            ..self
        }
    }

    /// With `reduction` taken from both budgets. A negative reduction draws on the credit and is
    /// cut to it.
    pub fn reduced(self, reduction: Depth) -> Allowance {
        if reduction >= Depth::ZERO {
            return Allowance {
                budgets: self.budgets.reduced(reduction),
                ..self
            };
        }
        let (granted, credit) = self.credit.draw(-reduction);
        Allowance {
            budgets: self.budgets.reduced(-granted),
            credit,
        }
    }
}

/// What a move takes from the allowance of its node.
#[derive(Clone, Copy, Debug)]
pub struct Charge {
    pub price: Price,
    /// The share of a discount that counts, in 64ths.
    pub share: i32,
    /// Both sides bear alike what is not nominal: the move builds no lead.
    pub even: bool,
}

impl Charge {
    /// The whole price, borne by the mover.
    pub const fn whole(price: Price) -> Charge {
        Charge {
            price,
            share: 64,
            even: false,
        }
    }
}

/// How far one side's spending is refunded because the other side has been forcing.
#[derive(Clone, Copy, Debug)]
pub struct Coupling {
    /// -64..=64: all of the refund taken away, none, all of it given.
    k: i32,
    rule: CouplingRule,
    /// Most that is refunded for each unit of the forcing side's lead, in 64ths.
    refund_ratio: i32,
}

impl Coupling {
    /// `k` and `refund_ratio` in 64ths, as the config keeps them.
    pub const fn new(k: i32, rule: CouplingRule, refund_ratio: i32) -> Coupling {
        Coupling {
            k,
            rule,
            refund_ratio,
        }
    }

    /// Does the difference between the budgets matter at all?
    pub const fn is_on(&self) -> bool {
        self.k != 0
    }

    /// `k` times a difference of budgets.
    pub const fn weigh(&self, difference: i32) -> i32 {
        self.k * difference / 64
    }

    /// The effective depth `d = us + them + k R`.
    ///
    /// * "paper": `R = |us - them|`; with k = 1 the line goes on while either budget is positive,
    ///   with k = -1 it ends as soon as either is spent.
    /// * "forcing": the side with the debt is refunded only as far as the other side has a gain.
    pub fn depth(&self, budgets: Budgets) -> Depth {
        let shared = budgets.shared();
        if !self.is_on() {
            return Depth::from_raw(shared);
        }
        let (us, them) = (budgets.gain_us(), budgets.gain_them());
        let refund = match self.rule {
            CouplingRule::Paper => (us - them).abs(),
            CouplingRule::Forcing => {
                let lead = us.max(them).max(0);
                let debt = (-us.min(them)).max(0);
                (self.refund_ratio * lead / 64).min(debt)
            }
        };
        Depth::from_raw(shared + self.k * refund / 64)
    }
}
