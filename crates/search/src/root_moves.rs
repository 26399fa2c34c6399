//! The moves of the root.

pub(crate) mod bonus;

use sextant_board::{Move, Score};
use sextant_syzygy::Wdl;

use crate::{stack::PvLine, window::Bound};

/// A root move and what the iterations found out about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its score in this iteration, bonus included; infinitely low if it was not better than alpha.
    pub score: Score,
    /// What `score` says of its value.
    pub bound: Bound,
    /// The nominal depth of the iteration that `score` and `pv` come from.
    pub depth: u32,
    /// Its score in the last iteration in which it was in the list of best lines.
    pub previous: Score,
    /// Bonus in centipawns (Ronald de Man's root-move bonus), the same in every call of a `go`.
    pub bonus: i32,
    /// Rank by the tablebases: only moves of the best rank are searched.
    pub rank: i32,
    /// Its result by the tablebases, if they cover the root: what is shown instead of its score.
    pub tabled: Option<Wdl>,
    /// Nodes spent below it.
    pub nodes: u64,
    /// Longest line below it.
    pub seldepth: u32,
    /// The line that begins with it.
    pub pv: PvLine,
}

impl RootMove {
    /// A move of which nothing is known.
    #[must_use]
    pub(crate) fn new(mv: Move) -> RootMove {
        let lowest = -Score::INFINITE;
        let mut pv = PvLine::new();
        pv.push(mv);
        RootMove {
            mv,
            score: lowest,
            bound: Bound::Exact,
            depth: 1,
            previous: lowest,
            bonus: 0,
            rank: 0,
            tabled: None,
            nodes: 0,
            seldepth: 0,
            pv,
        }
    }

    /// The best that is known of its value: the score of this iteration, or of the last. A mate that
    /// is proved to be no longer than this is told as it is.
    #[must_use]
    pub(crate) fn known(&self) -> (Score, Bound) {
        if self.score == -Score::INFINITE {
            return (self.previous, Bound::Exact);
        }
        let proved = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score.is_mate() && self.score.is_win(),
            Bound::Upper => self.score.is_mate() && self.score.is_loss(),
        };
        let bound = if proved { Bound::Exact } else { self.bound };
        (self.score, bound)
    }

    /// Does a search know anything of it?
    #[must_use]
    pub(crate) fn is_searched(&self) -> bool {
        self.score.max(self.previous) > -Score::INFINITE
    }

    /// The line is this move and `rest`.
    pub(crate) fn take_line(&mut self, rest: &PvLine) {
        self.pv.clear();
        self.pv.push(self.mv);
        self.pv
            .extend(rest.iter().take(sextant_board::MAX_PLY - 1).copied());
    }
}

/// Adds a bonus to a score, unless the score is a mate or a tablebase result.
#[inline]
#[must_use]
pub(crate) fn with_bonus(score: Score, bonus: i32) -> Score {
    if bonus == 0 || score.is_decisive() {
        score
    } else {
        Score::eval(score.raw() + bonus)
    }
}

/// Takes it off again.
#[inline]
#[must_use]
pub(crate) fn without_bonus(score: Score, bonus: i32) -> Score {
    with_bonus(score, -bonus)
}
