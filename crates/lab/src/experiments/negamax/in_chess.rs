//! The notes' statements about real programs, measured in chess: branching factors, the cost of
//! iterative deepening, what it gives to move ordering, and how deep alpha-beta gets.

use super::{TWICE, at, plies_gained};
use crate::experiments::prelude::*;
use crate::{
    game::{Game, Window, chess::Chess},
    stats::{effective_branching, geometric_mean},
    textbook::{
        alpha_beta::AlphaBeta,
        deepening::deepen,
        exhaustive::negamax,
        horizon::Evaluate,
        ordering::{AsGenerated, CapturesFirst, Ordering, Remembering},
    },
};

/// Nodes by depth (index 0 is depth 1), summed over the positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Growth {
    positions: usize,
    /// Mean number of legal moves.
    moves: f64,
    /// Every node.
    negamax: Vec<u64>,
    /// Alpha-beta, moves as generated.
    unordered: Vec<u64>,
    /// Alpha-beta, captures first.
    captures_first: Vec<u64>,
    /// Each iteration of iterative deepening, with the earlier iterations' best moves first.
    deepened: Vec<u64>,
}

impl Growth {
    /// Measures all four searches on the context's positions.
    pub(super) fn measure(context: &Context) -> Result<Growth, Failure> {
        let depth = context.sized(5, 6);
        let whole = context.sized(3, 4);
        let positions = context.positions(context.sized(4, 20))?;
        let mut growth = Growth {
            positions: positions.len(),
            ..Growth::default()
        };
        for position in track("branching in chess", positions) {
            let root = Chess::new(position.board().clone(), 0);
            growth.moves += root.moves().len() as f64 / growth.positions as f64;
            for d in 1..=depth {
                if d <= whole {
                    add(&mut growth.negamax, d, negamax(&root, d).1.nodes);
                    add(&mut growth.unordered, d, nodes(&root, AsGenerated, d));
                }
                add(
                    &mut growth.captures_first,
                    d,
                    nodes(&root, CapturesFirst, d),
                );
            }
            let order = Remembering::<CapturesFirst, _>::default();
            for (d, (_, tally)) in (1..).zip(deepen(&root, order, Evaluate, depth)) {
                add(&mut growth.deepened, d, tally.nodes);
            }
        }
        Ok(growth)
    }

    /// How many times as deep a search gets as negamax in the same time, by their effective
    /// branching factors.
    fn depth_ratio(&self, nodes: &[u64]) -> f64 {
        self.effective(&self.negamax).ln() / self.effective(nodes).ln()
    }

    /// The same for the best order of moves.
    pub(super) fn best_depth_ratio(&self) -> f64 {
        self.depth_ratio(&self.deepened)
    }

    /// Effective branching factor at the deepest depth of a row of node counts.
    fn effective(&self, nodes: &[u64]) -> f64 {
        let mean = nodes.last().copied().unwrap_or(0) as f64 / self.positions.max(1) as f64;
        effective_branching(mean, nodes.len() as u32)
    }

    pub(super) fn findings(&self) -> Vec<Finding> {
        let all = self.deepened.iter().sum::<u64>() as f64;
        let against = |row: &[u64]| all / row.last().copied().unwrap_or(1).max(1) as f64;
        let overhead = against(&self.deepened);
        let direct = against(&self.captures_first);
        let ratio = self.best_depth_ratio();
        let text = format!(
            "In chess, by effective branching factors, alpha-beta gets {:.2} times as deep as \
             negamax with moves as generated, {:.2} times with captures first and {ratio:.2} times \
             with the best moves of earlier iterations; 2 is the limit of perfect order.",
            self.depth_ratio(&self.unordered),
            self.depth_ratio(&self.captures_first),
        );
        vec![
            tested!(
                overhead < 1.5,
                "In chess all iterations together cost {overhead:.2} times the last one; the \
                 effective branching factor is {:.1} for negamax and {:.1} for ordered \
                 alpha-beta.",
                self.effective(&self.negamax),
                self.effective(&self.captures_first)
            ),
            tested!(
                direct < 1.0,
                "What shallow iterations give to move ordering: all iterations together took \
                 {direct:.2} times the nodes of one direct search to the same depth."
            ),
            if ratio > TWICE {
                Finding::tested(true, text)
            } else {
                Finding::new(Outcome::HoldsInPart, text)
            },
        ]
    }

    /// Nodes by depth for all four searches.
    pub(super) fn table(&self) -> Table {
        let depths: Vec<usize> = (0..self.captures_first.len()).collect();
        let title = "Chess: nodes by depth, summed over the positions";
        Table::of("chess-growth", title, &depths)
            .column("depth", |index| index + 1)
            .column("negamax", |&index| at(&self.negamax, index))
            .column("alpha-beta, as generated", |&index| {
                at(&self.unordered, index)
            })
            .column("alpha-beta, captures first", |&index| {
                at(&self.captures_first, index)
            })
            .column("the same, deepened (this iteration)", |&index| {
                at(&self.deepened, index)
            })
            .done()
    }

    /// Branching factors and what a doubled speed gains with them.
    pub(super) fn branching_table(&self) -> Table {
        let rows = [
            ("legal moves, mean", None),
            ("negamax", Some(&self.negamax)),
            ("alpha-beta, as generated", Some(&self.unordered)),
            ("alpha-beta, captures first", Some(&self.captures_first)),
            ("the same, deepened", Some(&self.deepened)),
        ];
        type Row<'a> = (&'static str, Option<&'a Vec<u64>>);
        let b = |row: &Row<'_>| row.1.map_or(self.moves, |nodes| self.effective(nodes));
        let growth = |row: &Row<'_>| {
            let ratios = row.1?.windows(2).map(|w| w[1] as f64 / w[0] as f64);
            geometric_mean(&ratios.collect::<Vec<_>>())
        };
        let title = "Chess: effective branching factors, and plies gained by doubling the speed";
        Table::of("chess-branching", title, &rows)
            .column("search", |row| row.0)
            .column("depth", |row| row.1.map(Vec::len))
            .column("effective b", |row| {
                Cell::Real(b(row), if row.1.is_some() { 2 } else { 1 })
            })
            .real("mean growth a ply", 2, growth)
            .real("plies by 2 times", 3, |row| plies_gained(2.0, b(row)))
            .done()
    }

    pub(super) fn chart(&self) -> Figure {
        fn points(nodes: &[u64]) -> impl Iterator<Item = (f64, f64)> {
            nodes
                .iter()
                .zip(1..)
                .map(|(&n, depth)| (f64::from(depth), n as f64))
        }
        Figure::new("Chess: nodes by depth", "depth", "nodes")
            .log_y()
            .line("negamax", points(&self.negamax))
            .line("alpha-beta, as generated", points(&self.unordered))
            .line("alpha-beta, captures first", points(&self.captures_first))
            .line("deepened, this iteration", points(&self.deepened))
    }
}

fn add(row: &mut Vec<u64>, depth: u32, nodes: u64) {
    let index = depth as usize - 1;
    row.resize(row.len().max(index + 1), 0);
    row[index] += nodes;
}

fn nodes<O: Ordering<Chess>>(root: &Chess, order: O, depth: u32) -> u64 {
    let mut search = AlphaBeta::new(order, Evaluate);
    search.search(root, Window::FULL, depth);
    search.tally.nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::quick;

    #[test]
    fn better_order_means_fewer_nodes() {
        let growth = Growth::measure(&quick(1)).unwrap();
        assert!(growth.negamax[2] > growth.unordered[2]);
        assert!(growth.unordered[2] > growth.captures_first[2]);
    }
}
