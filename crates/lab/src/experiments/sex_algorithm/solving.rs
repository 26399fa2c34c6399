//! Every contender on every problem: solved over nodes, and in pairs.

use std::iter;

use sextant_play::{Judge, Since};

use super::{
    contenders::{Family, Spending},
    problems::Problem,
};
use crate::experiments::prelude::*;
use crate::stats::{LEVEL, sign_test};

/// One contender's results, problem by problem.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) family: Family,
    pub(super) spending: Spending,
    /// When each problem was solved, if it was.
    pub(super) solved: Vec<Option<Since>>,
}

impl Run {
    pub(super) fn within(&self, nodes: u64) -> usize {
        let solved = self.solved.iter().flatten();
        solved.filter(|solved| solved.nodes <= nodes).count()
    }
}

/// Runs all contenders with `nodes` a problem.
pub(super) fn run(
    context: &Context,
    problems: &[Problem],
    nodes: u64,
) -> Result<Vec<Run>, Failure> {
    let one = |(family, spending): (Family, Spending)| {
        let config = family.config(spending, &context.config)?;
        let solve = |engine: &mut FreshEngine, problem: &Problem| {
            let mut judge = Judge::new(&problem.epd);
            let limits = to_nodes(nodes);
            let mut hear = |event| judge.hear(&event);
            let outcome = engine.search(&problem.epd.position, &limits, &mut hear);
            judge.solved(&outcome).since
        };
        let name = format!("{}: {}", family.words(), spending.words());
        Ok(Run {
            family,
            spending,
            solved: measure(&name, &config, problems, solve)?,
        })
    };
    let pairs = |family| Spending::ALL.map(|spending| (family, spending));
    Family::ALL.into_iter().flat_map(pairs).map(one).collect()
}

pub(super) fn of(runs: &[Run], family: Family, spending: Spending) -> Option<&Run> {
    runs.iter()
        .find(|run| run.family == family && run.spending == spending)
}

/// The node counts at which solved problems are counted: doubling up to `limit`.
fn checkpoints(limit: u64) -> Vec<u64> {
    let halves = iter::successors(Some(limit), |nodes| Some(nodes / 2));
    let mut all: Vec<u64> = halves.take_while(|&nodes| nodes >= 150).collect();
    all.reverse();
    all
}

pub(super) fn table(runs: &[Run], limit: u64) -> Table {
    let points = checkpoints(limit);
    let problems = runs.first().map_or(0, |run| run.solved.len());
    let title = format!("Problems solved of {problems}, by nodes a problem");
    let mut table = Table::of("solved", title, runs)
        .column("prices", |run| run.family.words())
        .column("spending", |run| run.spending.words());
    for &nodes in &points[points.len().saturating_sub(6)..] {
        table = table.column(format!("{nodes} nodes"), |run| run.within(nodes));
    }
    table.done()
}

/// Solved over nodes, one family in a chart.
pub(super) fn chart(runs: &[Run], family: Family, limit: u64) -> Figure {
    let title = format!("Solved over nodes, {}", family.words());
    let of_family = runs.iter().filter(|run| run.family == family);
    of_family.fold(
        Figure::new(title, "nodes", "problems solved").log_x(),
        |figure, run| {
            let points = checkpoints(limit).into_iter();
            let points = points.map(|nodes| (nodes as f64, run.within(nodes) as f64));
            match run.spending {
                Spending::IntegerPlies => figure.dashed(run.spending.words(), points),
                _ => figure.line(run.spending.words(), points),
            }
        },
    )
}

/// The pairs of contenders that the claims are about: the first against the second.
const PAIRS: [(Spending, Spending); 5] = [
    (Spending::SingleBudget, Spending::IntegerPlies),
    (Spending::BothSpent, Spending::EitherSpent),
    (Spending::BothSpent, Spending::SingleBudget),
    (Spending::Forcing, Spending::SingleBudget),
    (Spending::Forcing, Spending::BothSpent),
];

/// Two contenders on the same problems.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    family: Family,
    spendings: (Spending, Spending),
    /// Problems that only the first solved, and only the second.
    only_first: u64,
    only_second: u64,
    /// The exact sign test on those.
    p: f64,
    /// Where both solved: log2 of the first's nodes over the second's.
    effort: Option<TTest>,
}

impl Comparison {
    pub(super) fn all(runs: &[Run]) -> Vec<Comparison> {
        let pairs = |family| PAIRS.map(|(first, second)| (family, first, second));
        let compared = Family::ALL.into_iter().flat_map(pairs);
        compared
            .filter_map(|(family, first, second)| {
                let run = |spending| of(runs, family, spending);
                Some(Comparison::of(run(first)?, run(second)?))
            })
            .collect()
    }

    fn of(first: &Run, second: &Run) -> Comparison {
        let pairs = || first.solved.iter().zip(&second.solved);
        let only = |a: bool, b: bool| {
            let only = pairs().filter(|pair| (pair.0.is_some(), pair.1.is_some()) == (a, b));
            only.count() as u64
        };
        let (only_first, only_second) = (only(true, false), only(false, true));
        let nodes = |solved: &Option<Since>| solved.map(|solved| solved.nodes.max(1) as f64);
        let ratios = pairs().filter_map(|(a, b)| Some((nodes(a)? / nodes(b)?).log2()));
        Comparison {
            family: first.family,
            spendings: (first.spending, second.spending),
            only_first,
            only_second,
            p: sign_test(only_first, only_second),
            effort: TTest::of(ratios),
        }
    }

    /// Does the first solve more? Where the sign test cannot tell at the 5 % level, the evidence
    /// does not decide it.
    fn outcome(&self) -> Outcome {
        match (self.p < LEVEL, self.only_first > self.only_second) {
            (false, _) => Outcome::Undecided,
            (true, true) => Outcome::Holds,
            (true, false) => Outcome::Fails,
        }
    }

    pub(super) fn finding(&self) -> Finding {
        let effort = self.effort.map_or_else(String::new, |test| {
            format!(
                "; where both solve, {:.2} times the nodes ({:.2} to {:.2})",
                test.mean.exp2(),
                test.interval.0.exp2(),
                test.interval.1.exp2()
            )
        });
        let (first, second) = self.spendings;
        let text = format!(
            "{}: {} against {}: {} solved by it alone, {} by the other alone ({}, sign \
             test){effort}.",
            self.family.words(),
            first.words(),
            second.words(),
            self.only_first,
            self.only_second,
            probability(self.p)
        );
        // The forcing rule is ours: nobody claimed anything about it.
        let claimed = first != Spending::Forcing;
        Finding::new(claimed.then(|| self.outcome()), text)
    }
}

pub(super) fn comparison_table(comparisons: &[Comparison]) -> Table {
    let title = "Contenders in pairs on the same problems (sign test on those that only one of them \
                 solved)";
    let effort = |pick: fn(TTest) -> f64| move |pair: &Comparison| Some(pick(pair.effort?).exp2());
    Table::of("comparisons", title, comparisons)
        .column("prices", |pair| pair.family.words())
        .column("first", |pair| pair.spendings.0.words())
        .column("second", |pair| pair.spendings.1.words())
        .column("only first solved", |pair| pair.only_first)
        .column("only second solved", |pair| pair.only_second)
        .column("p", |pair| probability(pair.p))
        .real(
            "nodes first / second where both solved",
            2,
            effort(|test| test.mean),
        )
        .real("95 % from", 2, effort(|test| test.interval.0))
        .real("to", 2, effort(|test| test.interval.1))
        .done()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn run_of(nodes: &[Option<u64>]) -> Run {
        let solved = |nodes: &Option<u64>| {
            nodes.map(|nodes| Since {
                nodes,
                depth: 1,
                time: Duration::ZERO,
            })
        };
        Run {
            family: Family::Cyrus,
            spending: Spending::BothSpent,
            solved: nodes.iter().map(solved).collect(),
        }
    }

    #[test]
    fn a_comparison_counts_what_only_one_solved() {
        let a = run_of(&[Some(100), Some(50), Some(10), None, Some(400)]);
        let b = run_of(&[Some(200), None, Some(40), Some(7), Some(400)]);
        let comparison = Comparison::of(&a, &b);
        assert_eq!((comparison.only_first, comparison.only_second), (1, 1));
        assert!((comparison.effort.unwrap().mean + 1.0).abs() < 1e-12);
        assert_eq!(comparison.outcome(), Outcome::Undecided);
        let clear = |only_first, only_second| Comparison {
            only_first,
            only_second,
            p: sign_test(only_first, only_second),
            ..comparison.clone()
        };
        assert_eq!(clear(9, 1).outcome(), Outcome::Holds);
        assert_eq!(clear(1, 9).outcome(), Outcome::Fails);
        assert_eq!((a.within(50), a.within(400)), (2, 4));
    }

    #[test]
    fn checkpoints_double_up_to_the_limit() {
        assert_eq!(checkpoints(1_600), [200, 400, 800, 1_600]);
    }
}
