//! The only arithmetic on raw budgets. Everything is counted in sixteenths of an SX, and eight SX
//! are one nominal ply.

use std::ops::{Add, Neg, Sub};

/// Sixteenths in one SX.
const SX: i32 = 16;
/// Sixteenths in one nominal ply.
const PLY: i32 = 8 * SX;

/// What one side may still spend on a line. May be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[must_use]
pub struct Budget(i32);

impl Budget {
    pub const fn from_sx(sx: i32) -> Budget {
        Budget(sx * SX)
    }

    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The nominal depth in plies that UCI prints for a whole-line budget, rounded up.
    pub fn plies_rounded_up(self) -> u32 {
        self.0.max(0).unsigned_abs().div_ceil(PLY as u32)
    }
}

/// What a move costs its mover; eight SX are nominal, less is an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[must_use]
pub struct Price(i32);

impl Price {
    pub const NOMINAL: Price = Price(PLY);
    /// The cheapest move that is allowed.
    pub const MIN: Price = Price(-16 * SX);
    /// The most expensive move that is allowed.
    pub const MAX: Price = Price(64 * SX);

    /// A price from sixteenths of an SX, cut to the range.
    pub fn from_raw(raw: i32) -> Price {
        Price(raw.clamp(Price::MIN.0, Price::MAX.0))
    }

    pub const fn raw(self) -> i32 {
        self.0
    }
}

/// The effective depth of a node, or a reduction of it; [`Depth::PLY`] is one ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[must_use]
pub struct Depth(i32);

impl Depth {
    pub const ZERO: Depth = Depth(0);
    pub const PLY: Depth = Depth(PLY);

    /// From 1/128 plies, in which the config counts reductions.
    pub const fn from_raw(raw: i32) -> Depth {
        Depth(raw)
    }

    pub const fn plies(plies: i32) -> Depth {
        Depth(plies * PLY)
    }

    pub const fn raw(self) -> i32 {
        self.0
    }

    /// Whole plies, rounded to the nearest.
    pub const fn in_plies(self) -> i32 {
        (self.0 + PLY / 2).div_euclid(PLY)
    }

    /// Whole plies, rounded up.
    pub const fn plies_up(self) -> i32 {
        (self.0 + PLY - 1).div_euclid(PLY)
    }

    /// Quarter plies, rounded down, as the table keeps drafts.
    pub const fn in_quarters(self) -> i32 {
        self.0.div_euclid(PLY / 4)
    }

    pub const fn from_quarters(quarters: i32) -> Depth {
        Depth(quarters * (PLY / 4))
    }

    pub const fn half(self) -> Depth {
        Depth(self.0 / 2)
    }
}

impl Add for Depth {
    type Output = Depth;
    fn add(self, other: Depth) -> Depth {
        Depth(self.0 + other.0)
    }
}

impl Sub for Depth {
    type Output = Depth;
    fn sub(self, other: Depth) -> Depth {
        Depth(self.0 - other.0)
    }
}

impl Neg for Depth {
    type Output = Depth;
    fn neg(self) -> Depth {
        Depth(-self.0)
    }
}

/// Both sides' budgets, seen from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Budgets {
    us: i32,
    them: i32,
    /// What each side would have left had every move of this line cost the nominal price; less the
    /// reductions, which are no side's gain or debt.
    par: i32,
}

impl Budgets {
    /// The root of an iteration: half of `total` each.
    pub const fn root(total: Budget) -> Budgets {
        let half = total.0 / 2;
        Budgets {
            us: half,
            them: total.0 - half,
            par: half,
        }
    }

    /// Nothing left and nobody ahead: the budgets of quiescence.
    pub const fn level() -> Budgets {
        Budgets::root(Budget(0))
    }

    /// After a move of `price`, seen from the other side.
    pub const fn after(self, price: Price) -> Budgets {
        Budgets {
            us: self.them - PLY / 2,
            them: self.us - PLY / 2 - (price.0 - PLY),
            par: self.par - PLY / 2,
        }
    }

    /// With `reduction` taken from both alike (or given to both, if negative).
    pub const fn reduced(self, reduction: Depth) -> Budgets {
        // Rounded to an even number of sixteenths, so that each side loses exactly half.
        let half = reduction.0 >> 1;
        Budgets {
            us: self.us - half,
            them: self.them - half,
            par: self.par - half,
        }
    }

    pub const fn us(self) -> Budget {
        Budget(self.us)
    }

    pub const fn them(self) -> Budget {
        Budget(self.them)
    }

    /// The depth of a single shared budget: what both have left together.
    pub(crate) const fn shared(self) -> i32 {
        self.us + self.them
    }

    /// Gains (positive) or debts of the side to move along this line, in sixteenths.
    pub const fn gain_us(self) -> i32 {
        self.us - self.par
    }

    /// Gains or debts of the other side.
    pub const fn gain_them(self) -> i32 {
        self.them - self.par
    }

    /// How much more forcing the side to move has been than the other, in sixteenths.
    pub const fn imbalance(self) -> i32 {
        self.us - self.them
    }
}

/// What cheap moves and negative reductions may still draw along a line, in sixteenths of an SX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Credit(i32);

impl Credit {
    pub const NONE: Credit = Credit(0);

    /// The root's credit: `ratio_64ths`/64 of the iteration's total budget.
    pub const fn root(total: Budget, ratio_64ths: i32) -> Credit {
        Credit((total.0 as i64 * ratio_64ths as i64 / 64) as i32)
    }

    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The price that is charged in the end, and the credit left, where `share_64ths` of a discount
    /// counts. A price of nominal or more is charged as it is.
    pub(super) fn charge(self, price: Price, share_64ths: i32) -> (Price, Credit) {
        if price >= Price::NOMINAL {
            return (price, self);
        }
        let wanted = (PLY - price.0) * share_64ths / 64;
        let granted = wanted.min(self.0);
        (Price(PLY - granted), Credit(self.0 - granted))
    }

    /// As much of `wanted` as there is (an even number of sixteenths), and what is left then.
    pub(super) fn draw(self, wanted: Depth) -> (Depth, Credit) {
        let granted = wanted.0.min(self.0) & !1;
        (Depth(granted), Credit(self.0 - granted))
    }
}
