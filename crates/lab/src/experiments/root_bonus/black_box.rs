//! The black-box property, tried on random trees, random bonuses and random windows.

use crate::error::LabError;
use crate::experiment::Context;
use crate::game::chess::Chess;
use crate::game::uniform::{Order, UniformTree};
use crate::game::{Dice, Game, Value, Window};
use crate::report::Table;
use crate::textbook::alpha_beta::AlphaBeta;
use crate::textbook::negamax::negamax;
use crate::textbook::ordering::{AsGenerated, CapturesFirst, Ordering};
use crate::textbook::quiescence::Evaluate;
use crate::textbook::root_bonus::search_root;

/// How often what was tried and how often it was as it must be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trials {
    /// Searches of the whole root.
    pub tried: u64,
    /// Those whose value was exact inside the window and a true bound outside.
    pub right: u64,
    /// Those whose value was inside the window.
    pub inside: u64,
    /// Those in which the bonuses changed the best move.
    pub changed: u64,
}

impl Trials {
    /// Searches `position` once with every root move's bonus and the window drawn by lot, and
    /// compares with the values of all moves plus their bonuses, found without any pruning.
    fn one<G: Game, O: Ordering<G>>(
        &mut self,
        position: &G,
        order: O,
        depth: u32,
        size: i64,
        dice: &mut Dice,
    ) {
        let draw = |dice: &mut Dice| (dice.bits() >> 1) as i64 % (2 * size + 1) - size;
        let moves: Vec<(G::Move, i64)> = position
            .moves()
            .into_iter()
            .map(|mv| (mv, draw(dice)))
            .collect();
        let exact: Vec<i64> = moves
            .iter()
            .map(|&(mv, _)| (-negamax(&position.play(mv), depth - 1, &mut ())).0)
            .collect();
        let biased = exact
            .iter()
            .zip(&moves)
            .map(|(&value, &(_, bonus))| value + bonus);
        let Some(truth) = biased.max().map(Value) else {
            return;
        };
        let alpha = Value(truth.0 + draw(dice));
        let beta = Value(alpha.0 + 1 + draw(dice).abs());
        let mut search = AlphaBeta {
            order,
            horizon: Evaluate,
            observer: (),
        };
        let found = search_root(&mut search, position, &moves, Window { alpha, beta }, depth);
        let value = found.value;
        let inside = value > alpha && value < beta;
        let right = if value <= alpha {
            truth <= value
        } else if value >= beta {
            truth >= value
        } else {
            truth == value
        };
        let plain = exact.iter().max();
        let best = moves.iter().position(|&(mv, _)| Some(mv) == found.best);
        self.tried += 1;
        self.right += u64::from(right);
        self.inside += u64::from(inside);
        self.changed += u64::from(inside && best.is_some_and(|at| Some(&exact[at]) != plain));
    }
}

/// Trials on synthetic trees of several shapes.
#[must_use]
pub fn on_trees(count: u64, seed: u64) -> Trials {
    let mut dice = Dice::new(seed);
    let mut trials = Trials::default();
    for number in 0..count {
        let (b, depth) = [(3, 4), (4, 3), (6, 3), (2, 6)][dice.below(4)];
        let order = if number.is_multiple_of(2) {
            Order::Shuffled
        } else {
            Order::Independent
        };
        let Some(tree) = UniformTree::new(b, depth, order(dice.bits())) else {
            continue;
        };
        let size = if number.is_multiple_of(2) {
            i64::from(b).pow(depth)
        } else {
            1 << 39
        };
        trials.one(&tree, AsGenerated, depth, size, &mut dice);
    }
    trials
}

/// Trials on chess positions, three plies deep, bonuses up to a pawn.
///
/// # Errors
/// When the suite is missing or broken.
pub fn on_chess(context: &Context<'_>) -> Result<Trials, LabError> {
    let mut dice = Dice::new(context.seed);
    let mut trials = Trials::default();
    for board in context.positions(context.sized(5, 60))? {
        let position = Chess::new(board, 0);
        for _ in 0..3 {
            trials.one(
                &position,
                CapturesFirst,
                context.sized(2, 3),
                100,
                &mut dice,
            );
        }
    }
    Ok(trials)
}

/// Both as a table.
#[must_use]
pub fn table(trees: Trials, chess: Trials) -> Table {
    let mut table = Table::new(
        "black-box",
        "Root bonuses and windows drawn by lot, against max(exact value + bonus)",
        &[
            "game",
            "searches",
            "right",
            "value inside the window",
            "another best move",
        ],
    );
    for (game, trials) in [("synthetic trees", trees), ("chess", chess)] {
        table.row([
            game.into(),
            trials.tried.into(),
            trials.right.into(),
            trials.inside.into(),
            trials.changed.into(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_value_is_the_best_exact_value_plus_bonus_on_thousands_of_trees() {
        let trials = on_trees(4_000, 7);
        assert_eq!(trials.right, trials.tried);
        assert!(trials.tried >= 3_900 && trials.inside > 500, "{trials:?}");
        assert!(
            trials.changed > 100,
            "the bonuses must have mattered: {trials:?}"
        );
    }

    #[test]
    fn so_it_is_in_chess() {
        let context = Context::quick(4);
        let trials = on_chess(&context).unwrap();
        assert_eq!((trials.tried, trials.right), (15, 15));
    }
}
