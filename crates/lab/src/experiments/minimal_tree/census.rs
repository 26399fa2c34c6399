//! Node types in real searches: what a node is expected to be, and what it turns out to be.

use std::mem;

use sextant_search::{Bound, Leave, Node, Observer};

use crate::experiments::prelude::*;
use crate::{
    game::chess::Chess,
    textbook::{
        NodeType,
        alpha_beta::{BestFirst, Evaluate, deepen},
    },
};

/// Nodes by expected and found type: PV, CUT, ALL. The fourth place of what was found counts nodes
/// that the table, a tablebase or pruning ended before any move.
type Matrix = [[u64; 4]; 3];

type Place = (usize, usize);

/// Effective depths beyond this are counted with it.
const DEEPEST: usize = 16;

/// Nodes by ply in plain alpha-beta, by effective depth in whole plies, rounded up, in the engine.
#[derive(Default)]
pub(super) struct Census {
    is_of_engine: bool,
    levels: Vec<Matrix>,
    /// Depth and expected type of the nodes on the way to here, until their result is known.
    path: Vec<Option<Place>>,
}

impl Census {
    /// Plain alpha-beta, captures first, deepened so that every iteration starts with the last
    /// one's best moves; the last iteration counts.
    pub(super) fn of_chess(context: &Context) -> Result<Census, Failure> {
        let depth = context.sized(3, 5);
        let positions = context.positions(context.sized(8, 40))?;
        let mut total = Census::default();
        for position in track("node types in chess", positions) {
            let root = Chess::new(position.board().clone(), 0);
            let iterations = deepen(&root, BestFirst::default(), Evaluate, depth);
            let by_ply = iterations.last().map(|(_, tally)| tally.by_ply.iter());
            for (ply, matrix) in by_ply.into_iter().flatten().enumerate() {
                for (expected, row) in matrix.iter().enumerate() {
                    for (found, &nodes) in row.iter().enumerate() {
                        total.count((ply, expected), found, nodes);
                    }
                }
            }
        }
        Ok(total)
    }

    pub(super) fn of_engine(context: &Context) -> Result<Census, Failure> {
        let positions = context.positions(context.sized(8, 100))?;
        let limits = to_nodes(context.sized(5_000, 100_000));
        let mut total = Census {
            is_of_engine: true,
            ..Census::default()
        };
        let mut engine = FreshEngine::new(&context.config, HASH)?;
        for position in track("node types in the engine", &positions) {
            total = engine.watch(position, &limits, total).1;
            total.close(0);
        }
        Ok(total)
    }

    fn count(&mut self, (level, expected): Place, found: usize, nodes: u64) {
        if level >= self.levels.len() {
            self.levels.resize(level + 1, [[0; 4]; 3]);
        }
        self.levels[level][expected][found] += nodes;
    }

    /// Nodes below `ply` whose end nobody told ended before their moves.
    fn close(&mut self, ply: usize) {
        while self.path.len() > ply {
            if let Some(Some(place)) = self.path.pop() {
                self.count(place, 3, 1);
            }
        }
    }

    /// Share of the nodes with a move loop that turned out as expected.
    pub(super) fn agreement(&self) -> f64 {
        let decided = self.levels.iter().map(decided).sum::<u64>();
        self.levels.iter().map(agreeing).sum::<u64>() as f64 / decided.max(1) as f64
    }

    pub(super) fn table(&self) -> Table {
        let (name, title, level_head, agreement) = match self.is_of_engine {
            false => (
                "chess-types",
                "Chess, plain alpha-beta: share of each node type by ply (%), expected and found",
                "ply",
                "as expected",
            ),
            true => (
                "engine-types",
                "Full engine: share of each node type by effective depth (%), expected and found; \
                 nodes that the table or pruning ended have no type to be found",
                "depth",
                "as expected, of those with moves",
            ),
        };
        let levels = self.levels.iter().enumerate();
        let levels = levels.skip(self.is_of_engine.into());
        let rows: Vec<_> = levels.filter(|(_, matrix)| total(matrix) > 0).collect();
        let level = |level| match level {
            DEEPEST => format!("{level} and more").into(),
            level => Cell::from(level),
        };
        let mut table = table!(name, title, rows, |row| {
            level_head => level(row.0),
            "nodes" => total(row.1),
        });
        let mut add = |head: &str, count: &dyn Fn(&Matrix) -> u64, of: fn(&Matrix) -> u64| {
            let percent = |matrix| 100.0 * count(matrix) as f64 / of(matrix).max(1) as f64;
            let cells = rows.iter().map(|row| real(percent(row.1), 1));
            table = mem::take(&mut table).column(head, cells);
        };
        for kind in NodeType::EACH {
            let expected = |matrix: &Matrix| matrix[kind as usize].iter().sum();
            add(&format!("{} exp.", kind.name()), &expected, total);
        }
        for kind in NodeType::EACH {
            let found = |matrix: &Matrix| found(matrix, kind as usize);
            add(&format!("{} found", kind.name()), &found, total);
        }
        if self.is_of_engine {
            add("ended early", &|matrix| found(matrix, 3), total);
        }
        add(agreement, &agreeing, decided);
        table
    }
}

impl Observer for Census {
    fn enter(&mut self, node: &Node<'_>) {
        self.close(node.ply.index());
        let expected = match (node.pv, node.cut_node) {
            (true, _) => NodeType::Pv,
            (false, true) => NodeType::Cut,
            (false, false) => NodeType::All,
        };
        let plies = (node.depth.raw().max(0) as usize).div_ceil(128);
        let place = (plies.min(DEEPEST), expected as usize);
        self.path.push(Some(place));
    }

    fn leave(&mut self, leave: &Leave) {
        let ply = leave.ply.index();
        self.close(ply + 1);
        if let Some(place) = self.path.get_mut(ply).and_then(Option::take) {
            let found = match leave.bound {
                Bound::Exact => NodeType::Pv,
                Bound::Lower => NodeType::Cut,
                Bound::Upper => NodeType::All,
            };
            self.count(place, found as usize, 1);
        }
    }
}

fn total(matrix: &Matrix) -> u64 {
    matrix.iter().flatten().sum()
}

fn found(matrix: &Matrix, kind: usize) -> u64 {
    matrix.iter().map(|row| row[kind]).sum()
}

fn decided(matrix: &Matrix) -> u64 {
    matrix.iter().flat_map(|row| &row[..3]).sum()
}

fn agreeing(matrix: &Matrix) -> u64 {
    (0..3).map(|kind| matrix[kind][kind]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::quick;

    #[test]
    fn every_node_is_counted_once() {
        let census = Census::of_engine(&quick(1, "default")).unwrap();
        let nodes: u64 = census.levels.iter().map(total).sum();
        let with_moves: u64 = census.levels.iter().map(decided).sum();
        assert!(nodes > 2_000 && with_moves < nodes, "{nodes} {with_moves}");
        let agreement = census.agreement();
        assert!((0.5..1.0).contains(&agreement), "{agreement}");
    }
}
