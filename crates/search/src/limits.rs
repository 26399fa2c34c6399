//! How long a search may last.

use std::time::Duration;

use sextant_board::Move;

/// Limits of one search. All that are set hold together: the first to be reached ends the search.
/// With none set the search goes on until it is stopped or the deepest iteration is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Ends after the first iteration whose nominal depth is at least this many plies.
    pub depth: Option<u32>,
    /// Never more nodes than this with one thread; with several the sum stops at it.
    pub nodes: Option<u64>,
    /// No new iteration once this many nodes were spent (data generation plays with it).
    pub soft_nodes: Option<u64>,
    /// Exactly this much time (less the overhead).
    pub movetime: Option<Duration>,
    /// Ends when a mate in at most this many moves is proved.
    pub mate: Option<u32>,
    /// The game clock of the side to move.
    pub clock: Option<ClockLimit>,
    /// Search until stopped, even when the deepest iteration is done.
    pub infinite: bool,
    /// The clock does not run until [`crate::Signals::ponderhit`].
    pub ponder: bool,
    /// Nodes that count as a millisecond (UCI `nodestime`), so that timed games can be repeated.
    pub nodes_per_ms: Option<u64>,
    /// Only these root moves; empty means all.
    pub searchmoves: Vec<Move>,
}

impl Limits {
    /// Is an iteration of this nominal depth as deep as was asked for?
    pub(crate) fn reached_by(&self, depth: u32) -> bool {
        self.depth.is_some_and(|limit| depth >= limit)
    }
}

/// What `nodes` count for where `per_ms` of them are a millisecond.
pub fn nodes_as_time(nodes: u64, per_ms: u64) -> Duration {
    Duration::from_micros(nodes * 1000 / per_ms.max(1))
}

/// The game clock as `go wtime ...` gives it, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockLimit {
    /// Time left; zero when the interface sent a negative clock.
    pub remaining: Duration,
    pub increment: Duration,
    /// Moves to the next time control, `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}
