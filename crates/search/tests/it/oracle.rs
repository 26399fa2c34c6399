//! Plain negamax with the search model of `docs/search.md`, written apart from the engine: no
//! windows, no table, no ordering, and every budget a plain integer in sixteenths of an SX.

mod cost;
pub(crate) mod duel;
mod purse;

use sextant_board::{Move, Piece, Position, is_insufficient_material, see_ge};
use sextant_config::{Config, EvalKind};
use sextant_eval::{Params, State as Evaluation, nnue::Network};
use sextant_search::Game;

pub(crate) use purse::{Fault, Purse, Rules};

const MATE: i32 = 32_000;

/// The oracle of one game.
pub(crate) struct Oracle {
    rules: Rules,
    config: Config,
    evaluation: Evaluation,
    /// Keys and clocks of the game and of the current line.
    line: Vec<(u64, u16)>,
    /// Where the root is in `line`.
    root: usize,
    nominal_depth: usize,
    nodes: u64,
    cap: u64,
}

/// More nodes than were allowed.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl Oracle {
    pub(crate) fn new(config: &Config, fault: Fault) -> Oracle {
        Oracle {
            rules: Rules::new(config, fault),
            config: config.clone(),
            evaluation: Evaluation::new(match config.eval.kind {
                EvalKind::Classical => Params::Classical {
                    tempo: config.eval.tempo,
                },
                EvalKind::Nnue => {
                    Params::Network(Network::embedded().expect("a network is built in"))
                }
            }),
            line: Vec::new(),
            root: 0,
            nominal_depth: 0,
            nodes: 0,
            cap: 0,
        }
    }

    /// The value of every root move after the first iteration that reaches `depth`, with at most
    /// `cap` nodes; and the nodes.
    pub(crate) fn root(
        &mut self,
        game: &Game,
        depth: i32,
        cap: u64,
    ) -> Result<(Vec<(Move, i32)>, u64), TooLarge> {
        let step = self.config.search.iteration_step;
        let iteration = (1..).find(|i| i * step > 8 * (depth - 1)).unwrap_or(1);
        let total = iteration * step * 16;
        self.nominal_depth = (total as usize).div_ceil(128);
        self.line = game.keys().to_vec();
        self.root = self.line.len() - 1;
        (self.nodes, self.cap) = (0, cap);
        let pos = game.position();
        let purse = self.rules.root(total);
        let mut values = Vec::new();
        for mv in legal_moves(pos) {
            let price = cost::price(&self.config.extensions, pos, mv, None);
            let purse = self.paid(purse, price, 0);
            values.push((mv, self.after(pos, mv, purse, 0)?));
        }
        Ok((values, self.nodes))
    }

    fn paid(&self, purse: Purse, price: i32, ply: usize) -> Purse {
        self.rules.after(purse, price, ply >= self.nominal_depth)
    }

    /// The value of a move, which is paid for, for the side that makes it.
    fn after(
        &mut self,
        pos: &Position,
        mv: Move,
        purse: Purse,
        ply: usize,
    ) -> Result<i32, TooLarge> {
        let child = self.make(pos, mv)?;
        let captured_on = pos.is_capture(mv).then_some(mv.to);
        let value = -self.node(&child, purse, ply + 1, captured_on)?;
        self.line.pop();
        Ok(value)
    }

    fn node(
        &mut self,
        pos: &Position,
        purse: Purse,
        ply: usize,
        captured_on: Option<sextant_board::Square>,
    ) -> Result<i32, TooLarge> {
        if let Some(value) = self.drawn(pos, ply) {
            return Ok(value);
        }
        if self.rules.depth(purse) <= 0 {
            return self.quiesce(pos, ply, 0);
        }
        let moves = legal_moves(pos);
        if moves.is_empty() {
            return Ok(if pos.in_check() { ply as i32 - MATE } else { 0 });
        }
        let mut best = -MATE;
        for mv in moves {
            let price = cost::price(&self.config.extensions, pos, mv, captured_on);
            let purse = self.paid(purse, price, ply);
            best = best.max(self.after(pos, mv, purse, ply)?);
        }
        Ok(best)
    }

    fn quiesce(&mut self, pos: &Position, ply: usize, quiet_ply: i32) -> Result<i32, TooLarge> {
        if quiet_ply > 0
            && let Some(value) = self.drawn(pos, ply)
        {
            return Ok(value);
        }
        let in_check = pos.in_check();
        let mut best = ply as i32 - MATE;
        if !in_check {
            self.evaluation.reset(pos);
            best = self.evaluation.evaluate(pos).raw();
            if !self.config.quiescence.enabled {
                return Ok(best);
            }
        }
        for mv in legal_moves(pos) {
            let noisy = pos.is_capture(mv) || mv.promotion == Some(Piece::Queen);
            let with_checks = quiet_ply < self.config.quiescence.checks_plies;
            let wanted =
                in_check || noisy || with_checks && pos.make(mv).0.in_check() && see_ge(pos, mv, 0);
            if wanted {
                let child = self.make(pos, mv)?;
                best = best.max(-self.quiesce(&child, ply + 1, quiet_ply + 1)?);
                self.line.pop();
            }
        }
        Ok(best)
    }

    fn make(&mut self, pos: &Position, mv: Move) -> Result<Position, TooLarge> {
        self.nodes += 1;
        if self.nodes > self.cap {
            return Err(TooLarge);
        }
        let child = pos.make(mv).0;
        self.line.push((child.key(), child.clock()));
        Ok(child)
    }

    /// The value of a position in which the game is over although there may be moves.
    fn drawn(&self, pos: &Position, ply: usize) -> Option<i32> {
        if pos.clock() >= 100 {
            let mated = pos.in_check() && legal_moves(pos).is_empty();
            return Some(if mated { ply as i32 - MATE } else { 0 });
        }
        (self.repeated() || is_insufficient_material(pos.board())).then_some(0)
    }

    /// Once before below the root, or twice before in all.
    fn repeated(&self) -> bool {
        let last = self.line.len() - 1;
        let (key, clock) = self.line[last];
        let first = last.saturating_sub(usize::from(clock));
        let before: Vec<usize> = (first..last)
            .filter(|&index| self.line[index].0 == key)
            .collect();
        before.len() >= 2 || before.iter().any(|&index| index > self.root)
    }
}

/// The best value.
pub(crate) fn best(values: &[(Move, i32)]) -> i32 {
    values.iter().map(|&(_, value)| value).max().unwrap_or(0)
}

fn legal_moves(pos: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    pos.board().generate_moves(|set| {
        moves.extend(set);
        false
    });
    moves
}
