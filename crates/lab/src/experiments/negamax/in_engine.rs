//! What iterative deepening costs the engine: steps of one, two and four plies to the same depth.

use sextant_board::Position;
use sextant_search::Stats;

use crate::engine::{Subject, to_depth};
use crate::error::LabError;
use crate::experiment::Context;
use crate::report::{Cell, Finding, Table};
use crate::stats::{TTest, probability};

/// Steps of the budget in SX; the depth is a multiple of all.
const STEPS: [i32; 3] = [8, 16, 32];

/// One step on all positions.
#[derive(Clone, Debug)]
pub struct Run {
    step: i32,
    depth: u32,
    /// Nodes of the whole search and of its last iteration, position by position.
    nodes: Vec<(u64, u64)>,
}

impl Run {
    fn whole(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.0).sum()
    }

    fn last(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.1).sum()
    }

    /// All iterations against the last one.
    #[must_use]
    pub fn overhead(&self) -> f64 {
        self.whole() as f64 / self.last().max(1) as f64
    }
}

/// Searches the context's positions to one depth with each step.
///
/// # Errors
/// When the positions or the engine cannot be had.
pub fn run(context: &Context<'_>) -> Result<Vec<Run>, LabError> {
    let boards = context.positions(context.sized(8, 150))?;
    let depth = context.sized(4, 12);
    let one = |step| {
        let what = format!("the engine in steps of {step} SX");
        context.progress.begin(boards.len() as u64, &what);
        let mut config = context.config.clone();
        config.search.iteration_step = step;
        let mut subject = Subject::new(&config)?;
        let search = |board: &cozy_chess::Board| {
            let position = Position::new(board.clone());
            let (_, stats) =
                subject.watch(&position, &to_depth(depth), Stats::default(), &mut |_| {});
            context.progress.step();
            let ends: Vec<u64> = stats.iterations.iter().map(|it| it.nodes).collect();
            let whole = ends.last().copied().unwrap_or(0);
            let before = ends.len().checked_sub(2).map_or(0, |last| ends[last]);
            (whole, whole - before)
        };
        let nodes = boards.iter().map(search).collect();
        Ok(Run { step, depth, nodes })
    };
    STEPS.into_iter().map(one).collect()
}

/// The steps side by side.
#[must_use]
pub fn table(runs: &[Run]) -> Table {
    let depth = runs.first().map_or(0, |run| run.depth);
    let mut table = Table::new(
        "engine-deepening",
        &format!("The engine to depth {depth} in steps of one, two and four plies"),
        &[
            "step (SX)",
            "iterations",
            "positions",
            "nodes",
            "last iteration",
            "all / last",
            "nodes / one-ply steps",
        ],
    );
    let base = runs.first().map_or(1, Run::whole).max(1) as f64;
    for run in runs {
        table.row([
            i64::from(run.step).into(),
            (8 * run.depth / run.step.unsigned_abs()).into(),
            run.nodes.len().into(),
            run.whole().into(),
            run.last().into(),
            Cell::real(run.overhead(), 2),
            Cell::real(run.whole() as f64 / base, 2),
        ]);
    }
    table
}

/// What the notes say about the cost, and whether fewer iterations would be cheaper.
#[must_use]
pub fn findings(runs: &[Run]) -> Vec<Finding> {
    let (Some(fine), Some(coarse)) = (runs.first(), runs.last()) else {
        return Vec::new();
    };
    let pairs = coarse.nodes.iter().zip(&fine.nodes);
    let logs = pairs.map(|(a, b)| (a.0.max(1) as f64 / b.0.max(1) as f64).ln());
    let test = TTest::of(&logs.collect::<Vec<_>>());
    let gain = test.map_or_else(
        |_| String::new(),
        |t| {
            format!(
                " Four-ply steps to the same depth take {:.2} times the nodes ({:.2} to {:.2}, {}).",
                t.mean.exp(),
                t.interval.0.exp(),
                t.interval.1.exp(),
                probability(t.p_two_tails)
            )
        },
    );
    vec![Finding::noted(format!(
        "In the engine, whose branching factor is far lower, all iterations take {:.2} times the \
         nodes of the last one: repetition is no longer small against the last level, and is paid \
         for by the order, the window and the table that it leaves.{gain}",
        fine.overhead()
    ))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_iterations_cost_more_than_the_last_and_steps_change_their_number() {
        let runs = run(&Context::quick(1)).unwrap();
        let fine = &runs[0];
        assert!(fine.overhead() > 1.0 && fine.overhead() < 20.0);
        // Depth 4 is one step of 32 SX.
        assert!((runs[2].overhead() - 1.0).abs() < 1e-12);
        let iterations: Vec<Cell> = table(&runs).rows.iter().map(|row| row[1].clone()).collect();
        assert_eq!(iterations, [Cell::Count(4), Cell::Count(2), Cell::Count(1)]);
    }
}
