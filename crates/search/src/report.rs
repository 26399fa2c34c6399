//! What a search tells its caller.

use std::time::Duration;

use sextant_board::{Move, Score};

use crate::window::Bound;

/// One line of an iteration, as a UCI `info` line shows it.
#[derive(Clone, Debug)]
pub struct Info {
    /// Nominal depth of the iteration in plies; 0 for a mated or stalemated root.
    pub depth: u32,
    /// The longest line that was looked at, in plies.
    pub seldepth: u32,
    /// Rank of the line, from 1.
    pub multipv: usize,
    /// The pure score (no root bonus), from the root's side to move.
    pub score: Score,
    pub bound: Bound,
    pub totals: Totals,
    pub pv: Vec<Move>,
}

impl Info {
    /// Does it say all that a later `line` says, but for the time?
    pub(crate) fn says(&self, line: &Info) -> bool {
        self.totals.nodes == line.totals.nodes
            && self.bound == line.bound
            && self.score == line.score
            && self.pv == line.pv
    }
}

/// What a search has done so far, in all its threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub nodes: u64,
    /// Time since the start of the search; in `nodestime` mode made of nodes.
    pub time: Duration,
    /// Entries of this search in the transposition table, per mille.
    pub hashfull: u32,
    pub tbhits: u64,
}

/// What a search that lasts is doing.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Nominal depth of the iteration in plies.
    pub depth: u32,
    /// The root move that is being searched, and its number in the order of the search, from 1.
    pub current: Option<(Move, u32)>,
    pub totals: Totals,
}

impl Totals {
    /// At once is not infinitely fast.
    pub fn nodes_per_second(&self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

/// Whole units a second, as if the time was a millisecond at least.
pub fn per_second(count: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1_000);
    u64::try_from(u128::from(count) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

#[derive(Clone, Debug)]
pub enum Event {
    Info(Info),
    /// A search that lasts is still at work: told once a second, from the third on.
    Progress(Progress),
    /// Something a person should know.
    Note(String),
}

#[derive(Clone, Debug)]
pub struct Outcome {
    /// The move to play; `None` only if there is no legal (or no allowed) move.
    pub best: Option<Move>,
    pub ponder: Option<Move>,
    /// The last lines, best first: one for each requested MultiPV line that exists.
    pub lines: Vec<Info>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time until the move was given.
    pub time: Duration,
}

impl Outcome {
    /// The score of the best line, a draw if there is none.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::DRAW, |line| line.score)
    }

    pub fn depth(&self) -> u32 {
        self.lines.first().map_or(0, |line| line.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_per_second_are_finite() {
        assert_eq!(per_second(500, Duration::ZERO), 500_000);
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }
}
