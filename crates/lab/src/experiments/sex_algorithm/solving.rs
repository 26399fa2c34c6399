//! Every contender on every problem: solved over nodes, and in pairs.

use std::iter;

use sextant_board::Epd;
use sextant_play::{Since, solve};

use super::contenders::{Family, Spending};
use crate::experiments::prelude::*;
use crate::stats::SignTest;

/// One contender's results: when each problem was solved, if it was.
pub(super) type Solver = Run<(Family, Spending), Option<Since>>;

pub(super) fn within(run: &Solver, nodes: u64) -> usize {
    let solved = run.each.iter().flatten();
    solved.filter(|solved| solved.nodes <= nodes).count()
}

pub(super) fn run(context: &Context, problems: &[Epd], nodes: u64) -> Result<Vec<Solver>, Failure> {
    let one = |(family, spending): (Family, Spending)| {
        let config = family.config(spending, &context.config)?;
        let solved = |engine: &mut FreshEngine, problem: &Epd| {
            solve(&mut engine.0, problem, &to_nodes(nodes)).since
        };
        let name = format!("{}: {}", family.words(), spending.words());
        Run::measure(&name, (family, spending), &config, problems, solved)
    };
    let pairs = |family| Spending::ALL.map(|spending| (family, spending));
    Family::ALL.into_iter().flat_map(pairs).map(one).collect()
}

/// Of all contenders, the one of this variant.
pub(super) fn of(runs: &[Solver], family: Family, spending: Spending) -> &Solver {
    &runs[family as usize * Spending::ALL.len() + spending as usize]
}

/// The node counts at which solved problems are counted: doubling up to `limit`.
fn checkpoints(limit: u64) -> Vec<u64> {
    let halves = iter::successors(Some(limit), |nodes| Some(nodes / 2));
    let mut all: Vec<u64> = halves.take_while(|&nodes| nodes >= 150).collect();
    all.reverse();
    all
}

pub(super) fn table(runs: &[Solver], limit: u64) -> Table {
    let points = checkpoints(limit);
    let problems = runs.first().map_or(0, |run| run.each.len());
    let title = format!("Problems solved of {problems}, by nodes a problem");
    let table = table!("solved", title, runs, |run| {
        "prices" => run.variant.0.words(),
        "spending" => run.variant.1.words(),
    });
    let points = points[points.len().saturating_sub(6)..].iter();
    points.fold(table, |table, &nodes| {
        let solved = runs.iter().map(|run| within(run, nodes));
        table.column(format!("{nodes} nodes"), solved)
    })
}

/// The pairs of contenders that the claims are about: the first against the second.
const PAIRS: [(Spending, Spending); 5] = [
    (Spending::SingleBudget, Spending::IntegerPlies),
    (Spending::BothSpent, Spending::EitherSpent),
    (Spending::BothSpent, Spending::SingleBudget),
    (Spending::Forcing, Spending::SingleBudget),
    (Spending::Forcing, Spending::BothSpent),
];

pub(super) struct Comparison {
    family: Family,
    spendings: (Spending, Spending),
    /// On problems that only one of them solved.
    solved: SignTest,
    /// Where both solved: log2 of the first's nodes over the second's.
    effort: Option<TTest>,
}

impl Comparison {
    pub(super) fn all(runs: &[Solver]) -> Vec<Comparison> {
        let compared = |family| {
            let run = move |spending| of(runs, family, spending);
            PAIRS.map(|(first, second)| Comparison::of(run(first), run(second)))
        };
        Family::ALL.into_iter().flat_map(compared).collect()
    }

    fn of(first: &Solver, second: &Solver) -> Comparison {
        let pairs = || first.each.iter().zip(&second.each);
        let nodes = |solved: &Option<Since>| solved.map(|solved| solved.nodes.max(1) as f64);
        let ratios = pairs().filter_map(|(a, b)| Some((nodes(a)? / nodes(b)?).log2()));
        Comparison {
            family: first.variant.0,
            spendings: (first.variant.1, second.variant.1),
            solved: SignTest::of(pairs().map(|(a, b)| (a.is_some(), b.is_some()))),
            effort: TTest::of(ratios),
        }
    }

    fn effort(&self) -> Option<[f64; 3]> {
        Some(self.effort?.span().map(f64::exp2))
    }

    pub(super) fn is(&self, family: Family, first: Spending, second: Spending) -> bool {
        self.family == family && self.spendings == (first, second)
    }

    /// What the first solves beside the second, ready for "than" or "as".
    pub(super) fn verdict(&self) -> &'static str {
        let SignTest { more, less, .. } = self.solved;
        match self.solved.significant() {
            true if more > less => "more than",
            true => "fewer than",
            false => "as many, within chance, as",
        }
    }

    pub(super) fn finding(&self) -> Finding {
        let (first, second) = self.spendings;
        let SignTest { more, less, .. } = self.solved;
        let text = format!(
            "With {}, {more} problems were solved by \"{}\" alone and {less} by \"{}\" alone ({}).",
            self.family.words(),
            first.words(),
            second.words(),
            self.solved.p()
        );
        match first {
            // The forcing rule is ours: nobody claimed anything about it.
            Spending::Forcing => Finding::new(None, text),
            _ => Finding::by_test(self.solved.significant(), more > less, text),
        }
    }
}

pub(super) fn comparison_table(comparisons: &[Comparison]) -> Table {
    let title = "Contenders in pairs on the same problems (sign test on those that only one of them \
                 solved)";
    let effort = |pair: &Comparison, place: usize| Some(pair.effort()?[place]);
    table!("comparisons", title, comparisons, |pair| {
        "prices" => pair.family.words(),
        "first" => pair.spendings.0.words(),
        "second" => pair.spendings.1.words(),
        "only first solved" => pair.solved.more,
        "only second solved" => pair.solved.less,
        "p" => pair.solved.p(),
        "nodes first / second where both solved" => real(effort(pair, 0), 2),
        "95 % from" => real(effort(pair, 1), 2),
        "to" => real(effort(pair, 2), 2),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn run_of(nodes: &[u64]) -> Solver {
        let solved = |&nodes: &u64| Since {
            nodes,
            depth: 1,
            time: Duration::ZERO,
        };
        // 0 is not solved.
        let each = nodes
            .iter()
            .map(|nodes| (*nodes > 0).then(|| solved(nodes)));
        Run {
            variant: (Family::Cyrus, Spending::BothSpent),
            each: each.collect(),
        }
    }

    #[test]
    fn a_comparison_counts_what_only_one_solved() {
        let a = run_of(&[100, 50, 10, 0, 400]);
        let comparison = Comparison::of(&a, &run_of(&[200, 0, 40, 7, 400]));
        assert_eq!((comparison.solved.more, comparison.solved.less), (1, 1));
        assert!((comparison.effort.unwrap().mean + 1.0).abs() < 1e-12);
        assert_eq!((within(&a, 50), within(&a, 400)), (2, 4));
        for (first, second, expected, verdict) in [
            (
                [100, 0, 100, 0],
                [0, 100, 0, 100],
                Outcome::Undecided,
                "as many, within chance, as",
            ),
            ([100; 4], [0; 4], Outcome::Holds, "more than"),
            ([0; 4], [100; 4], Outcome::Fails, "fewer than"),
        ] {
            let [first, second] = [first, second].map(|nodes| run_of(&nodes.repeat(2)));
            let comparison = Comparison::of(&first, &second);
            let finding = comparison.finding();
            assert_eq!(finding.outcome, Some(expected), "{}", finding.text);
            assert_eq!(comparison.verdict(), verdict);
        }
    }

    #[test]
    fn checkpoints_double_up_to_the_limit() {
        assert_eq!(checkpoints(1_600), [200, 400, 800, 1_600]);
    }
}
