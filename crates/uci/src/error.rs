//! What can be wrong with what a person or a program types, said so that it can be mended.

use sextant_config::ConfigError;
use sextant_search::EngineError;
use thiserror::Error;

/// Longest piece of foreign text that a message repeats.
const LONGEST_QUOTE: usize = 80;

/// Any failure of a subcommand, with its own words.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// Why an option was refused.
#[derive(Debug, Error)]
pub(crate) enum OptionError {
    #[error("{0}; the old value is kept")]
    Config(#[from] ConfigError),
    /// No such option, and none of the config's either.
    #[error("unknown option {found:?}{}; nothing was changed", hint(nearest.as_deref()))]
    Unknown {
        found: String,
        nearest: Option<String>,
    },
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

/// Foreign text as a message repeats it: not too long.
pub(crate) fn quote(text: &str) -> String {
    let mut letters = text.chars();
    let mut short: String = letters.by_ref().take(LONGEST_QUOTE).collect();
    if letters.next().is_some() {
        short.push_str("...");
    }
    short
}

/// `; did you mean x?`, or nothing.
pub(crate) fn hint(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

/// The name that `found` was probably meant to be.
pub(crate) fn nearest<'a>(
    found: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let found = quote(found).to_lowercase();
    let likeness = |name: &str| strsim::jaro_winkler(&found, &name.to_lowercase());
    let likely = names.into_iter().map(|name| (likeness(name), name));
    let likely = likely.filter(|(likeness, _)| *likeness > 0.82);
    let likest = likely.max_by(|(a, _), (b, _)| a.total_cmp(b));
    likest.map(|(_, name)| name)
}
