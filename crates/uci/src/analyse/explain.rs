//! `--explain`: what the search charged each root move in its last iteration, taken down by an
//! observer of the real search, not worked out a second time.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sextant_board::{Move, Ply, Position, to_san};
use sextant_config::Config;
use sextant_search::{
    MoveSearched, Node, Observer,
    budget::{Allowance, Category, Depth},
};
use sextant_view::{plies, sx};

/// What a root move costs, as the last iteration that tried it says; in SX and plies.
#[derive(Clone, Debug)]
pub(super) struct Cost {
    mv: Move,
    category: Category,
    /// The weight of its category, and what the move costs.
    weight: f64,
    price: f64,
    reduction: f64,
    history: i32,
    /// Where the first search behind it begins; `None` if there was none at full width.
    child: Option<(Allowance, Depth)>,
}

impl Cost {
    /// Budgets of mover and opponent after the move, the credit, and the depth.
    fn left(&self) -> Option<[f64; 4]> {
        self.child.map(|(Allowance { budgets, credit }, depth)| {
            let (mover, opponent) = (budgets.them().raw(), budgets.us().raw());
            [sx(mover), sx(opponent), sx(credit.raw()), plies(depth)]
        })
    }
}

/// Takes down what happens at the root and one ply behind it.
#[derive(Debug, Default)]
pub(super) struct Watcher {
    moves: Vec<Cost>,
    current: Option<Move>,
}

impl Observer for Watcher {
    fn move_searched(&mut self, tried: &MoveSearched<'_>) {
        if tried.ply != Ply::ROOT {
            return;
        }
        let cost = Cost {
            mv: tried.mv,
            category: tried.category,
            weight: 0.0,
            price: sx(tried.price.raw()),
            reduction: plies(tried.reduction),
            history: tried.history,
            child: None,
        };
        self.current = Some(tried.mv);
        match self.moves.iter_mut().find(|known| known.mv == tried.mv) {
            Some(known) => *known = cost,
            None => self.moves.push(cost),
        }
    }

    fn enter(&mut self, node: &Node<'_>) {
        if node.ply == Ply::ROOT.next() {
            let mut moves = self.moves.iter_mut();
            if let Some(cost) = moves.find(|cost| Some(cost.mv) == self.current) {
                cost.child.get_or_insert((node.allowance, node.depth));
            }
        }
    }
}

impl Watcher {
    /// The root moves in the order in which they were first tried.
    pub(super) fn costs(mut self, config: &Config) -> Vec<Cost> {
        for cost in &mut self.moves {
            cost.weight = sx(cost.category.weight(&config.extensions));
        }
        self.moves
    }
}

pub(super) fn to_text(costs: &[Cost], root: &Position) -> String {
    let mut text =
        "Cost of each root move in SX (8 are a nominal ply); reduction and depth of its first search in \
         plies\n    \
        move         category  weight   other   price  reduc.    mover opponent   credit   depth"
            .to_owned();
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
        let _ = match cost.left() {
            Some([mover, opponent, credit, depth]) => write!(
                text,
                " {mover:>8.2} {opponent:>8.2} {credit:>8.2} {depth:>7.2}"
            ),
            None => write!(text, "  (quiescence or known without a search)"),
        };
    }
    text
}

pub(super) fn to_json(costs: &[Cost], root: &Position) -> Value {
    let moves = costs.iter().map(|cost| {
        let left = |index: usize| cost.left().and_then(|left| left.get(index).copied());
        json!({
            "move": to_san(root, cost.mv),
            "category": cost.category.name(),
            "weight": cost.weight,
            "other_terms": cost.price - cost.weight,
            "price": cost.price,
            "reduction": cost.reduction,
            "history": cost.history,
            "mover": left(0),
            "opponent": left(1),
            "credit": left(2),
            "depth": left(3),
        })
    });
    moves.collect()
}
