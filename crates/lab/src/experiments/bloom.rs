//! Experiment 7: Ronald de Man's Bloom filter for repetitions.

pub mod cost;
pub mod in_search;
pub mod rate;

use crate::error::LabError;
use crate::experiment::{Context, Experiment};
use crate::report::{Figure, Finding, Report, Verdict};
use cost::Costs;
use in_search::Watched;

/// Counters before the exact history.
pub struct Bloom;

impl Experiment for Bloom {
    fn name(&self) -> &'static str {
        "bloom"
    }

    fn title(&self) -> &'static str {
        "Repetitions through a Bloom filter"
    }

    fn claim(&self) -> &'static str {
        "A small table of counters, indexed by low bits of the hash key, incremented on entering a \
         node and decremented on leaving it, speeds up repetition detection (Ronald de Man, after \
         the Chess Programming Wiki)."
    }

    fn run(&self, context: &Context<'_>) -> Result<Report, LabError> {
        let (rates, worst, rate_chart) = rate::experiment(context)?;
        let watched = in_search::experiment(context)?;
        let costs = Costs::measure(&watched, context)?;
        Ok(Report {
            tables: vec![rates, watched.table(), costs.table()],
            figures: vec![
                Figure::Chart(rate_chart),
                Figure::Chart(watched.chart()),
                Figure::Chart(costs.chart()),
            ],
            verdict: Verdict::of(
                summary(worst, costs.agree, costs.share_saved()),
                findings(worst, &watched, &costs),
            ),
        })
    }
}

/// The largest deviation from the formula, in standard errors, that may be chance: the largest of
/// many.
const CHANCE: f64 = 4.5;

fn summary(worst: f64, agree: bool, share_saved: f64) -> String {
    let alarms = if worst < CHANCE {
        "follow"
    } else {
        "do not follow"
    };
    let errs = if agree { "never errs" } else { "errs" };
    format!(
        "The filter {errs} and its false alarms {alarms} the formula; against a plain scan it \
         saves {:.2} % of the search's time.",
        100.0 * share_saved
    )
}

fn findings(worst: f64, watched: &Watched, costs: &Costs) -> Vec<Finding> {
    let mut findings = vec![
        Finding::tested(
            worst < CHANCE,
            format!(
                "Random keys: the rate of false alarms follows 1 - (1 - 2^-bits)^n; the largest \
                 of all deviations is {worst:.1} standard errors."
            ),
        ),
        Finding::tested(
            costs.agree,
            "All detectors (filter and scan, scan alone, hash set) saw the same repetitions on \
             the recorded searches.",
        ),
        Finding::tested(
            costs.filter_against_scan() < 1.0,
            format!(
                "On the recorded searches filter and scan took {:.2} of the time of the scan \
                 alone and {:.2} of the hash set's.",
                costs.filter_against_scan(),
                costs.filter_against_set()
            ),
        ),
        Finding::noted(format!(
            "Share of the engine's search time that the filter saves against a plain scan: {:.2} % \
             (timings of one run on a machine that may have been busy).",
            100.0 * costs.share_saved()
        )),
    ];
    if let Some((measured, predicted)) = watched.at_bits(14) {
        findings.push(Finding::noted(format!(
            "In real searches a filter of 14 bits raised a false alarm in {:.3} % of the queries; \
             the formula says {:.3} %.",
            100.0 * measured,
            100.0 * predicted
        )));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_says_what_was_found() {
        assert_eq!(
            summary(2.5, true, -0.0013),
            "The filter never errs and its false alarms follow the formula; against a plain scan \
             it saves -0.13 % of the search's time."
        );
        let bad = summary(9.0, false, 0.0);
        assert!(bad.starts_with("The filter errs and its false alarms do not follow"));
    }
}
