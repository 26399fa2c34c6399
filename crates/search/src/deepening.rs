//! Iterative deepening: budgets grow by a step an iteration, and the clock is asked whether another
//! iteration is worth it.

use std::{ops::Range, sync::Arc, time::Duration};

use sextant_board::{MAX_PLY, Move, Ply, Score, is_insufficient_material};
use sextant_repetition::is_fifty;

use crate::{
    budget::Budget,
    flow::{Flow, Stopped},
    game::Game,
    mate_line,
    observer::Observer,
    report::{Event, Info, Totals},
    root_moves::{RootMove, move_to_front, without_bonus},
    shared::Shared,
    tablebases,
    time::IterationHistory,
    window::Bound,
    worker::Worker,
};

/// The deepest iteration, in nominal plies: half of the longest line, so that extensions have room.
pub const MAX_DEPTH: u32 = MAX_PLY as u32 / 2;

/// With only one root move, this deep is enough.
const ONLY_MOVE_DEPTH: u32 = 4;

/// What following a line through the tables may take, on a slow disk.
const TABLES_TIME: Duration = Duration::from_millis(200);

pub(crate) struct WorkerResult {
    pub(crate) index: usize,
    /// Nominal depth of its last finished iteration.
    pub(crate) depth: u32,
    /// Of its best move, bonus included.
    pub(crate) score: Score,
    /// Its lines, best first.
    pub(crate) lines: Vec<Info>,
}

impl<O: Observer> Worker<O> {
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
            score: self.root_moves[0].score,
            // The engine counts once, when all workers are done.
            lines: self.infos(Totals::default()),
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
            if self.look_for_mate().is_err() {
                break;
            }
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
        self.tell_mate();
        self.publish();
    }

    /// Gives the search for mates its share of the nodes so far. Where a mate is known it looks for
    /// a nearer one.
    fn look_for_mate(&mut self) -> Flow<()> {
        self.tell_mate();
        let Some(mut search) = self.mate_search.take() else {
            return Ok(());
        };
        let shared = self.shared.clone();
        let others = self.nodes - search.nodes();
        let share = self.params.mate_share();
        let limit = others * share / (100 - share);
        let best = self.root_moves[0].score;
        let known = best.mate_in().filter(|&moves| moves > 0);
        if let Some(moves) = known {
            // Two plies less than that.
            search.shorten((2 * moves.unsigned_abs() as usize).saturating_sub(3));
        }
        let is_wanted = shared.limits.searchmoves.is_empty() && known != Some(1);
        let found = if is_wanted && limit > search.nodes() {
            search.search(shared.game.position(), limit, &mut || self.count_node())
        } else {
            Ok(None)
        };
        self.mate_search = Some(search);
        if let Some(line) = found?
            && legal_part(&shared.game, &line).len() == line.len()
        {
            self.mate = Some(line);
            self.tell_mate();
        }
        Ok(())
    }

    /// Puts a proved mate in front, unless a nearer one is known.
    fn tell_mate(&mut self) {
        let Some(line) = &self.mate else { return };
        let score = Score::mates_at(Ply(line.len() as u16));
        let wanted = |root_move: &RootMove| Some(&root_move.mv) == line.first();
        let Some(at) = self.root_moves.iter().position(wanted) else {
            return;
        };
        if self.root_moves[0].score >= score {
            return;
        }
        let root_move = &mut self.root_moves[at];
        root_move.score = score;
        root_move.bound = Bound::Exact;
        root_move.depth = self.completed.max(1);
        *root_move.pv = line.iter().copied().collect();
        move_to_front(&mut self.root_moves, at);
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
            let first = self.of_rank(index).start;
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

    fn lines(&self) -> usize {
        self.shared.multipv.clamp(1, self.root_moves.len())
    }

    /// The root moves with the tablebase rank of move `index`; the best rank comes first.
    pub(crate) fn of_rank(&self, index: usize) -> Range<usize> {
        let rank = self.root_moves[index].rank;
        let before = |root_move: &RootMove| root_move.rank > rank;
        let within = |root_move: &RootMove| root_move.rank >= rank;
        self.root_moves.partition_point(before)..self.root_moves.partition_point(within)
    }

    /// The main worker's question after each iteration: is it the last?
    fn is_last(&mut self, depth: u32, iterations: &mut IterationHistory) -> bool {
        self.publish();
        let (shared, best) = (&self.shared, &self.root_moves[0]);
        let (limits, clock) = (&shared.limits, &shared.clock);
        let elapsed = shared.elapsed();
        let node_share = best.nodes * 1000 / self.nodes.max(1);
        iterations.note(best.mv, best.score, node_share, elapsed);
        let mates_in = best.score.mate_in().filter(|&mate| mate > 0);
        let mated = |moves: u32| mates_in.is_some_and(|mate| mate as u32 <= moves);
        let spent = |limit: u64| shared.nodes() >= limit;
        if limits.reached_by(depth)
            || limits.soft_nodes.is_some_and(spent)
            || limits.mate.is_some_and(mated)
            || shared.is_over()
        {
            return true;
        }
        if !clock.is_running() || shared.signals.is_pondering() || limits.movetime.is_some() {
            return false;
        }
        self.root_moves.len() == 1 && depth >= ONLY_MOVE_DEPTH
            || clock.soft_limit_reached(elapsed, iterations)
    }

    /// The best lines, all with the same totals.
    fn infos(&self, totals: Totals) -> Vec<Info> {
        (0..self.lines())
            .map(|index| self.info(index, totals))
            .collect()
    }

    /// What is known of root move `index`.
    pub(crate) fn info(&self, index: usize, totals: Totals) -> Info {
        let root_move = &self.root_moves[index];
        let (known, bound) = root_move.known();
        let searched = without_bonus(known, root_move.bonus);
        let (score, bound) = match root_move.tabled {
            Some(wdl) => (tablebases::shown(searched, wdl), Bound::Exact),
            None => (searched, bound),
        };
        let (pv, score) = self.shown_line(root_move, score);
        Info {
            depth: root_move.depth,
            seldepth: root_move.seldepth.max(1),
            multipv: index + 1,
            score,
            bound,
            totals,
            pv,
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
        self.root_moves[0].score = self.evaluation.evaluate(pos);
    }

    /// The line of a root move as far as it is legal; a tabled result is followed to its end, if
    /// there is time for the probes, and a mate to its end, which may come sooner than the search
    /// knew.
    fn shown_line(&self, root_move: &RootMove, score: Score) -> (Vec<Move>, Score) {
        let shared = &self.shared;
        let mut line = legal_part(&shared.game, &root_move.pv);
        if let Some(tablebase) = &shared.tablebase
            && score.is_decisive()
            && !score.is_mate()
            && shared.clock.allows(shared.elapsed(), TABLES_TIME)
        {
            line.extend(tablebases::rest_of_line(tablebase, &shared.game, &line));
            line = legal_part(&shared.game, &line);
        }
        if let Some(plies) = mate_line::plies(score)
            && line.len() < plies
            && mate_line::complete(
                &shared.tt,
                shared.game.position(),
                &mut line,
                plies,
                mate_line::positions_within(shared.clock.left(shared.elapsed())),
            )
        {
            let end = Ply(line.len() as u16);
            let told = if score.is_win() {
                Score::mates_at
            } else {
                Score::mated_at
            };
            return (legal_part(&shared.game, &line), told(end));
        }
        (line, score)
    }

    fn report_lines(&mut self, depth: u32, report: &mut dyn FnMut(Event)) {
        // An iteration that repeats a printed depth (steps below a ply) prints nothing.
        if depth == self.printed {
            return;
        }
        self.printed = depth;
        self.publish();
        if !self.shared.is_heard {
            return;
        }
        let infos = self.infos(self.shared.totals());
        infos.into_iter().map(Event::Info).for_each(report);
    }
}

/// The part of `line` that is legal from the game's position and ends where the game ends.
fn legal_part(game: &Game, line: &[Move]) -> Vec<Move> {
    let mut game = game.clone();
    let mut moves = Vec::with_capacity(line.len());
    for &mv in line {
        if !game.position().board().is_legal(mv) {
            break;
        }
        game.play(mv);
        moves.push(mv);
        let over = is_fifty(game.position().clock())
            || game.occurrences() >= 3
            || is_insufficient_material(game.position().board());
        if over {
            break;
        }
    }
    moves
}
