//! Two values in one register: middlegame and endgame.

use std::ops::{Add, AddAssign, Mul, Sub};

/// A middlegame and an endgame value in centipawns, packed so that one addition serves both.
///
/// Each half must stay within ±32,767; the largest sum that a legal board can make is well below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pair(i32);

impl Pair {
    pub(super) const ZERO: Pair = Pair(0);

    pub(super) const fn new(mg: i16, eg: i16) -> Pair {
        Pair(((mg as i32) << 16).wrapping_add(eg as i32))
    }

    #[inline]
    pub(super) const fn mg(self) -> i32 {
        // A negative lower half has borrowed one from the upper half: give it back.
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }

    #[inline]
    pub(super) const fn eg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The sum, for use in constants.
    pub(super) const fn plus(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_add(other.0))
    }

    /// The negated pair, for use in constants.
    pub(super) const fn negated(self) -> Pair {
        Pair(self.0.wrapping_neg())
    }
}

impl Add for Pair {
    type Output = Pair;
    #[inline]
    fn add(self, other: Pair) -> Pair {
        self.plus(other)
    }
}

impl Sub for Pair {
    type Output = Pair;
    #[inline]
    fn sub(self, other: Pair) -> Pair {
        self.plus(other.negated())
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;
    #[inline]
    fn mul(self, count: i32) -> Pair {
        Pair(self.0.wrapping_mul(count))
    }
}

impl AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        let values = [-30_000, -1_234, -1, 0, 1, 77, 30_000];
        for mg in values {
            for eg in values {
                let pair = Pair::new(mg, eg);
                assert_eq!((pair.mg(), pair.eg()), (mg.into(), eg.into()));
                assert_eq!(pair.negated().negated(), pair);
                assert_eq!(pair + pair - pair, pair);
                let tenth = Pair::new(mg / 10, eg / 10) * -3;
                let expected = (i32::from(mg / 10) * -3, i32::from(eg / 10) * -3);
                assert_eq!((tenth.mg(), tenth.eg()), expected);
            }
        }
    }
}
