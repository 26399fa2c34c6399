//! Experiment 4: the SEX algorithm of Levy, Broughton and Taylor (1989): a budget a side, and a
//! price for every move.

mod contenders;
mod solving;
mod window;

use contenders::{Family, Spending};
use sextant_board::{Epd, Move, to_fen, to_san};
use sextant_play::Since;
use solving::{Comparison, Solver};

use crate::experiments::prelude::*;
use crate::positions;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "sex-algorithm",
    title: "The SEX algorithm: prices and two budgets",
    claim: "The interestingness of a line is the product of its moves' probabilities, so costs by kind \
            of move should add up instead of plies. With one budget, dull replies of the defender end \
            the line of a combination too early (the SEX horizon effect); a budget for each side, and \
            going on while either is positive, was a clear improvement. Costs that depend on the \
            window led to trouble at the root (Levy, Broughton and Taylor 1989, The SEX Algorithm in \
            Computer Chess).",
    takes_hours: false,
    run,
};

fn run(context: &Context) -> Result<Report, Failure> {
    let problems = positions::problems(context.settings.suite.as_deref())?;
    let problems = positions::spread(&problems, context.sized(12, 483));
    let limit = context.sized(2_000, 40_000);
    let runs = solving::run(context, &problems, limit)?;
    let gallery = Gallery::of(&runs, limit);
    let windows = window::run(context)?;
    let comparisons = Comparison::all(&runs);
    let mut findings: Vec<Finding> = comparisons.iter().map(Comparison::finding).collect();
    findings.push(gallery.finding(problems.len()));
    findings.extend(window::findings(&windows));
    Ok(Report {
        tables: vec![
            solving::table(&runs, limit),
            solving::comparison_table(&comparisons),
            gallery.table(&problems),
            window::table(&windows),
        ],
        summary: summary(&comparisons),
        findings,
        ..Report::default()
    })
}

/// What the claims' pairs came to, with no winner where the difference may be chance.
fn summary(comparisons: &[Comparison]) -> String {
    let clause = |(who, first), (whom, second)| {
        let verdicts = Family::ALL.map(|family| {
            let pair = comparisons
                .iter()
                .find(|pair| pair.is(family, first, second));
            pair.map_or("", Comparison::verdict)
        });
        let [one, other] = verdicts;
        let [here, there] = Family::ALL.map(Family::words);
        match one == other {
            true => format!("{who} solve {one} {whom}"),
            false => {
                format!("{who} solve {one} {whom} with {here}, and {other} {whom} with {there}")
            }
        }
    };
    let one_budget = Spending::SingleBudget;
    let prices = clause(("Prices", one_budget), ("plies", Spending::IntegerPlies));
    let budgets = clause(("two budgets", Spending::BothSpent), ("one", one_budget));
    format!("{prices}; {budgets}.")
}

/// The SEX horizon effect: problems that two budgets see much earlier than one, the greatest gain
/// first, and those that they see later, the greatest loss first.
struct Gallery {
    gains: Vec<Entry>,
    losses: Vec<Entry>,
}

/// A problem's place, and when the single budget solved it, and when two budgets did.
#[derive(Clone, Copy)]
struct Entry(usize, Option<Since>, Option<Since>);

impl Gallery {
    /// Compares the paper's two budgets with one at its prices; an unsolved
    /// problem counts with the limit.
    fn of(runs: &[Solver], limit: u64) -> Gallery {
        /// Nodes must differ by this factor to be worth showing.
        const FACTOR: f64 = 2.0;
        let [single, double] = [Spending::SingleBudget, Spending::BothSpent]
            .map(|spending| solving::of(runs, Family::Cyrus, spending));
        let nodes = |solved: Option<Since>| solved.map_or(limit, |s| s.nodes).max(1) as f64;
        let pairs = single.each.iter().zip(&double.each).enumerate();
        let mut all: Vec<(f64, Entry)> = pairs
            .map(|(place, (&one, &two))| (nodes(one) / nodes(two), Entry(place, one, two)))
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let gains = all.iter().filter(|(factor, _)| *factor >= FACTOR);
        let losses = all.iter().filter(|(factor, _)| *factor <= 1.0 / FACTOR);
        Gallery {
            gains: gains.map(|(_, entry)| *entry).collect(),
            losses: losses.rev().map(|(_, entry)| *entry).collect(),
        }
    }

    /// The first of both sides as a table.
    fn table(&self, problems: &[Epd]) -> Table {
        let side = |word, entries: &[Entry]| {
            let shown = entries.iter().take(8);
            let rows = shown.map(|&entry| (word, entry, &problems[entry.0]));
            rows.collect::<Vec<_>>()
        };
        let rows = [side("faster", &self.gains), side("slower", &self.losses)].concat();
        let solved = |solved: Option<Since>, pick: fn(Since) -> Cell| {
            solved.map_or_else(|| "not solved".into(), pick)
        };
        let title = "The SEX horizon effect at Cyrus 68K's prices: where two budgets (until both are \
                     spent) see the combination earlier than one, and where they cost";
        table!("gallery", title, rows, |row| {
            "two budgets are" => row.0,
            "problem" => row.2.id.as_deref(),
            "move" => answer(row.2),
            "depth, one" => solved(row.1.1, |s| s.depth.into()),
            "depth, two" => solved(row.1.2, |s| s.depth.into()),
            "nodes, one" => solved(row.1.1, |s| s.nodes.into()),
            "nodes, two" => solved(row.1.2, |s| s.nodes.into()),
            "position" => to_fen(&row.2.position, false),
        })
    }

    fn finding(&self, problems: usize) -> Finding {
        // At a lower nominal depth too, the combination really fits into less budget.
        let depth = |solved: Option<Since>| solved.map_or(u32::MAX, |s| s.depth);
        let is_shallower = |entry: &&Entry| depth(entry.2) < depth(entry.1);
        let shallower = self.gains.iter().filter(is_shallower).count();
        let text = format!(
            "Of {problems} problems two budgets solved {} with at most half the nodes of one, \
             {shallower} of them at a lower nominal depth, and needed at least twice the nodes \
             for {}.",
            self.gains.len(),
            self.losses.len()
        );
        // A sample without such a position says nothing about others.
        Finding::in_part(shallower > 0, text)
    }
}

/// The right moves in the usual notation; those to avoid with "not" before them.
fn answer(problem: &Epd) -> String {
    let names = |moves: &[Move]| {
        let sans = moves.iter().map(|&mv| to_san(&problem.position, mv));
        sans.collect::<Vec<_>>().join(" or ")
    };
    match problem.bm.is_empty() {
        true => format!("not {}", names(&problem.am)),
        false => names(&problem.bm),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_name_what_to_find_or_to_avoid() {
        for (operation, expected) in [("bm Kd1 Kd2;", "Kd1 or Kd2"), ("am Ra7;", "not Ra7")] {
            let epd = Epd::parse(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {operation}"));
            assert_eq!(answer(&epd.unwrap()), expected);
        }
    }
}
