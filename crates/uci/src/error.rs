//! What can be wrong with what a person or a program types, said so that it can be mended.

use sextant_config::{ConfigError, Fault};
use sextant_search::EngineError;
use thiserror::Error;

/// Any failure of a subcommand, with its own words.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// Why an option was refused.
#[derive(Debug, Error)]
pub(crate) enum OptionError {
    #[error("{0}; the old value is kept")]
    Config(#[from] ConfigError),
    /// No such option, and none of the config's either.
    #[error("unknown option {found:?}{}; nothing was changed", hint(nearest))]
    Unknown {
        found: String,
        nearest: Option<String>,
    },
    /// An option of older versions.
    #[error("{0}; nothing was changed")]
    Gone(Fault),
    #[error("option {name}: found {found:?}, allowed is {allowed}; the old value is kept")]
    Value {
        name: &'static str,
        found: String,
        allowed: String,
    },
    #[error("option {name} needs `value ...`; the old value is kept")]
    NoValue { name: String },
    #[error("{0}; the old value is kept")]
    Engine(#[from] EngineError),
    #[error("{0}; the old evaluation is kept")]
    Network(#[from] sextant_search::NetworkError),
    #[error("SyzygyPath: {0}; the old tables are kept")]
    Tables(#[from] sextant_syzygy::SyzygyError),
    #[error("Debug Log File: {0}; the old value is kept")]
    Log(#[from] sextant_cli::files::FileError),
}

/// `; did you mean x?`, or nothing.
pub(crate) fn hint(nearest: &Option<String>) -> String {
    let hint = |name| format!("; did you mean `{name}`?");
    nearest.as_ref().map(hint).unwrap_or_default()
}
