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
    pub(super) use sextant_cli::failure::Failure;
    pub(super) use sextant_config::Config;

    pub(super) use crate::{
        engine::{FreshEngine, HASH, Run, to_depth, to_nodes},
        experiment::{Context, Experiment, track},
        report::{Cell, Figure, Finding, Outcome, Report, Style, Table, noted, tested},
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

    #[test]
    fn names_fit_for_files() {
        for Experiment { name, .. } in ALL {
            let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            assert!(name.bytes().all(fits), "{name}");
        }
    }
}
