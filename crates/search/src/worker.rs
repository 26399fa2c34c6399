//! One searching thread's own state.

use std::sync::{Arc, atomic::Ordering};

use sextant_board::{Delta, Move, Ply, Position};
use sextant_config::Config;
use sextant_eval::{EvalModel, EvalState};
use sextant_repetition::History as Repetitions;

use crate::{
    budget::Depth,
    flow::{Flow, Stopped},
    history::{CorrectionHistory, Histories, PieceTo},
    mate_search::{Mate, MateSearch},
    node::QuietEvals,
    observer::Observer,
    optimism::Optimism,
    params::SearchParams,
    root_moves::RootMove,
    shared::Shared,
    stack::{PvTable, Stack},
    tt::{tt_key, tt_key_guess},
};

/// How often (in nodes, a power of two) a worker looks at the clock and at the stop flag: about
/// every fifth of a millisecond.
const POLL: u64 = 256;

/// A worker: histories that live from search to search, and the state of the current one. `O`
/// watches.
pub(crate) struct Worker<O: Observer> {
    pub(crate) index: usize,
    pub(crate) shared: Arc<Shared>,
    pub(crate) params: SearchParams,
    pub(crate) histories: Histories,
    pub(crate) correction_history: CorrectionHistory,
    pub(crate) repetitions: Repetitions,
    pub(crate) evaluation: EvalState,
    pub(crate) stack: Stack,
    /// By ply; empty unless the prices ask for them.
    pub(crate) quiet_evals: Box<[QuietEvals]>,
    /// With a share of the nodes, if the config says so.
    pub(crate) mate_search: Option<Box<MateSearch>>,
    /// A mate that it has proved.
    pub(crate) mate: Option<Mate>,
    pub(crate) pv: PvTable,
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) observer: O,
    pub(crate) nodes: u64,
    pub(crate) tablebase_hits: u64,
    /// The last node that may be made by this worker alone.
    node_limit: u64,
    pub(crate) seldepth: u32,
    /// Beyond this ply discounts count half: the nominal depth of the iteration.
    pub(crate) nominal_depth: u16,
    pub(crate) optimism: Optimism,
    /// The last iteration that was finished, in nominal plies.
    pub(crate) completed: u32,
    /// The last depth that was reported.
    pub(crate) printed: u32,
    /// No null moves before this ply, while one is being verified.
    pub(crate) null_from: u16,
}

impl<O: Observer> Worker<O> {
    /// A worker for the searches of `shared`.
    pub(crate) fn new(
        index: usize,
        shared: Arc<Shared>,
        config: &Config,
        evaluation: EvalModel,
        observer: O,
    ) -> Self {
        let params = SearchParams::new(config, false);
        Worker {
            index,
            root_moves: Vec::new(),
            shared,
            quiet_evals: QuietEvals::for_line(&params.prices),
            mate_search: mate_search(index, &params),
            mate: None,
            params,
            histories: Histories::new(),
            correction_history: CorrectionHistory::new(),
            repetitions: repetitions(config),
            evaluation: EvalState::new(evaluation),
            stack: Stack::new(),
            pv: PvTable::new(),
            observer,
            nodes: 0,
            tablebase_hits: 0,
            node_limit: u64::MAX,
            seldepth: 0,
            nominal_depth: 0,
            optimism: Optimism::default(),
            completed: 0,
            printed: 0,
            null_from: 0,
        }
    }

    /// Takes over a new config and its evaluation, and shares `idle` until the next search.
    pub(crate) fn configure(&mut self, config: &Config, evaluation: EvalModel, idle: Arc<Shared>) {
        self.shared = idle;
        self.set_params(SearchParams::new(config, false));
        self.repetitions = repetitions(config);
        self.evaluation = EvalState::new(evaluation);
    }

    pub(crate) fn set_params(&mut self, params: SearchParams) {
        self.quiet_evals = QuietEvals::for_line(&params.prices);
        self.mate_search = mate_search(self.index, &params);
        self.params = params;
    }

    pub(crate) fn new_game(&mut self) {
        self.histories.clear();
        self.correction_history.clear();
    }

    pub(crate) fn begin(&mut self, shared: Arc<Shared>) {
        self.nodes = 0;
        self.tablebase_hits = 0;
        self.seldepth = 0;
        self.completed = 0;
        self.printed = 0;
        self.optimism = Optimism::default();
        self.histories.begin_search(&self.params.history);
        self.null_from = 0;
        self.stack.clear();
        self.mate = None;
        if let Some(search) = &mut self.mate_search {
            let keys = shared.game.keys();
            search.begin(keys[..keys.len() - 1].iter().map(|&(key, _)| key));
        }
        self.root_moves.clone_from(&shared.root_moves);
        self.repetitions
            .set_game(shared.game.keys().iter().copied());
        self.evaluation.reset(shared.game.position());
        // Several workers share the limit and watch the sum instead.
        let alone = shared.counters.len() == 1;
        self.node_limit = shared.limits.nodes.filter(|_| alone).unwrap_or(u64::MAX);
        self.shared = shared;
    }

    /// Is this the worker that reports, watches the clock and decides when to end?
    pub(crate) fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Counts a node (a legal or null move that is about to be made): the one place where nodes
    /// are counted, and where a search learns that it is over.
    #[inline]
    pub(crate) fn count_node(&mut self) -> Flow<()> {
        if self.nodes >= self.node_limit {
            self.shared.finish();
            return Err(Stopped);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL) {
            self.poll()
        } else {
            Ok(())
        }
    }

    #[cold]
    fn poll(&mut self) -> Flow<()> {
        self.publish();
        let shared = &self.shared;
        if self.is_main() && shared.is_out_of_time() {
            shared.finish();
        }
        let limit = shared.limits.nodes;
        if limit.is_some_and(|limit| shared.nodes() >= limit) {
            shared.finish();
        }
        if shared.is_over() {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    /// Shows the counts to the others.
    pub(crate) fn publish(&self) {
        let counter = &self.shared.counters[self.index];
        counter.nodes.store(self.nodes, Ordering::Relaxed);
        let hits = &counter.tablebase_hits;
        hits.store(self.tablebase_hits, Ordering::Relaxed);
    }

    /// A legal move is about to be made: its table entry is asked for as early as possible, since a
    /// table far larger than the caches needs the time.
    #[inline]
    pub(crate) fn prefetch_tt(&self, pos: &Position, mv: Move) {
        self.shared.tt.prefetch(tt_key_guess(pos, mv));
    }

    /// Makes a legal move at `ply` on `child`, a copy of the node's position (copied by the caller,
    /// to where it stays: moving it afterwards costs a stall): counts it, notes it on the stack and
    /// in evaluation and repetition history. Every success is followed by [`Worker::unmake`].
    #[inline]
    pub(crate) fn make(&mut self, child: &mut Position, mv: Move, ply: Ply) -> Flow<()> {
        self.count_node()?;
        let delta = child.play(mv);
        self.correction_history.prefetch(child);
        self.record_move(mv, ply, &delta);
        self.repetitions.enter(child.key(), child.clock());
        Ok(())
    }

    #[inline]
    pub(crate) fn record_move(&mut self, mv: Move, ply: Ply, delta: &Delta) {
        let entry = self.stack.at_mut(ply);
        entry.mv = Some(mv);
        entry.piece_to = None;
        entry.captured_on = None;
        entry.reduction = Depth::ZERO;
        if let Some(piece) = delta.added[0] {
            entry.piece_to = Some(PieceTo::new(piece.color, piece.piece, piece.square));
            // The second piece that leaves the board is a captured one, unless it is a castling
            // rook.
            let captured = delta.removed[1].is_some_and(|other| other.color != piece.color);
            entry.captured_on = captured.then_some(mv.to);
        }
        self.evaluation.push(delta);
    }

    /// Makes a null move; `None` in check.
    #[inline]
    pub(crate) fn make_null(&mut self, pos: &Position, ply: Ply) -> Flow<Option<Position>> {
        let Some(child) = pos.make_null() else {
            return Ok(None);
        };
        self.count_node()?;
        self.shared.tt.prefetch(tt_key(&child));
        let entry = self.stack.at_mut(ply);
        entry.mv = None;
        entry.piece_to = None;
        entry.captured_on = None;
        entry.reduction = Depth::ZERO;
        self.evaluation.push_null();
        self.repetitions.enter_null(child.key());
        Ok(Some(child))
    }

    #[inline]
    pub(crate) fn unmake(&mut self) {
        self.evaluation.pop();
        self.repetitions.leave();
    }

    /// The last two moves, for the correction history.
    #[inline]
    pub(crate) fn last_moves(&self, ply: Ply) -> [Option<PieceTo>; 2] {
        [
            self.stack.back(ply, 1).piece_to,
            self.stack.back(ply, 2).piece_to,
        ]
    }

    /// The longest line is at least `ply` long.
    #[inline]
    pub(crate) fn update_seldepth(&mut self, ply: Ply) {
        self.seldepth = self.seldepth.max(u32::from(ply.0));
    }
}

/// The main worker's search for mates.
fn mate_search(index: usize, params: &SearchParams) -> Option<Box<MateSearch>> {
    (index == 0 && params.mate_share() > 0).then(|| Box::new(MateSearch::new()))
}

fn repetitions(config: &Config) -> Repetitions {
    let bits = config.repetition.filter_bits as u32;
    Repetitions::new(bits).expect("the config allows only sizes that the filter has")
}
