//! Node types in the engine's searches: what a node is expected to be, and what it turns out to be.

use sextant_search::{Bound, Leave, Node, Observer};

use crate::experiments::prelude::*;
use crate::textbook::NodeType;

/// Nodes by expected and found type: PV, CUT, ALL. The fourth place of what was found counts nodes
/// that the table, a tablebase or pruning ended before any move.
type Matrix = [[u64; 4]; 3];

type Place = (usize, usize);

/// Effective depths beyond this are counted with it.
const DEEPEST: usize = 16;

/// Nodes by effective depth in whole plies, rounded up.
#[derive(Default)]
pub(super) struct Census {
    levels: [Matrix; DEEPEST + 1],
    /// Depth and expected type of the nodes on the way to here, until their result is known.
    path: Vec<Option<Place>>,
}

impl Census {
    pub(super) fn of_engine(context: &Context) -> Result<Census, Failure> {
        let positions = context.positions(context.sized(8, 100))?;
        let limits = to_nodes(context.sized(5_000, 100_000));
        let mut total = Census::default();
        let mut engine = FreshEngine::new(&context.config, HASH)?;
        for position in track("node types in the engine", &positions) {
            total = engine.watch(position, &limits, total).1;
            total.close(0);
        }
        Ok(total)
    }

    fn count(&mut self, (level, expected): Place, found: usize) {
        self.levels[level][expected][found] += 1;
    }

    /// Nodes below `ply` whose end nobody told ended before their moves.
    fn close(&mut self, ply: usize) {
        while self.path.len() > ply {
            if let Some(Some(place)) = self.path.pop() {
                self.count(place, 3);
            }
        }
    }

    /// Share of the nodes with a move loop that turned out as expected.
    pub(super) fn agreement(&self) -> f64 {
        let decided = self.levels.iter().map(decided).sum::<u64>();
        self.levels.iter().map(agreeing).sum::<u64>() as f64 / decided.max(1) as f64
    }

    pub(super) fn table(&self) -> Table {
        let levels = self.levels.iter().enumerate().skip(1);
        let rows: Vec<_> = levels.filter(|(_, matrix)| total(matrix) > 0).collect();
        let level = |level| match level {
            DEEPEST => format!("{level} and more").into(),
            level => Cell::from(level),
        };
        let percent = |count: u64, of: u64| real(100.0 * count as f64 / of.max(1) as f64, 1);
        let expected =
            |matrix: &Matrix, kind: usize| percent(matrix[kind].iter().sum(), total(matrix));
        let found = |matrix: &Matrix, kind: usize| {
            percent(matrix.iter().map(|row| row[kind]).sum(), total(matrix))
        };
        let title = "Full engine: share of each node type by effective depth (%), expected and \
                     found; nodes that the table or pruning ended have no type to be found";
        table!("engine-types", title, rows, |row| {
            "depth" => level(row.0),
            "nodes" => total(row.1),
            "PV exp." => expected(row.1, 0),
            "CUT exp." => expected(row.1, 1),
            "ALL exp." => expected(row.1, 2),
            "PV found" => found(row.1, 0),
            "CUT found" => found(row.1, 1),
            "ALL found" => found(row.1, 2),
            "ended early" => found(row.1, 3),
            "as expected, of those with moves" => percent(agreeing(row.1), decided(row.1)),
        })
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
            self.count(place, found as usize);
        }
    }
}

fn total(matrix: &Matrix) -> u64 {
    matrix.iter().flatten().sum()
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
