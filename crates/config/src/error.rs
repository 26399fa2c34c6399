//! What can be wrong with a configuration, said so that the reader can fix it.

use thiserror::Error;

/// What is wrong with one key or value, wherever it came from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the messages say what the variants and fields mean"
)]
pub enum Fault {
    /// The text is not TOML; in the parser's words.
    #[error("not valid TOML: {0}")]
    Syntax(String),
    #[error("unknown {what}{}", hint(nearest))]
    Unknown {
        /// The name with what it stands for, such as `key extensions.recaptur`.
        what: String,
        nearest: Option<String>,
    },
    /// A name of older versions.
    #[error("{what} is gone: {instead}")]
    Removed { what: String, instead: &'static str },
    #[error("{key}: found {found}{problem}")]
    Value {
        key: String,
        /// The value as it was written.
        found: String,
        /// What is wrong with it, from the punctuation on.
        problem: String,
    },
    #[error("version: found {0}; this program reads version 1")]
    Version(String),
    #[error("extends: {0}")]
    Base(String),
    /// Files that extend each other in a circle; the first one is repeated at the end.
    #[error("extends: these files extend each other in a circle: {}", .0.join(" -> "))]
    Cycle(Vec<String>),
    #[error("extends: more than {0} files extend one another; write fewer, longer ones")]
    ChainTooLong(usize),
}

impl Fault {
    pub(crate) fn value(key: &str, found: impl Into<String>, problem: impl Into<String>) -> Fault {
        Fault::Value {
            key: key.to_owned(),
            found: found.into(),
            problem: problem.into(),
        }
    }

    pub(crate) fn wrong_type(key: &str, found: impl Into<String>, allowed: &str) -> Fault {
        let problem = format!(", which has the wrong type; allowed: {allowed}");
        Fault::value(key, found, problem)
    }
}

/// What to say behind a number that is out of range.
pub(crate) fn out_of_range(allowed: &str) -> String {
    format!(", which is out of range; allowed: {allowed}")
}

/// Why a configuration or a value was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the messages say what the variants and fields mean"
)]
pub enum ConfigError {
    #[error(
        "no preset and no file is called {name:?}{}; presets: {}",
        hint(nearest),
        presets.join(", ")
    )]
    NotFound {
        name: String,
        nearest: Option<String>,
        presets: Vec<&'static str>,
    },
    #[error("cannot read {path}: {source}")]
    Unreadable {
        path: String,
        source: std::io::Error,
    },
    #[error("{origin}:{line}:{column}: {fault}")]
    InFile {
        origin: String,
        line: usize,
        column: usize,
        fault: Box<Fault>,
    },
    #[error(transparent)]
    Value(#[from] Fault),
}

impl ConfigError {
    /// Something wrong at a byte of a text.
    pub(crate) fn in_file(origin: &str, text: &str, byte: usize, fault: Fault) -> ConfigError {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ConfigError::InFile {
            origin: origin.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            fault: Box::new(fault),
        }
    }

    /// What is wrong, where it concerns one key or value.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            ConfigError::InFile { fault, .. } => Some(fault),
            ConfigError::Value(fault) => Some(fault),
            ConfigError::NotFound { .. } | ConfigError::Unreadable { .. } => None,
        }
    }
}

/// `; did you mean "x"?`, or nothing.
pub(crate) fn hint(nearest: &Option<String>) -> String {
    let hint = |name| format!("; did you mean \"{name}\"?");
    nearest.as_ref().map(hint).unwrap_or_default()
}

/// Longest piece of a text that an error message repeats.
const QUOTED_CHARS: usize = 60;

/// At most 60 characters, none of them a control character.
pub fn clip(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut clipped: String = clean.take(QUOTED_CHARS).collect();
    if text.chars().nth(QUOTED_CHARS).is_some() {
        clipped.push_str("...");
    }
    clipped
}
