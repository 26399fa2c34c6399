//! The search model of Levy, Broughton and Taylor (1989), with what was learned since.
//!
//! Every side has a [`Budget`]; every move has a [`Price`]. A ply takes four SX of tempo from both
//! sides, and the mover alone pays what its move costs above the nominal eight SX, or is credited
//! what it costs below. [`Coupling`] turns the two budgets into the one effective [`Depth`] that
//! pruning, reductions and the table are keyed on; where it reaches zero, quiescence begins.
//!
//! A *price* belongs to the move: it stays on the path and is seen by the coupling. A *reduction*
//! is the searcher's bet that the move fails: it is taken from both sides alike and lowers the
//! depth by exactly its size whatever the coupling. [`Credit`] bounds how far cheap moves can
//! lengthen one line.

mod category;
mod coupling;
mod price;
mod units;

pub use category::Category;
pub use coupling::Coupling;
pub use price::{AgainstWindow, NodeFacts, OrderFacts, Prices};
pub use units::{Budget, Budgets, Credit, Depth, Price};

/// What a line has left: both budgets and the credit for extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The budgets, seen from the side to move.
    pub budgets: Budgets,
    /// What cheap moves may still draw.
    pub credit: Credit,
}

impl Allowance {
    /// The line after a move of `price`, whose discount is cut to the credit that is left; beyond
    /// the nominal depth of the iteration (`beyond`) discounts count half.
    #[inline]
    #[must_use]
    pub fn after(self, price: Price, beyond: bool) -> Allowance {
        let (price, credit) = self.credit.charge(price, beyond);
        Allowance {
            budgets: self.budgets.after(price),
            credit,
        }
    }

    /// The line after a null move: tempo from both, no price.
    #[inline]
    #[must_use]
    pub fn after_null(self) -> Allowance {
        Allowance {
            budgets: self.budgets.after(Price::NOMINAL),
            ..self
        }
    }

    /// The line with `reduction` taken from both budgets. A negative reduction draws on the credit
    /// and is cut to it.
    #[inline]
    #[must_use]
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
