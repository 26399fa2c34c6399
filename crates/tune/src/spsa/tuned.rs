//! The tuned config.

use sextant_config::Config;

use super::optimiser::Tuned;
use crate::{base::Base, failure::Failure, keys};

/// How a tuned config came to be.
pub(super) const MADE: &str = "Tuned by games: `sextant-tune spsa`";

/// The config with the values of a run, as far as they can be had.
pub(super) fn tuned(base: &Base, values: &[Tuned]) -> Result<Config, Failure> {
    let rounded: Vec<_> = values.iter().map(Tuned::rounded).collect();
    with_values(&base.config, values, &rounded)
}

/// A config with other values of the tuned parameters.
pub(super) fn with_values(
    config: &Config,
    tuned: &[Tuned],
    values: &[i32],
) -> Result<Config, Failure> {
    let mut config = config.clone();
    for (one, value) in tuned.iter().zip(values) {
        let Some(parameter) = keys::find(&one.key) else {
            return Err(Failure::usage(format!(
                "{} is no key of this version; the run is of another one",
                one.key
            )));
        };
        parameter.set(&mut config, *value).map_err(Failure::usage)?;
    }
    Ok(config)
}
