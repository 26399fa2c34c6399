//! Wheeler's figures 3 to 5: the quiescence extension from a real search; times and nodes move by
//! move, the paper's and ours.

use crate::game::Window;
use crate::game::chess::Chess;
use crate::hal::paper::Row;
use crate::report::{Axis, Chart, Figure, Series, Stroke, TreeFigure, TreeNode};
use crate::textbook::alpha_beta::AlphaBeta;
use crate::textbook::observer::{RecordedNode, Recorder};
use crate::textbook::ordering::CapturesFirst;
use crate::textbook::quiescence::Quiescence;

use super::runs::Pairs;

/// A pawn ending with few moves and a chain of captures.
const SMALL: &str = "8/k7/1p6/2p5/1P1P4/8/K7/8 w - - 0 1";

/// Full width for two plies, then captures only, from a real search of a small position.
#[must_use]
pub fn extension() -> Option<Figure> {
    let position = Chess::new(SMALL.parse().ok()?, 0);
    let mut search = AlphaBeta {
        order: CapturesFirst,
        horizon: Quiescence {
            order: CapturesFirst,
        },
        observer: Recorder::default(),
    };
    search.search(&position, Window::FULL, 2);
    Some(Figure::Tree(TreeFigure {
        title: format!(
            "Quiescence extension: two plies in full width, then captures only (branches \"q\"); \
             alpha-beta on {SMALL}, values in centipawns for White"
        ),
        root: drawn(&search.observer.into_tree()?, true),
    }))
}

fn drawn(node: &RecordedNode, principal: bool) -> TreeNode {
    let for_white = if node.ply.is_multiple_of(2) {
        node.value.0
    } else {
        -node.value.0
    };
    let mut decided = false;
    let children = node.children.iter().map(|child| {
        let decides = principal && !decided && child.value == -node.value;
        decided |= decides;
        drawn(child, decides)
    });
    TreeNode {
        label: for_white.to_string(),
        branch: if node.quiescence {
            "q".to_owned()
        } else {
            String::new()
        },
        heavy: principal,
        children: children.collect(),
        // A cut-off may skip dozens of moves: one stub stands for all of them.
        skipped: node.skipped.min(1),
    }
}

/// The paper's figures 4 and 5 from its own table.
#[must_use]
pub fn theirs(rows: &[Row]) -> Vec<Figure> {
    let moves: Vec<f64> = rows.iter().map(|row| f64::from(row.move_number)).collect();
    let column = |pick: fn(&Row) -> f64| rows.iter().map(pick).collect::<Vec<f64>>();
    vec![
        by_move(
            "Figure 4, the paper's: time for each move",
            "seconds",
            &moves,
            &column(|row| row.seconds_with_optimization),
            &column(|row| row.seconds_without_optimization),
        ),
        by_move(
            "Figure 5, the paper's: nodes for each move (row 9 mended)",
            "nodes",
            &moves,
            &column(|row| row.nodes_with_optimization),
            &column(|row| row.nodes_without_optimization),
        ),
    ]
}

/// The same from our runs.
#[must_use]
pub fn ours(rows: &[Row], pairs: &Pairs) -> Vec<Figure> {
    let moves: Vec<f64> = rows.iter().map(|row| f64::from(row.move_number)).collect();
    let seconds = |runs: &[crate::hal::search::Statistics]| {
        runs.iter()
            .map(|run| run.time.as_secs_f64())
            .collect::<Vec<_>>()
    };
    let nodes = |runs: &[crate::hal::search::Statistics]| {
        runs.iter().map(|run| run.nodes as f64).collect::<Vec<_>>()
    };
    let name = pairs.variant.name;
    vec![
        by_move(
            &format!("Figure 4, ours ({name}): time for each move"),
            "seconds",
            &moves,
            &seconds(&pairs.with),
            &seconds(&pairs.without),
        ),
        by_move(
            &format!("Figure 5, ours ({name}): nodes for each move"),
            "nodes",
            &moves,
            &nodes(&pairs.with),
            &nodes(&pairs.without),
        ),
    ]
}

fn by_move(title: &str, unit: &str, moves: &[f64], with: &[f64], without: &[f64]) -> Figure {
    let points = |values: &[f64]| moves.iter().copied().zip(values.iter().copied()).collect();
    Figure::Chart(Chart {
        title: title.to_owned(),
        x: Axis::linear("move of the game"),
        y: Axis::log(unit),
        series: vec![
            Series::new("with optimization", Stroke::Solid, points(with)),
            Series::new("without optimization", Stroke::Dashed, points(without)),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deepest(node: &TreeNode) -> usize {
        1 + node.children.iter().map(deepest).max().unwrap_or(0)
    }

    #[test]
    fn the_extension_goes_beyond_the_full_width() {
        let Some(Figure::Tree(tree)) = extension() else {
            panic!("no tree")
        };
        assert!(deepest(&tree.root) > 3, "{:?}", tree.root);
    }
}
