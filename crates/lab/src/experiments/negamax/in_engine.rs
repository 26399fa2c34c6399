//! What iterative deepening costs the engine: steps of one, two and four plies to the same depth.

use sextant_search::Stats;

use crate::experiments::prelude::*;

/// Steps of the budget in SX; the depth is a multiple of all.
const STEPS: [i32; 3] = [8, 16, 32];

/// One step on all positions.
#[derive(Clone, Debug)]
pub(super) struct Run {
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
    fn overhead(&self) -> f64 {
        self.whole() as f64 / self.last().max(1) as f64
    }

    fn iterations(&self) -> u32 {
        8 * self.depth / self.step.unsigned_abs()
    }
}

/// Searches the context's positions to one depth with each step, one ply first.
pub(super) fn run(context: &Context) -> Result<[Run; 3], Failure> {
    let positions = context.positions(context.sized(8, 150))?;
    let depth = context.sized(4, 12);
    let one = |step| {
        let mut config = context.config.clone();
        config.search.iteration_step = step;
        let search = |engine: &mut FreshEngine, position: &Position| {
            let limits = to_depth(depth);
            let (_, stats) = engine.watch(position, &limits, Stats::default(), &mut |_| {});
            let mut ends = stats.iterations.iter().rev().map(|it| it.nodes);
            let whole = ends.next().unwrap_or(0);
            (whole, whole - ends.next().unwrap_or(0))
        };
        let what = format!("the engine in steps of {step} SX");
        let nodes = measure(&what, &config, &positions, search)?;
        Ok::<Run, Failure>(Run { step, depth, nodes })
    };
    let [fine, middle, coarse] = STEPS.map(one);
    Ok([fine?, middle?, coarse?])
}

pub(super) fn table(runs: &[Run; 3]) -> Table {
    let depth = runs[0].depth;
    let title = format!("The engine to depth {depth} in steps of one, two and four plies");
    let base = runs[0].whole().max(1) as f64;
    Table::of("engine-deepening", title, runs)
        .column("step (SX)", |run| run.step)
        .column("iterations", Run::iterations)
        .column("positions", |run| run.nodes.len())
        .column("nodes", Run::whole)
        .column("last iteration", Run::last)
        .real("all / last", 2, Run::overhead)
        .real("nodes / one-ply steps", 2, |run| run.whole() as f64 / base)
        .done()
}

/// What the notes say about the cost, and whether fewer iterations would be cheaper.
pub(super) fn finding([fine, _, coarse]: &[Run; 3]) -> Finding {
    let pairs = coarse.nodes.iter().zip(&fine.nodes);
    let test = TTest::of(pairs.map(|(a, b)| (a.0.max(1) as f64 / b.0.max(1) as f64).ln()));
    let gain = test.map_or_else(String::new, |test| {
        let [mean, from, to] = test.factors();
        let p = probability(test.p_two_tails);
        format!(
            " Four-ply steps to the same depth take {mean:.2} times the nodes ({from:.2} to \
             {to:.2}, {p})."
        )
    });
    noted!(
        "In the engine, whose branching factor is far lower, all iterations take {:.2} times the \
         nodes of the last one: repetition is no longer small against the last level, and is paid \
         for by the order, the window and the table that it leaves.{gain}",
        fine.overhead()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::quick;

    #[test]
    fn all_iterations_cost_more_than_the_last_and_steps_change_their_number() {
        let runs = run(&quick(1)).unwrap();
        assert!(runs[0].overhead() > 1.0 && runs[0].overhead() < 20.0);
        // Depth 4 is one step of 32 SX.
        assert!((runs[2].overhead() - 1.0).abs() < 1e-12);
        assert_eq!(runs.each_ref().map(Run::iterations), [4, 2, 1]);
    }
}
