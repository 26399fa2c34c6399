//! Node types in the full engine: what it expects a node to be, and what the node turns out to be.

use sextant_board::Position;
use sextant_search::{Bound, Leave, Node, Observer};

use crate::engine::{Subject, to_nodes};
use crate::error::LabError;
use crate::experiment::Context;
use crate::report::{Axis, Cell, Chart, Series, Stroke, Table};
use crate::textbook::observer::NodeType;

/// Effective depths beyond this are counted with it.
const DEEPEST: usize = 16;

/// `found` has a fourth place: ended by the table, a tablebase or pruning before any move.
type Matrix = [[u64; 4]; 3];

/// Nodes by effective depth in whole plies, rounded up.
#[derive(Clone, Debug)]
pub struct EngineCensus {
    by_depth: [Matrix; DEEPEST + 1],
    /// Depth and expected type of the nodes on the way to here, until their result is known.
    path: Vec<Option<(usize, NodeType)>>,
}

impl Default for EngineCensus {
    fn default() -> EngineCensus {
        EngineCensus {
            by_depth: [[[0; 4]; 3]; DEEPEST + 1],
            path: Vec::new(),
        }
    }
}

impl EngineCensus {
    fn count(&mut self, (depth, expected): (usize, NodeType), found: usize) {
        self.by_depth[depth][expected as usize][found] += 1;
    }

    /// Nodes below `ply` whose end nobody told ended before their moves.
    fn close(&mut self, ply: usize) {
        while self.path.len() > ply {
            if let Some(Some(node)) = self.path.pop() {
                self.count(node, 3);
            }
        }
    }

    fn add(&mut self, other: &EngineCensus) {
        let pairs = self.by_depth.iter_mut().zip(&other.by_depth);
        for (mine, theirs) in pairs {
            for (mine, theirs) in mine.iter_mut().flatten().zip(theirs.iter().flatten()) {
                *mine += theirs;
            }
        }
    }

    /// Share of the nodes with a move loop that turned out as expected.
    #[must_use]
    pub fn agreement(&self) -> f64 {
        let decided = self.by_depth.iter().map(decided).sum::<u64>();
        self.by_depth.iter().map(agreeing).sum::<u64>() as f64 / decided.max(1) as f64
    }
}

impl Observer for EngineCensus {
    fn enter(&mut self, node: &Node<'_>) {
        self.close(node.ply.index());
        let expected = if node.pv {
            NodeType::Pv
        } else if node.cut_node {
            NodeType::Cut
        } else {
            NodeType::All
        };
        let plies = (node.depth.raw().max(0) as usize).div_ceil(128);
        self.path.push(Some((plies.min(DEEPEST), expected)));
    }

    fn leave(&mut self, leave: &Leave) {
        let ply = leave.ply.index();
        self.close(ply + 1);
        if let Some(node) = self.path.get_mut(ply).and_then(Option::take) {
            let found = match leave.bound {
                Bound::Exact => NodeType::Pv,
                Bound::Lower => NodeType::Cut,
                Bound::Upper => NodeType::All,
            };
            self.count(node, found as usize);
        }
    }
}

/// Counts over the context's positions.
///
/// # Errors
/// When the positions or the engine cannot be had.
pub fn census(context: &Context<'_>) -> Result<EngineCensus, LabError> {
    let boards = context.positions(context.sized(8, 100))?;
    let nodes = context.sized(5_000, 100_000);
    context
        .progress
        .begin(boards.len() as u64, "node types in the engine");
    let mut subject = Subject::new(&context.config)?;
    let mut total = EngineCensus::default();
    for board in boards {
        let position = Position::new(board);
        let observer = EngineCensus::default();
        let (_, mut seen) = subject.watch(&position, &to_nodes(nodes), observer, &mut |_| {});
        seen.close(0);
        total.add(&seen);
        context.progress.step();
    }
    Ok(total)
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

/// Shares by depth.
#[must_use]
pub fn table(census: &EngineCensus) -> Table {
    let mut table = Table::new(
        "engine-types",
        "Full engine: share of each node type by effective depth (%), expected and found; nodes \
         that the table or pruning ended have no type to be found",
        &[
            "depth",
            "nodes",
            "PV exp.",
            "CUT exp.",
            "ALL exp.",
            "PV found",
            "CUT found",
            "ALL found",
            "ended early",
            "as expected, of those with moves",
        ],
    );
    for (depth, matrix) in census.by_depth.iter().enumerate().skip(1) {
        let nodes = total(matrix);
        if nodes == 0 {
            continue;
        }
        let percent = |count: u64| Cell::real(100.0 * count as f64 / nodes as f64, 1);
        let [pv, cut, all] = [0, 1, 2].map(|kind| percent(matrix[kind].iter().sum()));
        let [pv_found, cut_found, all_found, early] =
            [0, 1, 2, 3].map(|found| percent(matrix.iter().map(|row| row[found]).sum()));
        let share = agreeing(matrix) as f64 / decided(matrix).max(1) as f64;
        let depth = if depth == DEEPEST {
            format!("{depth} and more").into()
        } else {
            depth.into()
        };
        table.row([
            depth,
            nodes.into(),
            pv,
            cut,
            all,
            pv_found,
            cut_found,
            all_found,
            early,
            Cell::real(100.0 * share, 1),
        ]);
    }
    table
}

/// Expected and found CUT and ALL shares by depth, of the nodes with a move loop.
#[must_use]
pub fn chart(census: &EngineCensus) -> Chart {
    let share = |pick: &dyn Fn(&Matrix) -> u64| {
        let rows = census.by_depth.iter().enumerate().skip(1);
        rows.filter(|(_, matrix)| decided(matrix) > 0)
            .map(|(depth, matrix)| {
                (
                    depth as f64,
                    100.0 * pick(matrix) as f64 / decided(matrix) as f64,
                )
            })
            .collect::<Vec<_>>()
    };
    let found = |kind: usize| share(&move |m| m.iter().map(|row| row[kind]).sum());
    let expected = |kind: usize| share(&move |m| m[kind][..3].iter().sum());
    let (cut, all) = (NodeType::Cut as usize, NodeType::All as usize);
    Chart {
        title: "Node types in the full engine by effective depth (nodes with a move loop)"
            .to_owned(),
        x: Axis::linear("effective depth (plies, rounded up)"),
        y: Axis::linear("share of the nodes (%)"),
        series: vec![
            Series::new("CUT found", Stroke::Solid, found(cut)),
            Series::new("ALL found", Stroke::Solid, found(all)),
            Series::new("CUT expected", Stroke::Dashed, expected(cut)),
            Series::new("ALL expected", Stroke::Dashed, expected(all)),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_counted_once() {
        let census = census(&Context::quick(1)).unwrap();
        let nodes: u64 = census.by_depth.iter().map(total).sum();
        let with_moves: u64 = census.by_depth.iter().map(decided).sum();
        assert!(nodes > 2_000 && with_moves < nodes, "{nodes} {with_moves}");
        let agreement = census.agreement();
        assert!((0.5..1.0).contains(&agreement), "{agreement}");
    }
}
