//! What the workers of one search share.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use crossbeam::{atomic::AtomicCell, utils::CachePadded};
use sextant_board::{Move, Position};
use sextant_config::Config;
use sextant_syzygy::Tablebase;
use web_time::Instant;

use crate::{
    game::Game,
    limits::Limits,
    report::{Progress, Totals},
    root_moves::RootMove,
    time::Clock,
    tt::TranspositionTable,
};

/// The line between the outside and a running search: atomics only, so that a thread that reads
/// input can act at once.
///
/// All accesses are relaxed: the flags carry no data, and a worker that sees one a few nodes late
/// is no harm.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    outside: OnceLock<fn() -> bool>,
}

impl Signals {
    /// To be called before a search is asked for, on the thread that will also ask for the stop, so
    /// that a stop which follows at once is not lost.
    pub fn arm(&self, ponder: bool) {
        self.pondering.store(ponder, Ordering::Relaxed);
        self.stop.store(false, Ordering::Relaxed);
    }

    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The expected move was played: from now on the clock counts.
    pub fn ponderhit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }

    /// From now on a search also asks `is_stopped` at every look: where nothing else can run while
    /// it does, nobody could tell it. It is asked several thousand times a second.
    pub fn ask(&self, is_stopped: fn() -> bool) {
        self.outside.get_or_init(|| is_stopped);
    }

    pub fn is_stopped(&self) -> bool {
        if !self.stop.load(Ordering::Relaxed) && self.outside.get().is_some_and(|ask| ask()) {
            self.stop();
        }
        self.stop.load(Ordering::Relaxed)
    }

    /// Is the clock still waiting for the expected move?
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}

/// What one worker counts where all can read it.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    /// Nodes so far, a few hundred late.
    pub nodes: AtomicU64,
    pub tablebase_hits: AtomicU64,
}

/// One search, as all its workers see it.
pub(crate) struct Shared {
    pub game: Game,
    pub limits: Limits,
    pub multipv: usize,
    /// The moves to choose from, ranked and with their bonuses.
    pub root_moves: Vec<RootMove>,
    pub tt: Arc<TranspositionTable>,
    pub tablebase: Option<Arc<Tablebase>>,
    pub signals: Arc<Signals>,
    /// Set by the main worker when it is done, or by any that spent the last node.
    pub finished: AtomicBool,
    /// One counter a worker.
    pub counters: Box<[CachePadded<Counter>]>,
    /// The nominal depth and the root move of the main worker, with its number from 1 in the order
    /// of the search.
    pub current: AtomicCell<(u32, Option<(Move, u32)>)>,
    pub clock: Clock,
    pub start: Instant,
    /// Does anyone hear of the lines before the end?
    pub is_heard: bool,
}

impl Shared {
    /// What a worker has before its first search.
    pub(crate) fn idle(
        config: &Config,
        tt: &Arc<TranspositionTable>,
        signals: &Arc<Signals>,
    ) -> Arc<Shared> {
        Arc::new(Shared {
            game: Game::new(Position::startpos()),
            limits: Limits::default(),
            multipv: 1,
            root_moves: Vec::new(),
            tt: tt.clone(),
            tablebase: None,
            signals: signals.clone(),
            finished: AtomicBool::new(true),
            current: AtomicCell::default(),
            counters: Box::new([]),
            clock: Clock::new(&Limits::default(), &config.time, Duration::ZERO, 1),
            start: Instant::now(),
            is_heard: false,
        })
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.sum(|counter| &counter.nodes)
    }

    /// Of all workers.
    fn sum(&self, count: impl Fn(&Counter) -> &AtomicU64) -> u64 {
        let counts = self.counters.iter().map(|counter| count(counter));
        counts.map(|count| count.load(Ordering::Relaxed)).sum()
    }

    /// What all workers have done so far.
    pub(crate) fn totals(&self) -> Totals {
        let tabled = |root_move: &&RootMove| root_move.tabled.is_some();
        let at_root = self.root_moves.iter().filter(tabled).count() as u64;
        Totals {
            nodes: self.nodes(),
            time: self.elapsed(),
            hashfull: self.tt.per_mille_full(),
            tbhits: at_root + self.sum(|counter| &counter.tablebase_hits),
        }
    }

    pub(crate) fn progress(&self) -> Progress {
        let (depth, current) = self.current.load();
        Progress {
            depth,
            current,
            totals: self.totals(),
        }
    }

    /// Is the time used up that no search may exceed?
    pub(crate) fn is_out_of_time(&self) -> bool {
        self.clock.is_running()
            && !self.signals.is_pondering()
            && self.clock.hard_limit_reached(self.elapsed())
    }

    /// Time since the start; in `nodestime` mode, nodes take its place.
    pub(crate) fn elapsed(&self) -> Duration {
        self.clock.elapsed(self.start, || self.nodes())
    }

    pub(crate) fn is_over(&self) -> bool {
        self.finished.load(Ordering::Relaxed) || self.signals.is_stopped()
    }

    pub(crate) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }
}
