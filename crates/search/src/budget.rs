//! The search model of Levy, Broughton and Taylor (*The SEX Algorithm in Computer Chess*, ICCA
//! Journal 12/1, 1989), with what was learned since.
//!
//! | the paper | here | Stockfish |
//! | --- | --- | --- |
//! | SX, the unit of search depth: 8 are a ply | [`Budget`], in sixteenths of an SX | `ONE_PLY`, now 1 |
//! | SEXDEC, what a move takes from SX | [`Price`], by [`Category`] | one ply, less an extension |
//! | first generation: one SX | [`Coupling`] 0: both budgets are one | `depth` |
//! | second generation: an SX a side | two budgets; [`Coupling`] makes one [`Depth`] of them | - |
//! | extended while either side can pay | coupling rule `paper`, k = 1 | - |
//! | - | [`Credit`] bounds what cheap moves add to a line | limits on extensions |
//! | - | a reduction (`lmr.rs`), taken from both sides alike | late-move reduction (LMR) |
//!
//! Every side has a [`Budget`]; every move has a [`Price`]. A ply takes four SX of tempo from both
//! sides, and the mover alone pays what its move costs above the nominal eight SX, or is credited
//! what it costs below. [`Coupling`] turns the two budgets into the one effective [`Depth`] that
//! pruning, reductions and the table are keyed on; where it reaches zero, quiescence begins.
//!
//! A *price* belongs to the move: it stays on the path and is seen by the coupling. A *reduction*
//! is the searcher's bet that the move fails: it is taken from both sides alike and lowers the
//! depth by exactly its size whatever the coupling.

mod category;
mod coupling;
mod price;
mod units;

pub use category::{Category, CategorySet, Exchange, MoveToPrice, NodeFacts, OrderFacts};
pub use coupling::Coupling;
pub use price::{AgainstWindow, Prices};
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
    /// Nothing left and nobody ahead: the allowance of quiescence.
    pub const SPENT: Allowance = Allowance {
        budgets: Budgets::level(),
        credit: Credit::NONE,
    };

    /// After a move of `price`, whose discount is cut to the credit that is left; beyond the
    /// nominal depth of the iteration (`beyond`) discounts count half.
    #[inline]
    #[must_use]
    pub fn after(self, price: Price, beyond: bool) -> Allowance {
        let (price, credit) = self.credit.charge(price, beyond);
        Allowance {
            budgets: self.budgets.after(price),
            credit,
        }
    }

    /// After a null move: tempo from both, no price.
    #[inline]
    #[must_use]
    pub fn after_null(self) -> Allowance {
        Allowance {
            budgets: self.budgets.after(Price::NOMINAL),
            ..self
        }
    }

    /// With `reduction` taken from both budgets. A negative reduction draws on the credit and is
    /// cut to it.
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
