//! Every contender on every problem: solved over nodes.

use super::contenders::{Family, Spending};
use super::problems::{Judge, Problem, Solved};
use crate::engine::{Subject, to_nodes};
use crate::error::LabError;
use crate::experiment::Context;
use crate::report::{Axis, Cell, Chart, Outcome, Series, Stroke, Table};
use crate::stats::{LEVEL, TTest, probability, sign_test};

/// One contender's results, problem by problem.
#[derive(Clone, Debug)]
pub struct Run {
    /// Whose prices.
    pub family: Family,
    /// How it spends.
    pub spending: Spending,
    /// When each problem was solved, if it was.
    pub solved: Vec<Option<Solved>>,
}

impl Run {
    /// Problems solved within `nodes`.
    #[must_use]
    pub fn within(&self, nodes: u64) -> usize {
        let solved = self.solved.iter().flatten();
        solved.filter(|solved| solved.nodes <= nodes).count()
    }
}

/// Runs all contenders with `nodes` a problem.
///
/// # Errors
/// When a preset or the engine cannot be had.
pub fn run(context: &Context<'_>, problems: &[Problem], nodes: u64) -> Result<Vec<Run>, LabError> {
    let mut runs = Vec::new();
    for family in Family::ALL {
        for spending in Spending::ALL {
            let name = format!("{}: {}", family.words(), spending.words());
            context.progress.begin(problems.len() as u64, &name);
            let mut subject = Subject::new(&family.config(spending, &context.config)?)?;
            let solve = |problem: &Problem| {
                let mut judge = Judge::new(problem);
                let position = &problem.epd.position;
                let outcome =
                    subject.search(position, &to_nodes(nodes), &mut |event| judge.hear(&event));
                context.progress.step();
                judge.verdict(&outcome)
            };
            runs.push(Run {
                family,
                spending,
                solved: problems.iter().map(solve).collect(),
            });
        }
    }
    Ok(runs)
}

/// The run of a contender.
#[must_use]
pub fn of(runs: &[Run], family: Family, spending: Spending) -> Option<&Run> {
    runs.iter()
        .find(|run| run.family == family && run.spending == spending)
}

/// The node counts at which solved problems are counted: doubling up to `limit`.
fn checkpoints(limit: u64) -> Vec<u64> {
    let mut all: Vec<u64> = std::iter::successors(Some(limit), |nodes| Some(nodes / 2))
        .take_while(|&nodes| nodes >= 150)
        .collect();
    all.reverse();
    all
}

/// Solved by node count.
#[must_use]
pub fn table(runs: &[Run], limit: u64) -> Table {
    let points = checkpoints(limit);
    let shown = &points[points.len().saturating_sub(6)..];
    let problems = runs.first().map_or(0, |run| run.solved.len());
    let mut columns = vec!["prices".to_owned(), "spending".to_owned()];
    columns.extend(shown.iter().map(|nodes| format!("{nodes} nodes")));
    let rows = runs.iter().map(|run| {
        let mut row = vec![Cell::from(run.family.words()), run.spending.words().into()];
        row.extend(shown.iter().map(|&nodes| Cell::from(run.within(nodes))));
        row
    });
    Table {
        name: "solved".to_owned(),
        title: format!("Problems solved of {problems}, by nodes a problem"),
        columns,
        rows: rows.collect(),
    }
}

/// Solved over nodes, one family in a picture.
#[must_use]
pub fn chart(runs: &[Run], family: Family, limit: u64) -> Chart {
    let series = runs.iter().filter(|run| run.family == family).map(|run| {
        let points = checkpoints(limit)
            .into_iter()
            .map(|nodes| (nodes as f64, run.within(nodes) as f64));
        let stroke = if run.spending == Spending::IntegerPlies {
            Stroke::Dashed
        } else {
            Stroke::Solid
        };
        Series::new(run.spending.words(), stroke, points.collect())
    });
    Chart {
        title: format!("Solved over nodes, {}", family.words()),
        x: Axis::log("nodes"),
        y: Axis::linear("problems solved"),
        series: series.collect(),
    }
}

/// Two contenders on the same problems.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Problems that only the first solved.
    pub only_first: u64,
    /// Problems that only the second solved.
    pub only_second: u64,
    /// The exact sign test on those.
    pub p: f64,
    /// Where both solved: log2 of the first's nodes over the second's.
    pub effort: Option<TTest>,
}

impl Comparison {
    /// Compares two runs over the same problems.
    #[must_use]
    pub fn of(first: &Run, second: &Run) -> Comparison {
        let (mut only_first, mut only_second) = (0, 0);
        let mut ratios = Vec::new();
        for pair in first.solved.iter().zip(&second.solved) {
            match pair {
                (Some(_), None) => only_first += 1,
                (None, Some(_)) => only_second += 1,
                (Some(a), Some(b)) => {
                    ratios.push((a.nodes.max(1) as f64 / b.nodes.max(1) as f64).log2());
                }
                (None, None) => {}
            }
        }
        Comparison {
            only_first,
            only_second,
            p: sign_test(only_first, only_second),
            effort: TTest::of(&ratios).ok(),
        }
    }

    /// Does the first solve more? Where the sign test cannot tell at the 5 % level, the evidence
    /// does not decide it.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match (self.p < LEVEL, self.only_first > self.only_second) {
            (false, _) => Outcome::Undecided,
            (true, true) => Outcome::Holds,
            (true, false) => Outcome::Fails,
        }
    }

    /// In a sentence without a subject.
    #[must_use]
    pub fn words(&self) -> String {
        let effort = self.effort.map_or_else(String::new, |test| {
            format!(
                "; where both solve, {:.2} times the nodes ({:.2} to {:.2})",
                test.mean.exp2(),
                test.interval.0.exp2(),
                test.interval.1.exp2()
            )
        });
        format!(
            "{} solved by it alone, {} by the other alone ({}, sign test){effort}",
            self.only_first,
            self.only_second,
            probability(self.p)
        )
    }
}

/// The pairs of contenders that the claims are about: the first against the second.
pub const PAIRS: [(Spending, Spending); 5] = [
    (Spending::SingleBudget, Spending::IntegerPlies),
    (Spending::BothSpent, Spending::EitherSpent),
    (Spending::BothSpent, Spending::SingleBudget),
    (Spending::Forcing, Spending::SingleBudget),
    (Spending::Forcing, Spending::BothSpent),
];

/// All comparisons.
#[must_use]
pub fn comparison_table(runs: &[Run]) -> Table {
    let mut table = Table::new(
        "comparisons",
        "Contenders in pairs on the same problems (sign test on those that only one of them solved)",
        &[
            "prices",
            "first",
            "second",
            "only first solved",
            "only second solved",
            "p",
            "nodes first / second where both solved",
            "95 % from",
            "to",
        ],
    );
    for family in Family::ALL {
        for (first, second) in PAIRS {
            let (Some(a), Some(b)) = (of(runs, family, first), of(runs, family, second)) else {
                continue;
            };
            let comparison = Comparison::of(a, b);
            let effort = |pick: fn(&TTest) -> f64| {
                let test = comparison.effort.as_ref();
                test.map_or(Cell::Empty, |test| Cell::real(pick(test).exp2(), 2))
            };
            table.row([
                family.words().into(),
                first.words().into(),
                second.words().into(),
                comparison.only_first.into(),
                comparison.only_second.into(),
                probability(comparison.p).into(),
                effort(|test| test.mean),
                effort(|test| test.interval.0),
                effort(|test| test.interval.1),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_of(nodes: &[Option<u64>]) -> Run {
        let solved = |nodes: &Option<u64>| nodes.map(|nodes| Solved { nodes, depth: 1 });
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
            effort: None,
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
