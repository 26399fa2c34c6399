//! Units that the whole engine shares: [`Score`] and [`Ply`].

use std::ops::{Add, Neg, Sub};

/// The longest line that the search follows, in plies from the root.
pub const MAX_PLY: usize = 246;

/// Distance from the root in plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[must_use]
pub struct Ply(pub u16);

impl Ply {
    /// The root of the search.
    pub const ROOT: Ply = Ply(0);

    /// The ply of the children.
    #[inline]
    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }

    /// The ply as an index, 0 at the root.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value for the side to move, in centipawns, with bands for forced mates and for
/// tablebase results.
///
/// | band | meaning |
/// | --- | --- |
/// | `±(MATE - ply)` | mate in `ply` plies from the root |
/// | `±(TABLE - ply)` | a tablebase win or loss reached `ply` plies from the root |
/// | up to `±EVAL_MAX` | an evaluation |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub struct Score(i16);

impl Score {
    /// The value of a draw.
    pub const DRAW: Score = Score(0);
    /// Above every score that a search returns.
    pub const INFINITE: Score = Score(32_001);
    /// No score is known; below every score, never returned by a search.
    pub const NONE: Score = Score(-32_002);
    /// Mate on the board, for the winner.
    pub const MATE: Score = Score(32_000);
    /// A tablebase win at the root.
    pub const TABLE: Score = Score(20_000);
    /// The largest evaluation; anything above is decisive.
    pub const EVAL_MAX: Score = Score(19_000);

    /// The value, or the nearest of ±`max`.
    #[inline]
    const fn within(value: i32, max: Score) -> Score {
        let max = max.raw();
        Score(if value > max {
            max
        } else if value < -max {
            -max
        } else {
            value
        } as i16)
    }

    /// A score of `value` centipawns, or of a raw stored value. Saturates at ±infinite.
    #[inline]
    pub const fn new(value: i32) -> Score {
        Score::within(value, Score::INFINITE)
    }

    /// An evaluation: like [`Score::new`], kept out of the mate and tablebase bands.
    #[inline]
    pub const fn eval(value: i32) -> Score {
        Score::within(value, Score::EVAL_MAX)
    }

    /// The value in centipawns, or a mate or tablebase value as in the table above.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0 as i32
    }

    /// The value in the 16 bits in which tables keep it.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0 as u16
    }

    /// From 16 stored bits; foreign patterns saturate to a legal score or [`Score::NONE`].
    #[inline]
    pub const fn from_bits(bits: u16) -> Score {
        let value = bits as i16;
        if value == Score::NONE.0 {
            Score::NONE
        } else {
            Score::new(value as i32)
        }
    }

    /// The side to move is mated at `ply`.
    #[inline]
    pub const fn mated_at(ply: Ply) -> Score {
        Score(ply.0 as i16 - Score::MATE.0)
    }

    /// The side to move mates at `ply`.
    #[inline]
    pub const fn mates_at(ply: Ply) -> Score {
        Score(Score::MATE.0 - ply.0 as i16)
    }

    /// A tablebase win found at `ply`.
    #[inline]
    pub const fn table_win_at(ply: Ply) -> Score {
        Score(Score::TABLE.0 - ply.0 as i16)
    }

    /// A tablebase loss found at `ply`.
    #[inline]
    pub const fn table_loss_at(ply: Ply) -> Score {
        Score(ply.0 as i16 - Score::TABLE.0)
    }

    /// Is this a forced mate for either side?
    #[inline]
    pub const fn is_mate(self) -> bool {
        let plies = Score::MATE.0 as i32 - self.0.unsigned_abs() as i32;
        0 <= plies && plies <= MAX_PLY as i32 + 2
    }

    /// Is this a forced mate or a tablebase result?
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0.unsigned_abs() > Score::EVAL_MAX.0 as u16
    }

    /// A decisive score for the side to move.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > Score::EVAL_MAX.0
    }

    /// A decisive score against the side to move.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -Score::EVAL_MAX.0
    }

    /// Signed full moves to mate as UCI prints them, or `None` if this is no mate.
    ///
    /// ```
    /// use sextant_board::{Ply, Score};
    /// assert_eq!(Score::mates_at(Ply(5)).mate_in(), Some(3));
    /// assert_eq!(Score::mated_at(Ply(4)).mate_in(), Some(-2));
    /// assert_eq!(Score::new(30).mate_in(), None);
    /// ```
    pub const fn mate_in(self) -> Option<i32> {
        if !self.is_mate() {
            return None;
        }
        let plies = (Score::MATE.0 - self.0.abs()) as i32;
        Some(if self.0 > 0 {
            (plies + 1) / 2
        } else {
            -(plies / 2)
        })
    }

    /// From "counted from the root" to "counted from the node at `ply`", as tables store it.
    ///
    /// ```
    /// use sextant_board::{Ply, Score};
    /// let seen_at_7 = Score::mates_at(Ply(10));
    /// assert_eq!(seen_at_7.to_node(Ply(7)), Score::mates_at(Ply(3)));
    /// assert_eq!(seen_at_7.to_node(Ply(7)).to_root(Ply(7)), seen_at_7);
    /// ```
    #[inline]
    pub const fn to_node(self, ply: Ply) -> Score {
        self.nearer(-(ply.0 as i32))
    }

    /// The inverse of [`Score::to_node`].
    #[inline]
    pub const fn to_root(self, ply: Ply) -> Score {
        self.nearer(ply.0 as i32)
    }

    /// Towards zero by this much, if this is decisive.
    #[inline]
    const fn nearer(self, plies: i32) -> Score {
        if self.is_win() {
            Score::new(self.raw() - plies)
        } else if self.is_loss() && self.0 != Score::NONE.0 {
            Score::new(self.raw() + plies)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    #[inline]
    fn add(self, cp: i32) -> Score {
        Score::new(self.raw() + cp)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline]
    fn sub(self, cp: i32) -> Score {
        Score::new(self.raw() - cp)
    }
}

impl Sub for Score {
    /// A difference of scores is plain centipawns.
    type Output = i32;
    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.raw() - other.raw()
    }
}
