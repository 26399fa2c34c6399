//! The experiments, in the order in which they are best read.

mod bloom;
pub(crate) mod ladder;
mod minimal_tree;
mod negamax;
mod odd_even;
mod paths;
mod quiescence;
mod root_bonus;
mod sex_algorithm;
mod syzygy;

use prelude::Experiment;

/// What nearly every experiment names.
mod prelude {
    pub(super) use sextant_board::Position;
    pub(super) use sextant_cli::{
        chart::{Chart, Style},
        failure::Failure,
    };
    pub(super) use sextant_config::Config;

    pub(super) use crate::{
        engine::{FreshEngine, HASH, Run, to_depth, to_nodes},
        experiment::{Context, Experiment, track},
        report::{Cell, Finding, Outcome, Report, Table, noted, real, table, tested},
        stats::TTest,
    };
}

pub(crate) const ALL: [&Experiment; 10] = [
    &ladder::EXPERIMENT,
    &minimal_tree::EXPERIMENT,
    &odd_even::EXPERIMENT,
    &negamax::EXPERIMENT,
    &sex_algorithm::EXPERIMENT,
    &paths::EXPERIMENT,
    &quiescence::EXPERIMENT,
    &root_bonus::EXPERIMENT,
    &bloom::EXPERIMENT,
    &syzygy::EXPERIMENT,
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    use crate::experiment::quick;

    #[test]
    fn the_config_of_the_run_is_the_one_that_searches() {
        // The tables of `negamax` are those of textbook searches, the ladder has its own configs.
        let told = "games engine-types growth chess-growth solved lengths engine-variants variety in-search \
                    tabled";
        for (Experiment { name, run, .. }, table) in ALL.into_iter().zip(told.split(' ')) {
            let fits = |b: u8| b.is_ascii_lowercase() || b == b'-';
            assert!(name.bytes().all(fits), "{name} is not fit for files");
            let with = |preset| {
                let report = run(&quick(1, preset)).unwrap();
                assert!(report.findings.len() > 1, "{name}");
                let findings = report.findings.iter().map(|finding| &finding.text);
                for text in findings.chain([&report.summary]) {
                    let mut behind = text.split(". ").skip(1);
                    let is_more = behind.any(|rest| rest.starts_with(char::is_uppercase));
                    let is_one = text.ends_with('.') && !is_more;
                    assert!(is_one, "{name}: not one sentence: {text}");
                }
                let mut tables = report.tables.into_iter();
                tables.find(|found| found.name == table).unwrap()
            };
            let (shipped, other) = thread::scope(|scope| {
                let shipped = scope.spawn(|| with("default"));
                let other = with("cyrus68k");
                (shipped.join().unwrap(), other)
            });
            let is_textbook = ["negamax", "ladder"].contains(name);
            assert_eq!(shipped.rows == other.rows, is_textbook, "{name}");
        }
    }
}
