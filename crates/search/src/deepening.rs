//! Iterative deepening: budgets grow by a step an iteration, the root is searched in an aspiration
//! window, and the clock is asked whether another iteration is worth it.

use std::{sync::Arc, time::Duration};

use sextant_board::{MAX_PLY, Move, Score};

use crate::{
    budget::{Allowance, Budget, Budgets, Depth},
    observer::Observer,
    report::{Bound, Event, Info, Totals},
    root_moves::{RootMove, without_bonus},
    shared::Shared,
    tablebases,
    time::TimeFactors,
    window::Window,
    worker::{Flow, Stopped, Worker},
};

/// The deepest iteration, in nominal plies: half of the longest line, so that extensions have room.
pub const MAX_DEPTH: u32 = MAX_PLY as u32 / 2;

/// After a fail high the root is searched this much less deep, at most.
const MAX_ROOT_REDUCTION: Depth = Depth::plies(3);

/// Bounds are shown only after this time, so that short searches do not flood.
const BOUNDS_AFTER: Duration = Duration::from_secs(3);

/// What following a line through the tables may take, on a slow disk.
const TABLES_TIME: Duration = Duration::from_millis(200);

/// The sizes and times of iterations iterations, for the clock.
#[derive(Debug, Default)]
struct IterationHistory {
    /// Time at the end of the last iterations, newest last.
    ends: Vec<Duration>,
    best: Option<Move>,
    stable_for: u32,
    scores: Vec<Score>,
}

/// What a worker found.
pub(crate) struct WorkerResult {
    pub(crate) index: usize,
    /// Nominal depth of its last finished iteration.
    pub(crate) depth: u32,
    pub(crate) root_moves: Vec<RootMove>,
    /// Its lines, best first.
    pub(crate) lines: Vec<Info>,
}

impl<O: Observer, const EXACT: bool> Worker<O, EXACT> {
    /// One search from start to end. `report` hears of every finished line (main worker only).
    pub(crate) fn run(
        &mut self,
        shared: Arc<Shared>,
        report: &mut dyn FnMut(Event),
    ) -> WorkerResult {
        self.begin(shared);
        self.deepen(report);
        if self.is_main() {
            self.shared.finish();
        }
        self.judge_unsearched();
        WorkerResult {
            index: self.index,
            depth: self.completed,
            root_moves: self.root_moves.clone(),
            lines: self.infos(),
        }
    }

    /// Searches deeper and deeper until the limits end it. `report` hears of every finished line
    /// (main worker only).
    pub(crate) fn deepen(&mut self, report: &mut dyn FnMut(Event)) {
        let step = self.params.search.iteration_step;
        let mut iterations = IterationHistory::default();
        for iteration in 1.. {
            let total = Budget::from_sx(iteration * step);
            let depth = total.plies_rounded_up();
            if depth > MAX_DEPTH {
                break;
            }
            let wanted = self.shared.limits.reached_by(depth);
            // Helpers spread over the iterations instead of all doing the same.
            let spread = (iteration as usize + self.index) % 3 == 2 && iteration > 1;
            if !self.is_main() && spread && !wanted {
                continue;
            }
            if self.iterate(total, &iterations, report).is_err() {
                break;
            }
            self.observer.iteration(depth, self.nodes);
            self.completed = depth;
            if self.is_main() {
                if self.is_last(depth, &mut iterations) {
                    break;
                }
            } else if wanted && self.shared.multipv == 1 {
                // The first worker at the depth that was asked for ends the search for all.
                self.shared.finish();
                break;
            }
        }
        self.publish();
    }

    /// One iteration: every MultiPV line in turn.
    fn iterate(
        &mut self,
        total: Budget,
        iterations: &IterationHistory,
        report: &mut dyn FnMut(Event),
    ) -> Flow<()> {
        for root_move in &mut self.root_moves {
            root_move.previous = root_move.score;
        }
        self.nominal_depth = total.plies_rounded_up() as u16;
        let lines = self.lines();
        for index in 0..lines {
            self.seldepth = 0;
            let stopped = self.aspirate(total, index, iterations, report).is_err();
            // Of several lines the better is told first, also when the last was cut off.
            let first = self.first_of_rank(index);
            self.root_moves[first..=index]
                .sort_by_key(|root_move| (-root_move.rank, -root_move.score.raw()));
            if stopped {
                return Err(Stopped);
            }
        }
        if self.is_main() {
            self.report_lines(total.plies_rounded_up(), report);
        }
        Ok(())
    }

    /// How many lines are searched.
    fn lines(&self) -> usize {
        self.shared.multipv.clamp(1, self.root_moves.len())
    }

    /// The first move with the tablebase rank of move `index`.
    fn first_of_rank(&self, index: usize) -> usize {
        let rank = self.root_moves[index].rank;
        self.root_moves
            .iter()
            .position(|root_move| root_move.rank == rank)
            .unwrap_or(index)
    }

    /// The end of the moves with the tablebase rank of move `index`.
    fn end_of_rank(&self, index: usize) -> usize {
        let rank = self.root_moves[index].rank;
        let same = self.root_moves[index..]
            .iter()
            .take_while(|root_move| root_move.rank == rank);
        index + same.count()
    }

    /// Searches the line `index` in a window around its last score, widened as long as the score
    /// falls outside.
    fn aspirate(
        &mut self,
        total: Budget,
        index: usize,
        iterations: &IterationHistory,
        report: &mut dyn FnMut(Event),
    ) -> Flow<()> {
        let end = self.end_of_rank(index);
        let center = self.center(index, iterations);
        let mut window = Window::FULL;
        let mut width = self.params.aspiration_window(center);
        let narrow = self.params.search.aspiration
            && total.plies_rounded_up() >= 4
            && !center.is_decisive()
            && center != -Score::INFINITE;
        if narrow {
            window = Window::new(center - width, center + width);
        }
        let full = Allowance {
            budgets: Budgets::root(total),
            credit: self.params.credit(total),
        };
        let mut reduction = Depth::ZERO;
        loop {
            let line = full.reduced(reduction);
            let score = self.search_root(window, line, index, end)?;
            self.root_moves[index..end].sort_by_key(|root_move| -root_move.score.raw());
            let outside = score <= window.alpha || score >= window.beta;
            if !outside || window == Window::FULL {
                return Ok(());
            }
            let bound = if score <= window.alpha {
                Bound::Upper
            } else {
                Bound::Lower
            };
            if self.is_main() && self.shared.elapsed() > BOUNDS_AFTER && self.shared.multipv == 1 {
                self.publish();
                report(Event::Info(self.info(index, self.shared.totals())));
            }
            width += width / 2 + 4;
            if bound == Bound::Upper {
                window.beta = Score::new((window.alpha.raw() + window.beta.raw()) / 2);
                window.alpha = if width > 800 {
                    Window::FULL.alpha
                } else {
                    score - width
                };
                reduction = Depth::ZERO;
            } else {
                window.beta = if width > 800 {
                    Window::FULL.beta
                } else {
                    score + width
                };
                if !EXACT && self.params.search.aspiration_reduction && !score.is_decisive() {
                    let most = MAX_ROOT_REDUCTION
                        .min(self.params.coupling.depth(full.budgets) - Depth::PLY);
                    reduction = (reduction + Depth::PLY).min(most.max(Depth::ZERO));
                }
            }
        }
    }

    /// The centre of the aspiration window: the last score, or the last of the same parity.
    fn center(&self, index: usize, iterations: &IterationHistory) -> Score {
        let by_parity = self.params.search.parity_aspiration && index == 0;
        let same_parity = iterations
            .scores
            .len()
            .checked_sub(2)
            .map(|n| iterations.scores[n]);
        same_parity
            .filter(|_| by_parity)
            .unwrap_or(self.root_moves[index].previous)
    }

    /// The main worker's question after each iteration: is it the last?
    fn is_last(&mut self, depth: u32, iterations: &mut IterationHistory) -> bool {
        self.publish();
        let shared = &self.shared;
        let best = &self.root_moves[0];
        let elapsed = shared.elapsed();
        iterations.stable_for = if iterations.best == Some(best.mv) {
            iterations.stable_for + 1
        } else {
            0
        };
        iterations.best = Some(best.mv);
        let before = iterations
            .scores
            .iter()
            .rev()
            .take(3)
            .map(|score| score.raw())
            .max();
        let drop = before.map_or(0, |before| before - best.score.raw());
        iterations.scores.push(best.score);
        iterations.ends.push(elapsed);

        let limits = &shared.limits;
        let mated = |moves: u32| {
            best.score
                .mate_in()
                .is_some_and(|mate| mate > 0 && mate as u32 <= moves)
        };
        if limits.reached_by(depth)
            || limits
                .soft_nodes
                .is_some_and(|limit| shared.nodes() >= limit)
            || limits.mate.is_some_and(mated)
            || shared.is_over()
        {
            return true;
        }
        if !shared.clock.is_running() || shared.signals.is_pondering() || limits.movetime.is_some()
        {
            return false;
        }
        if self.root_moves.len() == 1 && depth >= 4 {
            return true;
        }
        let factors = TimeFactors {
            stable_for: iterations.stable_for,
            drop,
            node_share: best.nodes * 1000 / self.nodes.max(1),
            prediction: self.predict(iterations),
        };
        shared.clock.soft_limit(elapsed, &factors)
    }

    /// How much longer than the last iteration the next will take, in per cent: the growth of the
    /// last step of the same parity (odd to even grows less than even to odd).
    fn predict(&self, iterations: &IterationHistory) -> Option<(u32, Duration)> {
        if !self.shared.clock.predicts_by_parity() {
            return None;
        }
        let n = iterations.ends.len();
        let took = |i: usize| {
            iterations.ends[i]
                .saturating_sub(iterations.ends[i - 1])
                .as_micros()
                .max(1)
        };
        if n < 5 {
            return None;
        }
        let growth = (took(n - 2) * 100 / took(n - 3)).clamp(100, 1000) as u32;
        Some((growth, iterations.ends[n - 1] - iterations.ends[n - 2]))
    }

    /// The best lines, all with the same totals.
    pub(crate) fn infos(&self) -> Vec<Info> {
        self.publish();
        let totals = self.shared.totals();
        (0..self.lines())
            .map(|index| self.info(index, totals))
            .collect()
    }

    /// What is known of root move `index`.
    fn info(&self, index: usize, totals: Totals) -> Info {
        let root_move = &self.root_moves[index];
        let (known, bound) = root_move.known();
        let searched = without_bonus(known, root_move.bonus);
        let (score, bound) = match root_move.tabled {
            Some(wdl) => (tablebases::shown(searched, wdl), Bound::Exact),
            None => (searched, bound),
        };
        Info {
            depth: root_move.depth,
            seldepth: root_move.seldepth.max(1),
            multipv: index + 1,
            score,
            bound,
            totals,
            pv: self.shown_line(root_move, score),
        }
    }

    /// A root move that no search has judged gets the static evaluation of the root for its score.
    pub(crate) fn judge_unsearched(&mut self) {
        if self.root_moves[0].is_searched() {
            return;
        }
        let shared = self.shared.clone();
        let pos = shared.game.position();
        // A search that was cut off leaves the evaluation deep in the tree.
        self.evaluation.reset(pos);
        self.root_moves[0].score = self.evaluate(pos);
    }

    /// The line of a root move as far as it is legal; a tabled result is followed to its end, if
    /// there is time for the probes.
    fn shown_line(&self, root_move: &RootMove, score: Score) -> Vec<Move> {
        let shared = &self.shared;
        let mut line = crate::pv::checked(&shared.game, &root_move.pv);
        if let Some(tablebase) = &shared.tablebase
            && score.is_decisive()
            && !score.is_mate()
            && shared.clock.allows(shared.elapsed(), TABLES_TIME)
        {
            line.extend(tablebases::rest_of_line(tablebase, &shared.game, &line));
            line = crate::pv::checked(&shared.game, &line);
        }
        line
    }

    fn report_lines(&mut self, depth: u32, report: &mut dyn FnMut(Event)) {
        // An iteration that repeats a printed depth (steps below a ply) prints nothing.
        if depth == self.printed {
            return;
        }
        self.printed = depth;
        self.infos().into_iter().map(Event::Info).for_each(report);
    }
}
