//! The results: win/draw/loss values, distances to zeroing, and what a root move is worth.

use std::{fmt, ops::Neg};

use cozy_chess::Move;

/// Half-move clock at which the 50-move rule makes the game a draw, in plies.
pub const FIFTY_MOVE_PLIES: i32 = 100;

/// Outcome for the side to move, the half-move clock taken as 0.
///
/// Ordered from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
pub enum Wdl {
    /// A loss even under the 50-move rule.
    Loss = -2,
    /// Lost, but the 50-move rule saves the draw.
    BlessedLoss = -1,
    /// A draw with or without the 50-move rule.
    Draw = 0,
    /// Won, but the 50-move rule takes the win away.
    CursedWin = 1,
    /// A win even under the 50-move rule.
    Win = 2,
}

impl Wdl {
    /// All five values, worst first.
    pub const ALL: [Wdl; 5] = [
        Wdl::Loss,
        Wdl::BlessedLoss,
        Wdl::Draw,
        Wdl::CursedWin,
        Wdl::Win,
    ];

    /// The value stored in a WDL table (0 to 4), or `None` for any other byte.
    pub(crate) fn from_stored(byte: u8) -> Option<Wdl> {
        Self::ALL.get(usize::from(byte)).copied()
    }

    /// -1, 0 or 1: who wins when nobody claims the 50-move draw.
    pub const fn signum(self) -> i32 {
        (self as i8 as i32).signum()
    }

    /// The value once the 50-move rule is switched off: cursed wins are wins, blessed losses are
    /// losses.
    #[must_use]
    pub const fn without_fifty_move_rule(self) -> Wdl {
        match self {
            Wdl::Loss | Wdl::BlessedLoss => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin | Wdl::Win => Wdl::Win,
        }
    }

    /// The distance to zeroing, in plies, of a position of this value whose best move zeroes the
    /// clock at once.
    pub const fn dtz_before_zeroing(self) -> i32 {
        match self {
            Wdl::Loss => -1,
            Wdl::BlessedLoss => -101,
            Wdl::Draw => 0,
            Wdl::CursedWin => 101,
            Wdl::Win => 1,
        }
    }
}

impl Neg for Wdl {
    type Output = Wdl;

    fn neg(self) -> Wdl {
        Self::ALL[(2 - self as i8) as usize]
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wdl::Loss => "loss",
            Wdl::BlessedLoss => "blessed loss",
            Wdl::Draw => "draw",
            Wdl::CursedWin => "cursed win",
            Wdl::Win => "win",
        })
    }
}

/// Distance to the next zeroing move (capture, pawn move) or mate under best play, as the tables
/// count it.
///
/// Positive for the winner, negative for the loser, 0 for a draw. Magnitudes above 100 are cursed
/// wins and blessed losses: 100 plus the distance in which the result would have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dtz {
    /// Plies, positive for a win and negative for a loss.
    pub plies: i32,
    /// The table stores full moves here: the true magnitude is `|plies|` or one ply more.
    pub rounded: bool,
}

impl Dtz {
    /// The distance of a drawn position, 0.
    pub const DRAW: Dtz = Dtz::exact(0);

    /// A distance that is known to the ply.
    pub const fn exact(plies: i32) -> Dtz {
        Dtz {
            plies,
            rounded: false,
        }
    }

    /// What the distance means when `clock` half-moves have already passed without capture or pawn
    /// move.
    pub const fn category(self, clock: u8) -> Category {
        let total = self.plies.abs() + clock as i32;
        let in_time = total < FIFTY_MOVE_PLIES || (total == FIFTY_MOVE_PLIES && !self.rounded);
        let unsure = total == FIFTY_MOVE_PLIES && self.rounded;
        match (self.plies.signum(), in_time, unsure) {
            (0, _, _) => Category::Draw,
            (1, true, _) => Category::Win,
            (1, _, true) => Category::MaybeWin,
            (1, _, _) => Category::CursedWin,
            (_, true, _) => Category::Loss,
            (_, _, true) => Category::MaybeLoss,
            (_, _, _) => Category::BlessedLoss,
        }
    }
}

impl Neg for Dtz {
    type Output = Dtz;

    fn neg(self) -> Dtz {
        Dtz {
            plies: -self.plies,
            ..self
        }
    }
}

/// A result with the real half-move clock; `Maybe` where rounding hides on which side of the
/// 50-move rule it falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Lost, for the 50-move rule comes too late.
    Loss,
    /// Lost, or saved by the 50-move rule by a single ply.
    MaybeLoss,
    /// Lost but for the 50-move rule, which makes it a draw.
    BlessedLoss,
    /// Drawn, whatever the clock.
    Draw,
    /// Won but for the 50-move rule, which makes it a draw.
    CursedWin,
    /// Won, or spoiled by the 50-move rule by a single ply.
    MaybeWin,
    /// Won before the 50-move rule comes in.
    Win,
}

impl Category {
    /// The nearest WDL value; the two `Maybe`s count as decided.
    pub const fn wdl(self) -> Wdl {
        match self {
            Category::Loss | Category::MaybeLoss => Wdl::Loss,
            Category::BlessedLoss => Wdl::BlessedLoss,
            Category::Draw => Wdl::Draw,
            Category::CursedWin => Wdl::CursedWin,
            Category::MaybeWin | Category::Win => Wdl::Win,
        }
    }

    /// The category without doubt of a WDL value.
    pub const fn from_wdl(wdl: Wdl) -> Category {
        match wdl {
            Wdl::Loss => Category::Loss,
            Wdl::BlessedLoss => Category::BlessedLoss,
            Wdl::Draw => Category::Draw,
            Wdl::CursedWin => Category::CursedWin,
            Wdl::Win => Category::Win,
        }
    }
}

/// One legal move of a probed root, judged for the side that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move, in cozy-chess form (castling is king takes rook).
    pub mv: Move,
    /// Outcome with the real half-move clock (with the clock ignored where the 50-move rule is off,
    /// or no DTZ table is there).
    pub wdl: Wdl,
    /// Signed plies to zeroing counted from the root, this move included; `None` where a DTZ table
    /// is missing.
    pub dtz: Option<Dtz>,
    /// The move resets the half-move clock.
    pub zeroing: bool,
    /// Higher is better; moves of equal rank are equally good for the result. See
    /// [`crate::Tablebase::probe_root`].
    pub rank: i32,
}
