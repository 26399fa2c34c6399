//! `--explain`: what the search charged each root move in its last iteration, taken down by an
//! observer of the real search, not worked out a second time.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sextant_board::{Move, Ply, Position, to_san};
use sextant_config::Config;
use sextant_search::{MoveSearched, Node, Observer, budget::Category};

/// Sixteenths of an SX in one.
const SX: f64 = 16.0;
/// Parts of a ply that depths are counted in.
const PLY: f64 = 128.0;

/// A root move in the last iteration that tried it.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    mv: Move,
    category: Category,
    /// What the mover pays, in sixteenths of an SX.
    price: i32,
    /// What is bet against it, in 1/128 ply.
    reduction: i32,
    history: i32,
    /// The first search behind it: budgets of the opponent (to move) and of the mover, credit, all
    /// in sixteenths of an SX, and depth in 1/128 ply.
    child: Option<Child>,
}

#[derive(Clone, Copy, Debug)]
struct Child {
    us: i32,
    them: i32,
    credit: i32,
    depth: i32,
}

/// What a root move costs, with the terms of its price.
#[derive(Clone, Debug)]
pub(super) struct Cost {
    tally: Tally,
    /// The weight of its category in sixteenths of an SX.
    weight: i32,
}

/// Takes down what happens at the root and one ply behind it.
#[derive(Debug, Default)]
pub(super) struct Watcher {
    moves: Vec<Tally>,
    current: Option<usize>,
}

impl Observer for Watcher {
    fn move_searched(&mut self, tried: &MoveSearched<'_>) {
        if tried.ply != Ply::ROOT {
            return;
        }
        let tally = Tally {
            mv: tried.mv,
            category: tried.category,
            price: tried.price.raw(),
            reduction: tried.reduction.raw(),
            history: tried.history,
            child: None,
        };
        let known = self.moves.iter().position(|other| other.mv == tried.mv);
        match known.and_then(|at| self.moves.get_mut(at)) {
            Some(old) => *old = tally,
            None => self.moves.push(tally),
        }
        self.current = known.or(self.moves.len().checked_sub(1));
    }

    fn enter(&mut self, node: &Node<'_>) {
        if node.ply != Ply::ROOT.next() {
            return;
        }
        let Some(tally) = self.current.and_then(|at| self.moves.get_mut(at)) else {
            return;
        };
        let budgets = node.allowance.budgets;
        tally.child.get_or_insert(Child {
            us: budgets.us().raw(),
            them: budgets.them().raw(),
            credit: node.allowance.credit.raw(),
            depth: node.depth.raw(),
        });
    }
}

impl Watcher {
    /// The root moves in the order of the last iteration.
    pub(super) fn costs(self, config: &Config) -> Vec<Cost> {
        let with_weight = |tally: Tally| {
            let key = format!("extensions.{}", tally.category.name());
            let weight = match config.get(&key) {
                Ok(sextant_config::Value::Number(weight)) => weight,
                _ => tally.price,
            };
            Cost { tally, weight }
        };
        self.moves.into_iter().map(with_weight).collect()
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
    for Cost { tally, weight } in costs {
        let sx = |value: i32| f64::from(value) / SX;
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n{:>8} {:>16} {:>7.2} {:>7.2} {:>7.2} {:>7.2}",
            to_san(root, tally.mv),
            tally.category.name(),
            sx(*weight),
            sx(tally.price - weight),
            sx(tally.price),
            f64::from(tally.reduction) / PLY
        );
        let _ = match tally.child {
            Some(Child {
                us,
                them,
                credit,
                depth,
            }) => write!(
                text,
                " {:>8.2} {:>8.2} {:>8.2} {:>7.2}",
                sx(them),
                sx(us),
                sx(credit),
                f64::from(depth) / PLY
            ),
            None => write!(text, "  (quiescence or known without a search)"),
        };
    }
    text
}

pub(super) fn to_json(costs: &[Cost], root: &Position) -> Value {
    let sx = |value: i32| f64::from(value) / SX;
    let moves = costs.iter().map(|Cost { tally, weight }| {
        json!({
            "move": to_san(root, tally.mv),
            "category": tally.category.name(),
            "weight": sx(*weight),
            "other_terms": sx(tally.price - weight),
            "price": sx(tally.price),
            "reduction": f64::from(tally.reduction) / PLY,
            "history": tally.history,
            "mover": tally.child.map(|child| sx(child.them)),
            "opponent": tally.child.map(|child| sx(child.us)),
            "credit": tally.child.map(|child| sx(child.credit)),
            "depth": tally.child.map(|child| f64::from(child.depth) / PLY),
        })
    });
    Value::Array(moves.collect())
}
