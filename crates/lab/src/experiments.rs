//! The experiments, in the order in which they are best read.

mod bloom;
mod minimal_tree;
mod negamax;
mod odd_even;
mod quiescence;
mod root_bonus;
mod sex_algorithm;
mod syzygy;

use prelude::{Experiment, Failure};

/// What nearly every experiment names.
mod prelude {
    pub(super) use sextant_board::Position;
    pub(super) use sextant_cli::{
        chart::{Axis, Style},
        failure::Failure,
    };
    pub(super) use sextant_config::Config;

    pub(super) use crate::{
        engine::{FreshEngine, HASH, Run, to_depth, to_nodes},
        experiment::{Context, Experiment, track},
        report::{Cell, Figure, Finding, Outcome, Report, Table, noted, real, table, tested},
        stats::TTest,
    };
}

pub(crate) const ALL: [&Experiment; 8] = [
    &minimal_tree::EXPERIMENT,
    &odd_even::EXPERIMENT,
    &negamax::EXPERIMENT,
    &sex_algorithm::EXPERIMENT,
    &quiescence::EXPERIMENT,
    &root_bonus::EXPERIMENT,
    &bloom::EXPERIMENT,
    &syzygy::EXPERIMENT,
];

/// The experiment called `name`.
///
/// # Errors
/// When there is none, naming the nearest one.
pub(crate) fn find(name: &str) -> Result<&'static Experiment, Failure> {
    let found = ALL.into_iter().find(|experiment| experiment.name == name);
    found.ok_or_else(|| {
        let known = ALL.map(|experiment| experiment.name);
        let likeness = |known: &&str| strsim::jaro_winkler(known, name);
        let nearest = known
            .into_iter()
            .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        Failure::usage(format!(
            "there is no experiment \"{name}\"; did you mean \"{}\"? (all of them: {})",
            nearest.unwrap_or_default(),
            known.join(", ")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::quick;

    #[test]
    fn names_fit_for_files_and_reports_are_whole() {
        for Experiment { name, run, .. } in ALL {
            let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            assert!(name.bytes().all(fits), "{name}");
            let report = run(&quick(1, "default")).unwrap();
            assert!(
                report.findings.len() > 1 && !report.tables.is_empty(),
                "{name}"
            );
            let tables = report.tables.iter();
            assert!(
                tables.flat_map(|t| &t.rows).all(|row| !row.is_empty()),
                "{name}"
            );
        }
    }

    #[test]
    fn the_config_of_the_run_is_the_one_that_searches() {
        for (name, table) in [
            ("minimal-tree", "engine-types"),
            ("odd-even", "growth"),
            ("negamax", "engine-deepening"),
            ("sex-algorithm", "solved"),
            ("quiescence", "engine-variants"),
            ("root-bonus", "variety"),
            ("bloom", "in-search"),
            ("syzygy", "tabled"),
        ] {
            let [shipped, other] = ["default", "integer-ply"].map(|preset| {
                let report = (find(name).unwrap().run)(&quick(1, preset)).unwrap();
                let mut tables = report.tables.into_iter();
                tables.find(|found| found.name == table).unwrap()
            });
            assert_ne!(shipped.rows, other.rows, "{name}");
        }
    }
}
