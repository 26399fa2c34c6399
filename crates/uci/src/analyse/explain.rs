//! `--explain`: what the search charged each root move in its last iteration, taken down by an
//! observer of the real search, not worked out a second time.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sextant_board::{Move, Ply, Position, to_san};
use sextant_config::Config;
use sextant_search::{
    MoveSearched, Node, Observer,
    budget::{Category, Depth},
};

use super::stats::{PLY, SX};

/// What a root move costs, as the last iteration that tried it says.
#[derive(Clone, Debug)]
pub(super) struct Cost {
    mv: Move,
    category: Category,
    /// The weight of its category, and what the mover pays.
    weight: Sx,
    price: Sx,
    reduction: Plies,
    history: i32,
    /// The first search behind it; `None` if there was none at full width.
    child: Option<Child>,
}

#[derive(Clone, Copy, Debug)]
struct Child {
    /// Budgets after the move.
    mover: Sx,
    opponent: Sx,
    credit: Sx,
    depth: Plies,
}

type Sx = f64;
type Plies = f64;

fn sx(sixteenths: i32) -> Sx {
    f64::from(sixteenths) / SX
}

fn plies(depth: Depth) -> Plies {
    f64::from(depth.raw()) / PLY
}

/// Takes down what happens at the root and one ply behind it.
#[derive(Debug, Default)]
pub(super) struct Watcher {
    moves: Vec<Cost>,
    current: Option<usize>,
}

impl Observer for Watcher {
    fn move_searched(&mut self, tried: &MoveSearched<'_>) {
        if tried.ply != Ply::ROOT {
            return;
        }
        let cost = Cost {
            mv: tried.mv,
            category: tried.category,
            weight: sx(tried.price.raw()),
            price: sx(tried.price.raw()),
            reduction: plies(tried.reduction),
            history: tried.history,
            child: None,
        };
        let known = self.moves.iter().position(|other| other.mv == tried.mv);
        match known.and_then(|at| self.moves.get_mut(at)) {
            Some(old) => *old = cost,
            None => self.moves.push(cost),
        }
        self.current = known.or(self.moves.len().checked_sub(1));
    }

    fn enter(&mut self, node: &Node<'_>) {
        if node.ply != Ply::ROOT.next() {
            return;
        }
        if let Some(cost) = self.current.and_then(|at| self.moves.get_mut(at)) {
            let allowance = &node.allowance;
            cost.child.get_or_insert(Child {
                mover: sx(allowance.budgets.them().raw()),
                opponent: sx(allowance.budgets.us().raw()),
                credit: sx(allowance.credit.raw()),
                depth: plies(node.depth),
            });
        }
    }
}

impl Watcher {
    /// The root moves in the order of the last iteration.
    pub(super) fn costs(mut self, config: &Config) -> Vec<Cost> {
        for cost in &mut self.moves {
            cost.weight = sx(cost.category.weight(&config.extensions));
        }
        self.moves
    }
}

pub(super) fn to_text(costs: &[Cost], root: &Position) -> String {
    let mut text = format!(
        "Cost of each root move in SX (8 are a nominal ply); reduction and depth in plies\n\
         {:>8} {:>16} {:>7} {:>7} {:>7} {:>7} {:>8} {:>8} {:>8} {:>7}",
        "move",
        "category",
        "weight",
        "other",
        "price",
        "reduc.",
        "mover",
        "opponent",
        "credit",
        "depth"
    );
    for cost in costs {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n{:>8} {:>16} {:>7.2} {:>7.2} {:>7.2} {:>7.2}",
            to_san(root, cost.mv),
            cost.category.name(),
            cost.weight,
            cost.price - cost.weight,
            cost.price,
            cost.reduction
        );
        let _ = match cost.child {
            Some(child) => write!(
                text,
                " {:>8.2} {:>8.2} {:>8.2} {:>7.2}",
                child.mover, child.opponent, child.credit, child.depth
            ),
            None => write!(text, "  (quiescence or known without a search)"),
        };
    }
    text
}

pub(super) fn to_json(costs: &[Cost], root: &Position) -> Value {
    let moves = costs.iter().map(|cost| {
        json!({
            "move": to_san(root, cost.mv),
            "category": cost.category.name(),
            "weight": cost.weight,
            "other_terms": cost.price - cost.weight,
            "price": cost.price,
            "reduction": cost.reduction,
            "history": cost.history,
            "mover": cost.child.map(|child| child.mover),
            "opponent": cost.child.map(|child| child.opponent),
            "credit": cost.child.map(|child| child.credit),
            "depth": cost.child.map(|child| child.depth),
        })
    });
    moves.collect()
}
