//! The notes' statements about real programs, measured in chess: branching factors, the cost of
//! iterative deepening, what it gives to move ordering, and how deep alpha-beta gets.

use crate::error::LabError;
use crate::experiment::Context;
use crate::game::chess::Chess;
use crate::game::{Game, Window};
use crate::report::{Axis, Cell, Chart, Series, Stroke, Table};
use crate::stats::{effective_branching, geometric_mean};
use crate::textbook::alpha_beta::AlphaBeta;
use crate::textbook::deepening::deepen;
use crate::textbook::negamax::negamax;
use crate::textbook::observer::Tally;
use crate::textbook::ordering::{AsGenerated, CapturesFirst, Ordering, Remembering};
use crate::textbook::quiescence::Evaluate;

/// Nodes by depth (index 0 is depth 1), summed over the positions.
#[derive(Clone, Debug, Default)]
pub struct Growth {
    /// How many positions were searched.
    pub positions: usize,
    /// Mean number of legal moves.
    pub moves: f64,
    /// Every node.
    pub negamax: Vec<u64>,
    /// Alpha-beta, moves as generated.
    pub unordered: Vec<u64>,
    /// Alpha-beta, captures first.
    pub captures_first: Vec<u64>,
    /// Each iteration of iterative deepening, with the earlier iterations' best moves first.
    pub deepened: Vec<u64>,
}

impl Growth {
    /// Measures all four searches on the context's positions.
    ///
    /// # Errors
    /// When the suite is missing or broken.
    pub fn measure(context: &Context<'_>) -> Result<Growth, LabError> {
        let depth = context.sized(5, 6);
        let whole = context.sized(3, 4);
        let positions = context.positions(context.sized(4, 20))?;
        context
            .progress
            .begin(positions.len() as u64, "branching in chess");
        let mut growth = Growth {
            positions: positions.len(),
            ..Growth::default()
        };
        for board in positions {
            let root = Chess::new(board, 0);
            growth.moves += root.moves().len() as f64 / growth.positions as f64;
            for d in 1..=depth {
                if d <= whole {
                    let mut tally = Tally::default();
                    negamax(&root, d, &mut tally);
                    add(&mut growth.negamax, d, tally.nodes);
                }
                if d <= whole {
                    add(&mut growth.unordered, d, nodes(&root, AsGenerated, d));
                }
                add(
                    &mut growth.captures_first,
                    d,
                    nodes(&root, CapturesFirst, d),
                );
            }
            let order = Remembering::<CapturesFirst, _>::default();
            for iteration in deepen(&root, order, Evaluate, |done| done.depth < depth) {
                add(&mut growth.deepened, iteration.depth, iteration.tally.nodes);
            }
            context.progress.step();
        }
        Ok(growth)
    }

    /// All iterations up to the deepest against one direct search to that depth: below 1 where
    /// what the shallow searches learn saves more than they cost.
    #[must_use]
    pub fn deepening_against_direct(&self) -> f64 {
        let all: u64 = self.deepened.iter().sum();
        all as f64 / self.captures_first.last().copied().unwrap_or(1).max(1) as f64
    }

    /// All iterations against the last one.
    #[must_use]
    pub fn deepening_overhead(&self) -> f64 {
        let all: u64 = self.deepened.iter().sum();
        all as f64 / self.deepened.last().copied().unwrap_or(1).max(1) as f64
    }

    /// How many times as deep a search gets as negamax in the same time, by their effective
    /// branching factors.
    #[must_use]
    pub fn depth_ratio(&self, nodes: &[u64]) -> f64 {
        self.effective(&self.negamax).ln() / self.effective(nodes).ln()
    }

    /// Effective branching factor at the deepest depth of a row of node counts.
    #[must_use]
    pub fn effective(&self, nodes: &[u64]) -> f64 {
        let mean = nodes.last().copied().unwrap_or(0) as f64 / self.positions.max(1) as f64;
        effective_branching(mean, nodes.len() as u32)
    }

    /// Nodes by depth for all four searches.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = Table::new(
            "chess-growth",
            "Chess: nodes by depth, summed over the positions",
            &[
                "depth",
                "negamax",
                "alpha-beta, as generated",
                "alpha-beta, captures first",
                "the same, deepened (this iteration)",
            ],
        );
        let at = |row: &[u64], index: usize| row.get(index).map_or(Cell::Empty, |&n| n.into());
        for index in 0..self.captures_first.len() {
            table.row([
                (index + 1).into(),
                at(&self.negamax, index),
                at(&self.unordered, index),
                at(&self.captures_first, index),
                at(&self.deepened, index),
            ]);
        }
        table
    }

    /// Branching factors and what a doubled speed gains with them.
    #[must_use]
    pub fn branching_table(&self) -> Table {
        let mut table = Table::new(
            "chess-branching",
            "Chess: effective branching factors, and plies gained by doubling the speed",
            &[
                "search",
                "depth",
                "effective b",
                "mean growth a ply",
                "plies by 2 times",
            ],
        );
        table.row([
            "legal moves, mean".into(),
            Cell::Empty,
            Cell::real(self.moves, 1),
            Cell::Empty,
            Cell::real(super::growth::plies_gained(2.0, self.moves), 3),
        ]);
        let rows = [
            ("negamax", &self.negamax),
            ("alpha-beta, as generated", &self.unordered),
            ("alpha-beta, captures first", &self.captures_first),
            ("the same, deepened", &self.deepened),
        ];
        for (name, nodes) in rows {
            let b = self.effective(nodes);
            let ratios: Vec<f64> = nodes
                .windows(2)
                .map(|w| w[1] as f64 / w[0] as f64)
                .collect();
            table.row([
                name.into(),
                nodes.len().into(),
                Cell::real(b, 2),
                geometric_mean(&ratios).map_or(Cell::Empty, |mean| Cell::real(mean, 2)),
                Cell::real(super::growth::plies_gained(2.0, b), 3),
            ]);
        }
        table
    }

    /// Nodes by depth as a picture.
    #[must_use]
    pub fn chart(&self) -> Chart {
        let line = |label: &str, nodes: &[u64]| {
            let points = nodes
                .iter()
                .zip(1..)
                .map(|(&n, depth)| (f64::from(depth), n as f64));
            Series::new(label, Stroke::Solid, points.collect())
        };
        Chart {
            title: "Chess: nodes by depth".to_owned(),
            x: Axis::linear("depth"),
            y: Axis::log("nodes"),
            series: vec![
                line("negamax", &self.negamax),
                line("alpha-beta, as generated", &self.unordered),
                line("alpha-beta, captures first", &self.captures_first),
                line("deepened, this iteration", &self.deepened),
            ],
        }
    }
}

fn add(row: &mut Vec<u64>, depth: u32, nodes: u64) {
    let index = depth as usize - 1;
    row.resize(row.len().max(index + 1), 0);
    row[index] += nodes;
}

fn nodes<O: Ordering<Chess>>(root: &Chess, order: O, depth: u32) -> u64 {
    let mut search = AlphaBeta {
        order,
        horizon: Evaluate,
        observer: Tally::default(),
    };
    search.search(root, Window::FULL, depth);
    search.observer.nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_order_means_fewer_nodes() {
        let context = Context::quick(1);
        let growth = Growth::measure(&context).unwrap();
        let third = |nodes: &[u64]| nodes[2];
        assert!(third(&growth.negamax) > third(&growth.unordered));
        assert!(third(&growth.unordered) > third(&growth.captures_first));
    }
}
