//! Node types in chess: how far real move ordering is from the minimal tree.

use crate::error::LabError;
use crate::experiment::Context;
use crate::game::Window;
use crate::game::chess::Chess;
use crate::report::{Axis, Cell, Chart, Series, Stroke, Table};
use crate::textbook::alpha_beta::AlphaBeta;
use crate::textbook::observer::{Census, NodeType};
use crate::textbook::ordering::{CapturesFirst, Remembering};
use crate::textbook::quiescence::Evaluate;

/// Counts node types by ply over the context's positions with plain alpha-beta, captures first,
/// deepened so that every iteration starts with the last one's best moves.
///
/// # Errors
/// When the suite is missing or broken.
pub fn census(context: &Context<'_>) -> Result<Census, LabError> {
    let depth = context.sized(3, 5);
    let positions = context.positions(context.sized(8, 40))?;
    context
        .progress
        .begin(positions.len() as u64, "node types in chess");
    let mut total = Census::default();
    for board in positions {
        let root = Chess::new(board, 0);
        let mut search = AlphaBeta {
            order: Remembering::<CapturesFirst, _>::default(),
            horizon: Evaluate,
            observer: Census::default(),
        };
        for iteration in 1..=depth {
            search.observer = Census::default();
            search.search(&root, Window::FULL, iteration);
        }
        total.add(&search.observer);
        context.progress.step();
    }
    Ok(total)
}

/// Nodes of each type by ply, expected and found, and how often the two agree.
#[must_use]
pub fn table(census: &Census) -> Table {
    let mut table = Table::new(
        "chess-types",
        "Chess, plain alpha-beta: share of each node type by ply (%), expected and found",
        &[
            "ply",
            "nodes",
            "PV exp.",
            "CUT exp.",
            "ALL exp.",
            "PV found",
            "CUT found",
            "ALL found",
            "as expected",
        ],
    );
    for (ply, matrix) in census.by_ply.iter().enumerate() {
        let percent = |count: u64| Cell::real(100.0 * count as f64 / total(matrix) as f64, 1);
        let [pv, cut, all] = [0, 1, 2].map(|e| percent(matrix[e].iter().sum()));
        let [pv_found, cut_found, all_found] =
            [0, 1, 2].map(|found| percent(matrix.iter().map(|row| row[found]).sum()));
        table.row([
            ply.into(),
            total(matrix).into(),
            pv,
            cut,
            all,
            pv_found,
            cut_found,
            all_found,
            percent(agreeing(matrix)),
        ]);
    }
    table
}

/// Expected against found type over all plies.
#[must_use]
pub fn matrix_table(census: &Census) -> Table {
    let mut table = Table::new(
        "chess-matrix",
        "Chess, plain alpha-beta: nodes of the last iteration, expected type against found type",
        &[
            "expected",
            "found PV",
            "found CUT",
            "found ALL",
            "as expected (%)",
        ],
    );
    for expected in NodeType::EACH {
        let row = expected as usize;
        let [pv, cut, all] =
            [0, 1, 2].map(|found| census.by_ply.iter().map(|m| m[row][found]).sum::<u64>());
        let right = [pv, cut, all][row] as f64 / (pv + cut + all).max(1) as f64;
        let share = Cell::real(100.0 * right, 1);
        table.row([
            expected.name().into(),
            pv.into(),
            cut.into(),
            all.into(),
            share,
        ]);
    }
    table
}

/// Shares of CUT and ALL by ply as a picture.
#[must_use]
pub fn chart(census: &Census) -> Chart {
    let share = |pick: &dyn Fn(&[[u64; 3]; 3]) -> u64| {
        census
            .by_ply
            .iter()
            .enumerate()
            .map(|(ply, m)| (ply as f64, 100.0 * pick(m) as f64 / total(m) as f64))
            .collect::<Vec<_>>()
    };
    let found = |t: NodeType| share(&move |m| m.iter().map(|row| row[t as usize]).sum());
    let expected = |t: NodeType| share(&move |m| m[t as usize].iter().sum());
    Chart {
        title: "Node types in chess by ply, plain alpha-beta".to_owned(),
        x: Axis::linear("ply from the root"),
        y: Axis::linear("share of the ply's nodes (%)"),
        series: vec![
            Series::new("CUT found", Stroke::Solid, found(NodeType::Cut)),
            Series::new("ALL found", Stroke::Solid, found(NodeType::All)),
            Series::new("CUT expected", Stroke::Dashed, expected(NodeType::Cut)),
            Series::new("ALL expected", Stroke::Dashed, expected(NodeType::All)),
        ],
    }
}

/// Share of all nodes that turned out as expected.
#[must_use]
pub fn agreement(census: &Census) -> f64 {
    let nodes: u64 = census.by_ply.iter().map(total).sum();
    census.by_ply.iter().map(agreeing).sum::<u64>() as f64 / nodes.max(1) as f64
}

fn total(matrix: &[[u64; 3]; 3]) -> u64 {
    matrix.iter().flatten().sum()
}

fn agreeing(matrix: &[[u64; 3]; 3]) -> u64 {
    (0..3).map(|t| matrix[t][t]).sum()
}
