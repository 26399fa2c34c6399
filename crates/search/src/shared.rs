//! What the workers of one search share.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use crossbeam::utils::CachePadded;
use sextant_board::{Move, PackedMove, Position};
use sextant_config::Config;
use sextant_syzygy::Tablebase;

use crate::{
    game::Game,
    limits::Limits,
    report::{Progress, Totals},
    root_moves::RootMove,
    time::Clock,
    tt::Table,
};

/// The line between the outside and a running search: atomics only, so that a thread that reads
/// input can act at once.
///
/// All accesses are relaxed: the flags carry no data, and a worker that sees one a few nodes late is
/// no harm.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
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

    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Is the clock still waiting for the expected move?
    #[inline]
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

/// The root move that is being searched: nominal depth, number and packed move in one word, so that
/// a reader never sees parts of two. Zero before the first.
#[derive(Debug, Default)]
pub(crate) struct CurrentMove(AtomicU64);

impl CurrentMove {
    /// `number` counts from 1 in the order of the search.
    pub(crate) fn set(&self, depth: u16, number: usize, mv: Move) {
        let packed = u64::from(PackedMove::from(mv).to_bits());
        let word = u64::from(depth) << 32 | (number as u64) << 16 | packed;
        self.0.store(word, Ordering::Relaxed);
    }

    /// The depth, and the move with its number.
    fn get(&self) -> (u32, Option<(Move, u32)>) {
        let word = self.0.load(Ordering::Relaxed);
        let part = |shift: u32| (word >> shift) as u16;
        let mv = PackedMove::from_bits(part(0)).unpack();
        (u32::from(part(32)), mv.map(|mv| (mv, u32::from(part(16)))))
    }
}

/// One search, as all its workers see it.
pub(crate) struct Shared {
    pub game: Game,
    pub limits: Limits,
    pub multipv: usize,
    /// The moves to choose from, ranked and with their bonuses.
    pub root_moves: Vec<RootMove>,
    pub table: Arc<Table>,
    pub tablebase: Option<Arc<Tablebase>>,
    pub signals: Arc<Signals>,
    /// Set by the main worker when it is done, or by any that spent the last node.
    pub finished: AtomicBool,
    /// One counter a worker.
    pub counters: Box<[CachePadded<Counter>]>,
    /// The root move that the main worker searches.
    pub current: CurrentMove,
    pub clock: Clock,
    pub start: Instant,
}

impl Shared {
    /// What a worker has before its first search.
    pub(crate) fn idle(config: &Config, table: &Arc<Table>, signals: &Arc<Signals>) -> Arc<Shared> {
        Arc::new(Shared {
            game: Game::new(Position::startpos()),
            limits: Limits::default(),
            multipv: 1,
            root_moves: Vec::new(),
            table: table.clone(),
            tablebase: None,
            signals: signals.clone(),
            finished: AtomicBool::new(true),
            current: CurrentMove::default(),
            counters: Box::new([]),
            clock: Clock::new(&Limits::default(), &config.time, Duration::ZERO),
            start: Instant::now(),
        })
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.counters
            .iter()
            .map(|counter| counter.nodes.load(Ordering::Relaxed))
            .sum()
    }

    pub(crate) fn tablebase_hits(&self) -> u64 {
        self.counters
            .iter()
            .map(|counter| counter.tablebase_hits.load(Ordering::Relaxed))
            .sum()
    }

    /// What all workers have done so far.
    pub(crate) fn totals(&self) -> Totals {
        let tabled = |root_move: &&RootMove| root_move.tabled.is_some();
        Totals {
            nodes: self.nodes(),
            time: self.elapsed(),
            hashfull: self.table.per_mille_full(),
            tbhits: self.tablebase_hits() + self.root_moves.iter().filter(tabled).count() as u64,
        }
    }

    pub(crate) fn progress(&self) -> Progress {
        let (depth, current) = self.current.get();
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

    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.finished.load(Ordering::Relaxed) || self.signals.is_stopped()
    }

    pub(crate) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }
}
