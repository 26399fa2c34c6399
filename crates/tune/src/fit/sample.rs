//! What is learned from: a node as the search saw it before it tried a move, and which of its moves a
//! deeper search plays.

use serde::{Deserialize, Serialize};
use sextant_board::{Move, Position};
use sextant_search::{
    MoveSnapshot, NodeSnapshot,
    budget::{Category, MoveToPrice, NodeFacts},
};

/// The samples of one search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Block {
    /// What keeps the positions of one game together.
    #[serde(rename = "game")]
    pub(super) group: u64,
    pub(super) samples: Vec<Sample>,
}

/// A node with its label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sample {
    /// Game phase, 0 to 7.
    pub(super) phase: u8,
    /// Place of the move that a deeper search plays.
    pub(super) best: u16,
    /// All legal moves in the order in which they would be tried.
    pub(super) moves: Vec<Row>,
}

impl Sample {
    pub(super) fn best_move(&self) -> &Row {
        &self.moves[usize::from(self.best)]
    }

    /// Do places and marks make sense? A file may be damaged.
    pub(super) fn is_sound(&self) -> bool {
        usize::from(self.best) < self.moves.len()
            && self.phase < 8
            && self.moves.iter().all(|row| row.marks & CATEGORIES != 0)
    }
}

/// A move of a sample; a file holds the three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u32, u16, u16)", into = "(u32, u16, u16)")]
pub(super) struct Row {
    /// A bit for each [`Category`] that applies, then [`BACKWARD`].
    pub(super) marks: u32,
    /// How far its order score lies behind the best quiet move's, in hundredths of a full history.
    pub(super) order_gap: u16,
    /// How far the evaluation after it lies behind the best quiet move's, in centipawns.
    pub(super) eval_gap: u16,
}

/// The bits of the categories.
const CATEGORIES: u32 = (1 << Category::COUNT) - 1;
pub(super) const BACKWARD: u32 = 1 << Category::COUNT;

impl Row {
    pub(super) fn is_backward(&self) -> bool {
        self.marks & BACKWARD != 0
    }

    /// The categories that apply, by their indices.
    pub(super) fn categories(&self) -> impl Iterator<Item = usize> + use<> {
        let mut left = self.marks & CATEGORIES;
        std::iter::from_fn(move || {
            let index = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (index < u32::BITS).then_some(index as usize)
        })
    }
}

impl From<(u32, u16, u16)> for Row {
    fn from((marks, order_gap, eval_gap): (u32, u16, u16)) -> Row {
        Row {
            marks,
            order_gap,
            eval_gap,
        }
    }
}

impl From<Row> for (u32, u16, u16) {
    fn from(row: Row) -> (u32, u16, u16) {
        (row.marks, row.order_gap, row.eval_gap)
    }
}

/// A node without a label.
pub(super) struct Picked {
    pub(super) position: Position,
    pub(super) moves: Vec<Move>,
    /// The label is still to be found.
    pub(super) sample: Sample,
}

impl Picked {
    pub(super) fn new(snapshot: &NodeSnapshot<'_>) -> Picked {
        Picked {
            position: snapshot.node.pos.clone(),
            moves: snapshot.moves.iter().map(|one| one.mv).collect(),
            sample: Sample {
                phase: snapshot.facts.phase.index() as u8,
                best: 0,
                moves: rows(snapshot),
            },
        }
    }
}

fn rows(snapshot: &NodeSnapshot<'_>) -> Vec<Row> {
    let mut best_eval = i32::MIN;
    let row = |mv: &MoveSnapshot| {
        let eval = mv.score.filter(|_| mv.facts.is_quiet());
        let eval_gap = eval.map_or(0, |score| {
            best_eval = best_eval.max(score.raw());
            best_eval - score.raw()
        });
        let small = |gap: i32| gap.clamp(0, i32::from(u16::MAX)) as u16;
        Row {
            marks: marks(mv, &snapshot.facts),
            order_gap: small(mv.order.gap),
            eval_gap: small(eval_gap),
        }
    };
    snapshot.moves.iter().map(row).collect()
}

/// A bit for each category that applies, as [`Row::marks`] keeps them.
fn marks(mv: &MoveSnapshot, node: &NodeFacts) -> u32 {
    let categories = Category::applicable(&to_price(mv, node)).bits();
    if mv.facts.backward {
        return categories | BACKWARD;
    }
    categories
}

/// A move as the engine's price list sees it.
fn to_price<'a>(mv: &'a MoveSnapshot, node: &'a NodeFacts) -> MoveToPrice<'a> {
    MoveToPrice {
        facts: &mv.facts,
        exchange: mv.exchange,
        order: mv.order,
        node,
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::{parse_fen, to_fen};
    use sextant_config::{Config, Value};
    use sextant_search::{Engine, Game, Limits, Node, Observer, budget::Prices};

    use super::*;

    const FENS: [&str; 5] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/P1k5/8/8/3pP3/8/1K4p1/8 b - e3 0 1",
        "6k1/5ppp/8/3r4/8/1B6/5PPP/R5K1 w - - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        // A queen ahead, and mated if it passes.
        "3r2k1/5ppp/8/8/8/7P/1Q3PP1/1N4K1 b - - 0 1",
    ];

    /// The price by the marks alone: the cheapest category that applies.
    fn by_marks(row: &Row, weights: &[i32]) -> i32 {
        row.categories().map(|index| weights[index]).min().unwrap()
    }

    /// Compares every node with the engine's own price list.
    struct Checks {
        prices: Prices,
        weights: Vec<i32>,
        compared: u64,
        seen: u32,
    }

    impl Observer for Checks {
        fn wants_snapshot(&mut self, _: &Node<'_>) -> bool {
            true
        }

        fn snapshot(&mut self, snapshot: &NodeSnapshot<'_>) {
            let pos = snapshot.node.pos;
            for (mv, row) in snapshot.moves.iter().zip(rows(snapshot)) {
                let theirs = self.prices.price(&to_price(mv, &snapshot.facts));
                let ours = by_marks(&row, &self.weights);
                assert_eq!(ours, theirs.0.raw(), "{:?} in {}", mv.mv, to_fen(pos, true));
                self.seen |= row.marks & CATEGORIES;
                self.compared += 1;
            }
        }
    }

    #[test]
    fn marks_price_as_the_engine_does() {
        let mut config = Config::default();
        config.engine.hash = 1;
        // All different, so that every rule shows.
        let weights: Vec<i32> = (0..18).map(|i| 80 + 16 * ((i * 7) % 18) - i).collect();
        for (category, &weight) in Category::ALL.iter().zip(&weights) {
            let key = format!("extensions.{}", category.name());
            config.set(&key, Value::Number(weight)).unwrap();
        }
        let prices = Prices::new(&config.extensions, false);
        let mut engine = Engine::new(config).unwrap();
        let (mut compared, mut seen) = (0, 0);
        for fen in FENS {
            let checks = Checks {
                prices: prices.clone(),
                weights: weights.clone(),
                compared: 0,
                seen: 0,
            };
            let game = Game::new(parse_fen(fen).unwrap());
            let limits = Limits {
                nodes: Some(10_000),
                ..Limits::default()
            };
            let (_, checks) = engine.observed(checks).go(&game, &limits, 1, &mut |_| ());
            compared += checks.compared;
            seen |= checks.seen;
        }
        assert!(compared > 10_000, "{compared}");
        assert_eq!(seen, CATEGORIES, "every category came up");
    }
}
