//! The experiments, in the order in which they are best read.

pub mod bloom;
pub mod minimal_tree;
pub mod negamax;
pub mod odd_even;
pub mod quiescence;
pub mod root_bonus;
pub mod sex_algorithm;
pub mod syzygy;

use crate::error::LabError;
use crate::experiment::Experiment;

/// All experiments.
pub const ALL: &[&dyn Experiment] = &[
    &minimal_tree::MinimalTree,
    &odd_even::OddEven,
    &negamax::Negamax,
    &sex_algorithm::SexAlgorithm,
    &quiescence::Quiescence,
    &root_bonus::RootBonus,
    &bloom::Bloom,
    &syzygy::Syzygy,
];

/// The experiment called `name`.
///
/// # Errors
/// When there is none, naming the nearest one.
pub fn find(name: &str) -> Result<&'static dyn Experiment, LabError> {
    ALL.iter()
        .copied()
        .find(|experiment| experiment.name() == name)
        .ok_or_else(|| {
            let known = || ALL.iter().map(|experiment| experiment.name());
            let nearest = known().max_by(|a, b| {
                strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name))
            });
            LabError::UnknownExperiment {
                name: name.to_owned(),
                nearest: nearest.unwrap_or_default().to_owned(),
                known: known().map(str::to_owned).collect(),
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_fit_for_files() {
        for (index, experiment) in ALL.iter().enumerate() {
            let name = experiment.name();
            assert!(
                name.bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            );
            assert!(
                ALL[..index].iter().all(|other| other.name() != name),
                "{name} twice"
            );
        }
    }

    #[test]
    fn a_slip_of_the_pen_is_answered_with_the_nearest_name() {
        let message = find("minmal-tree").err().unwrap().to_string();
        assert!(
            message.contains("did you mean \"minimal-tree\"?"),
            "{message}"
        );
    }
}
