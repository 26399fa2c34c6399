//! Plain negamax with the search model of `docs/explanation/search.md`, written apart from
//! the engine: no windows, no table, no ordering, and every budget a plain integer in sixteenths of an SX.

use sextant_board::{
    CheckSquares, Move, MoveFacts, Phase, Piece, Position, Square, is_insufficient_material,
    mate_at_a_glance, see_ge,
};
use sextant_config::{Config, EvalKind, ExtensionsConfig, Lead};
use sextant_eval::{EvalModel, EvalState, nnue::Network};
use sextant_search::Game;

use crate::{common::legal_moves, ledger::Rule};

const MATE: i32 = 32_000;

/// Half a ply of tempo, and the nominal price of a move.
const TEMPO: i32 = 64;
const NOMINAL: i32 = 128;

/// A deliberate mistake, so that the tests can show that they would see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// After a move each side goes on with the other's budget.
    SidesMixedUp,
    /// The depth is what both have together.
    CouplingIgnored,
    /// Discounts do not draw on the credit.
    CreditForgotten,
}

/// What one side has left, and what it gained (or owes, if negative) along the line.
#[derive(Clone, Copy, Debug)]
struct Side {
    left: i32,
    gain: i32,
}

#[derive(Clone, Copy, Debug)]
struct Purse {
    us: Side,
    them: Side,
    credit: i32,
}

/// The oracle of one game.
pub(crate) struct Oracle {
    config: Config,
    fault: Fault,
    evaluation: EvalState,
    /// Keys and clocks of the game and of the current line.
    line: Vec<(u64, u16)>,
    /// Where the root is in `line`.
    root: usize,
    nominal_depth: usize,
    nodes: u64,
    cap: u64,
}

impl Oracle {
    pub(crate) fn new(config: &Config, fault: Fault) -> Oracle {
        let evaluation = match config.eval.kind {
            EvalKind::Classical => EvalModel::Classical {
                tempo: config.eval.tempo,
            },
            EvalKind::Nnue => {
                EvalModel::Network(Network::embedded().expect("a network is built in"))
            }
        };
        Oracle {
            config: config.clone(),
            fault,
            evaluation: EvalState::new(evaluation),
            line: Vec::new(),
            root: 0,
            nominal_depth: 0,
            nodes: 0,
            cap: 0,
        }
    }

    /// The value of every root move after the first iteration that reaches `depth`, with at most
    /// `cap` nodes, and the nodes; `None` if these are not enough.
    pub(crate) fn root(
        &mut self,
        game: &Game,
        depth: i32,
        cap: u64,
    ) -> Option<(Vec<(Move, i32)>, u64)> {
        let step = self.config.search.iteration_step;
        let iteration = (1..).find(|i| i * step > 8 * (depth - 1)).unwrap_or(1);
        let total = iteration * step * 16;
        self.nominal_depth = (total as usize).div_ceil(128);
        self.line = game.keys().to_vec();
        self.root = self.line.len() - 1;
        (self.nodes, self.cap) = (0, cap);
        let pos = game.position();
        let half = Side {
            left: total / 2,
            gain: 0,
        };
        let credit = i64::from(total) * i64::from(self.config.extensions.line_credit) / 64;
        let purse = Purse {
            us: half,
            them: half,
            credit: credit as i32,
        };
        let mut values = Vec::new();
        for mv in legal_moves(pos) {
            let purse = self.paid(purse, charge(&self.config.extensions, pos, mv, None), 0);
            values.push((mv, self.after(pos, mv, purse, 0)?));
        }
        Some((values, self.nodes))
    }

    /// After a move of this price, borne by its mover or else by both, for the other side.
    fn paid(&self, purse: Purse, (price, alone): (i32, bool), ply: usize) -> Purse {
        let mut discount = NOMINAL - price;
        let mut credit = purse.credit;
        if discount > 0 {
            if ply >= self.nominal_depth {
                discount = discount * self.config.extensions.beyond_nominal / 64;
            }
            discount = discount.min(credit);
            if self.fault != Fault::CreditForgotten {
                credit -= discount;
            }
        }
        // The mover is credited the discount, or pays the surcharge; or each side bears half.
        let half = (1 - discount) >> 1;
        let after = |side: Side, discount: i32| Side {
            left: side.left - TEMPO + if alone { discount } else { -half },
            gain: side.gain + if alone { discount } else { 0 },
        };
        let (mover, other) = (after(purse.us, discount), after(purse.them, 0));
        let (us, them) = if self.fault == Fault::SidesMixedUp {
            (mover, other)
        } else {
            (other, mover)
        };
        Purse { us, them, credit }
    }

    /// The effective depth: a ply is 128.
    fn depth(&self, purse: Purse) -> i32 {
        let Purse { us, them, .. } = purse;
        let mut rule = Rule::of(&self.config.extensions);
        if self.fault == Fault::CouplingIgnored {
            rule.k = 0;
        }
        rule.depth_of((us.left, them.left), (us.gain, them.gain))
    }

    /// The value of a move, which is paid for, for the side that makes it.
    fn after(&mut self, pos: &Position, mv: Move, purse: Purse, ply: usize) -> Option<i32> {
        let child = self.make(pos, mv)?;
        let captured_on = pos.is_capture(mv).then_some(mv.to);
        let value = -self.node(&child, purse, ply + 1, captured_on)?;
        self.line.pop();
        Some(value)
    }

    fn node(
        &mut self,
        pos: &Position,
        purse: Purse,
        ply: usize,
        captured_on: Option<Square>,
    ) -> Option<i32> {
        if let Some(value) = self.drawn(pos, ply) {
            return Some(value);
        }
        if self.depth(purse) <= 0 {
            return self.quiesce(pos, ply, 0);
        }
        let moves = legal_moves(pos);
        if moves.is_empty() {
            return Some(if pos.in_check() { ply as i32 - MATE } else { 0 });
        }
        let mut best = -MATE;
        for mv in moves {
            let charge = charge(&self.config.extensions, pos, mv, captured_on);
            let purse = self.paid(purse, charge, ply);
            best = best.max(self.after(pos, mv, purse, ply)?);
        }
        Some(best)
    }

    fn quiesce(&mut self, pos: &Position, ply: usize, quiet_ply: i32) -> Option<i32> {
        if quiet_ply > 0
            && let Some(value) = self.drawn(pos, ply)
        {
            return Some(value);
        }
        let in_check = pos.in_check();
        let mut best = ply as i32 - MATE;
        if !in_check {
            self.evaluation.reset(pos);
            best = self.evaluation.evaluate(pos).raw();
            if !self.config.quiescence.enabled {
                return Some(best);
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
        Some(best)
    }

    fn make(&mut self, pos: &Position, mv: Move) -> Option<Position> {
        self.nodes += 1;
        if self.nodes > self.cap {
            return None;
        }
        let child = pos.make(mv).0;
        self.line.push((child.key(), child.clock()));
        Some(child)
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

pub(crate) fn best(values: &[(Move, i32)]) -> i32 {
    values.iter().map(|&(_, value)| value).max().unwrap_or(0)
}

/// The static price list: what a move costs by what it is, whatever the ordering thinks of it.
fn price(e: &ExtensionsConfig, pos: &Position, mv: Move, captured_on: Option<Square>) -> i32 {
    let facts = MoveFacts::of(pos, mv, &CheckSquares::of(pos), captured_on);
    let mut offers = by_kind(e, pos, mv, &facts);
    if pos.in_check() {
        let only = legal_moves(pos).len() == 1;
        offers.push(if only { e.only_reply } else { e.evasion });
    }
    // Would the opponent mate at once if it were its move?
    let threatened = pos
        .make_null()
        .is_some_and(|passed| mate_at_a_glance(&passed, &CheckSquares::of(&passed)).is_some());
    if threatened {
        offers.push(e.mate_glance);
    }
    let cheapest = offers.into_iter().min().unwrap_or(NOMINAL);
    (cheapest + e.phase[Phase::of(pos.board()).index()]).clamp(-16 * 16, 64 * 16)
}

/// The same, and whether its mover bears it alone.
fn charge(
    e: &ExtensionsConfig,
    pos: &Position,
    mv: Move,
    captured_on: Option<Square>,
) -> (i32, bool) {
    let facts = MoveFacts::of(pos, mv, &CheckSquares::of(pos), captured_on);
    let is_only_reply = pos.in_check() && legal_moves(pos).len() == 1;
    let alone = e.lead == Lead::Price
        || is_only_reply
        || facts.victim.is_some()
        || facts.promotion.is_some()
        || facts.passed_push
        || pos.make(mv).0.in_check();
    (price(e, pos, mv, captured_on), alone)
}

fn by_kind(e: &ExtensionsConfig, pos: &Position, mv: Move, facts: &MoveFacts) -> Vec<i32> {
    if mv.promotion.is_some_and(|piece| piece != Piece::Queen) {
        return vec![e.underpromotion];
    }
    let (wins, loses) = (see_ge(pos, mv, 1), !see_ge(pos, mv, 0));
    let capture = pos.is_capture(mv);
    let check = pos.make(mv).0.in_check();
    let special = capture || check || mv.promotion.is_some() || facts.passed_push;
    let offers = [
        (capture && wins, e.capture_winning),
        (capture && !wins && !loses, e.capture_equal),
        (capture && loses, e.capture_losing),
        (capture && facts.recapture, e.recapture),
        (check && !loses, e.check_safe),
        (check && loses, e.check_unsafe),
        (mv.promotion.is_some(), e.promotion),
        (facts.passed_push, e.passed_pawn),
        (!special && !facts.backward, e.quiet_forward),
        (!special && facts.backward, e.quiet_backward),
    ];
    let applying = offers.into_iter().filter(|&(applies, _)| applies);
    applying.map(|(_, price)| price).collect()
}
