//! Experiment 4: the SEX algorithm of Levy, Broughton and Taylor (1989): a budget a side, and a price
//! for every move.

mod contenders;
mod gallery;
mod problems;
mod solving;
mod window;

use sextant_config::SPECS;

use crate::experiments::prelude::*;
use contenders::{Family, moderate_prices};
use gallery::Gallery;
use solving::{Comparison, Run};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "sex-algorithm",
    title: "The SEX algorithm: prices and two budgets",
    claim: "The interestingness of a line is the product of its moves' probabilities, so costs by kind \
            of move should add up instead of plies. With one budget, dull replies of the defender end \
            the line of a combination too early (the SEX horizon effect); a budget for each side, and \
            going on while either is positive, was a clear improvement. Costs that depend on the \
            window led to trouble at the root (Levy, Broughton and Taylor 1989, The SEX Algorithm in \
            Computer Chess).",
    run,
};

fn run(context: &Context) -> Result<Report, Failure> {
    let problems = problems::choose(context, context.sized(12, 483))?;
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
            price_table(&context.config)?,
        ],
        figures: Vec::from(Family::ALL.map(|family| solving::chart(&runs, family, limit))),
        summary: summary(&runs),
        findings,
    })
}

fn summary(runs: &[Run]) -> String {
    let [cyrus, modern] = Family::ALL.map(|family| {
        let of_family = runs.iter().filter(|run| run.family == family);
        let best = of_family.max_by_key(|run| run.within(u64::MAX));
        best.map_or_else(String::new, |run| {
            let (spending, all) = (run.spending.words(), run.solved.len());
            let solved = run.within(u64::MAX);
            format!(
                "{} {spending} solved most ({solved} of {all})",
                family.words()
            )
        })
    });
    format!("With {cyrus}; with {modern}.")
}

/// Keys of `[extensions]` that are prices of moves, in the paper's unit.
const PRICES: [&str; 20] = [
    "first",
    "check_safe",
    "check_unsafe",
    "capture_winning",
    "capture_equal",
    "capture_losing",
    "recapture",
    "promotion",
    "underpromotion",
    "passed_pawn",
    "only_reply",
    "evasion",
    "killer",
    "counter_move",
    "quiet_forward",
    "quiet_backward",
    "mate_threat",
    "mate_glance",
    "quiet_forward_max",
    "quiet_backward_max",
];

/// The prices of the run's config, of the moderate list and of the paper, in SX as the file shows
/// them.
fn price_table(config: &Config) -> Result<Table, Failure> {
    let cyrus = Config::preset("cyrus68k").map_err(Failure::work)?;
    let mut moderate = config.clone();
    moderate_prices(&mut moderate.extensions);
    let specs = SPECS.iter().filter(|spec| spec.section == "extensions");
    let prices: Vec<_> = specs.filter(|spec| PRICES.contains(&spec.name)).collect();
    let title = "SXDEC: what a move takes from its side's SEX (8 is one nominal ply; the last column \
                 is the config's price in plies)";
    let table = Table::of("prices", title, &prices)
        .column("key", |spec| spec.name)
        .column("move", |spec| spec.doc())
        .column("this config", |spec| spec.text(config))
        .column("moderate prices", |spec| spec.text(&moderate))
        .column("Cyrus 68K", |spec| spec.text(&cyrus))
        .real("plies", 2, |spec| {
            Some(spec.text(config).parse::<f64>().ok()? / 8.0)
        });
    Ok(table.done())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        experiment::quick,
        report::{Cell, Outcome},
    };

    #[test]
    fn a_quick_run_has_every_table_and_figure() {
        let report = run(&quick(1)).unwrap();
        let names = report.tables.iter().map(|table| table.name.as_str());
        let expected = ["solved", "comparisons", "gallery", "window-costs", "prices"];
        assert!(names.eq(expected));
        assert_eq!(report.figures.len(), 2);
        assert_eq!(report.tables[0].rows.len(), 10);
        assert!(report.findings.len() >= 13);
        let is_ours = |finding: &&Finding| finding.text.contains(": two budgets, forcing rule");
        let ours: Vec<&Finding> = report.findings.iter().filter(is_ours).collect();
        assert_eq!(ours.len(), 4);
        assert!(ours.iter().all(|finding| finding.outcome.is_none()));
        let outcome = report.outcome();
        assert_ne!(outcome, Outcome::Holds, "twelve problems prove nothing");
    }

    #[test]
    fn every_price_is_known_and_cyrus_has_the_papers_range() {
        let table = price_table(&Config::default()).unwrap();
        assert_eq!(table.rows.len(), PRICES.len());
        let row = |key: &str| {
            let mut rows = table.rows.iter();
            rows.find(|row| row[0] == Cell::from(key)).unwrap()
        };
        assert_eq!(row("recapture")[4], Cell::from("3.0"));
        assert_eq!(row("quiet_backward_max")[4], Cell::from("24.0"));
        assert_eq!(row("check_safe")[3], Cell::from("4.0"));
        assert!(matches!(row("first")[5], Cell::Real(..)));
    }
}
