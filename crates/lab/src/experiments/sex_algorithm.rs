//! Experiment 4: the SEX algorithm of Levy, Broughton and Taylor.

pub mod against_window;
pub mod contenders;
pub mod gallery;
pub mod price_list;
pub mod problems;
pub mod solving;
pub mod tree;

use crate::error::LabError;
use crate::experiment::{Context, Experiment};
use crate::report::{Figure, Finding, Report, Verdict};
use contenders::{Family, Spending};
use gallery::Gallery;
use problems::Problem;
use solving::{Comparison, Run};

/// A budget a side, and a price for every move.
pub struct SexAlgorithm;

impl Experiment for SexAlgorithm {
    fn name(&self) -> &'static str {
        "sex-algorithm"
    }

    fn title(&self) -> &'static str {
        "The SEX algorithm: prices and two budgets"
    }

    fn claim(&self) -> &'static str {
        "The interestingness of a line is the product of its moves' probabilities, so costs by kind \
         of move should add up instead of plies. With one budget, dull replies of the defender end \
         the line of a combination too early (the SEX horizon effect); a budget for each side, and \
         going on while either is positive, was a clear improvement. Costs that depend on the \
         window led to trouble at the root (Levy, Broughton and Taylor 1989, The SEX Algorithm in \
         Computer Chess)."
    }

    fn run(&self, context: &Context<'_>) -> Result<Report, LabError> {
        let problems = problems::choose(context, context.sized(12, 483))?;
        let limit = context.sized(2_000, 40_000);
        let runs = solving::run(context, &problems, limit)?;
        let gallery = Gallery::of(&runs, limit);
        let windows = against_window::run(context)?;
        let mut findings = solving_findings(&runs);
        findings.push(gallery_finding(&gallery, problems.len()));
        findings.extend(against_window::findings(&windows));
        let charts = Family::ALL.map(|family| solving::chart(&runs, family, limit));
        let mut figures: Vec<Figure> = charts.into_iter().map(Figure::Chart).collect();
        figures.extend(combination(context, &problems, &gallery)?);
        Ok(Report {
            tables: vec![
                solving::table(&runs, limit),
                solving::comparison_table(&runs),
                gallery.table(&problems),
                against_window::table(&windows),
                price_list::table(&context.config)?,
            ],
            figures,
            verdict: Verdict::of(summary(&runs), findings),
        })
    }
}

fn summary(runs: &[Run]) -> String {
    let words = |family: Family| {
        let best = runs
            .iter()
            .filter(|run| run.family == family)
            .max_by_key(|run| run.within(u64::MAX));
        best.map_or_else(String::new, |run| {
            format!(
                "with {} {} solved most ({} of {})",
                family.words(),
                run.spending.words(),
                run.within(u64::MAX),
                run.solved.len()
            )
        })
    };
    let [cyrus, modern] = Family::ALL.map(words);
    let text = format!("{cyrus}; {modern}.");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// The claims: prices against plies, two budgets against one, second generation against first.
fn solving_findings(runs: &[Run]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for family in Family::ALL {
        for (first, second) in solving::PAIRS {
            let find = |spending| solving::of(runs, family, spending);
            let (Some(a), Some(b)) = (find(first), find(second)) else {
                continue;
            };
            let comparison = Comparison::of(a, b);
            let text = format!(
                "{}: {} against {}: {}.",
                family.words(),
                first.words(),
                second.words(),
                comparison.words()
            );
            // The forcing rule is ours: nobody claimed anything about it.
            let claimed = first != Spending::Forcing;
            findings.push(Finding {
                outcome: claimed.then(|| comparison.outcome()),
                text,
            });
        }
    }
    findings
}

fn gallery_finding(gallery: &Gallery, problems: usize) -> Finding {
    let text = format!(
        "The SEX horizon effect: of {problems} problems, two budgets solved {} with at most half \
         the nodes of one, {} of them at a lower nominal depth; they cost at least twice the nodes \
         in {}.",
        gallery.gains.len(),
        gallery.shallower(),
        gallery.losses.len()
    );
    // A sample without such a position says nothing about others.
    if gallery.shallower() > 0 {
        Finding::tested(true, text)
    } else {
        Finding::partly(text)
    }
}

/// The combination that is drawn: the one of the gallery that two budgets see with the fewest
/// nodes, or else the first problem.
fn combination(
    context: &Context<'_>,
    problems: &[Problem],
    gallery: &Gallery,
) -> Result<Option<Figure>, LabError> {
    const DEFAULT_DEPTH: u32 = 4;
    let seen = gallery
        .gains
        .iter()
        .filter_map(|entry| Some((entry.problem, entry.double?)))
        .filter(|(_, solved)| solved.depth >= DEFAULT_DEPTH)
        .min_by_key(|(_, solved)| solved.nodes);
    let (index, depth) = seen.map_or((0, DEFAULT_DEPTH), |(index, solved)| (index, solved.depth));
    let config = Family::Cyrus.config(Spending::BothSpent, &context.config)?;
    problems
        .get(index)
        .map(|problem| tree::figure(problem, &config, depth))
        .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Outcome;

    #[test]
    fn a_quick_run_has_every_table_and_figure() {
        let report = SexAlgorithm.run(&Context::quick(1)).unwrap();
        let names: Vec<&str> = report
            .tables
            .iter()
            .map(|table| table.name.as_str())
            .collect();
        assert_eq!(
            names,
            ["solved", "comparisons", "gallery", "window-costs", "prices"]
        );
        assert_eq!(report.figures.len(), 3);
        assert_eq!(report.tables[0].rows.len(), 10);
        assert!(report.verdict.findings.len() >= 13);
        let ours = report
            .verdict
            .findings
            .iter()
            .filter(|f| f.text.contains(": two budgets, forcing rule"));
        assert!(ours.clone().count() == 4 && ours.clone().all(|finding| finding.outcome.is_none()));
        assert_ne!(
            report.verdict.outcome,
            Outcome::Holds,
            "twelve problems prove nothing"
        );
    }
}
