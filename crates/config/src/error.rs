//! What can be wrong with a configuration, said so that the reader can fix it.

use thiserror::Error;

/// What is wrong with one key or value, wherever it came from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The text is not TOML; in the parser's words.
    #[error("not valid TOML: {0}")]
    Syntax(String),
    /// No section, key or option has this name.
    #[error("unknown {what}{}", hint(nearest))]
    Unknown {
        /// The name with what it stands for, such as `key extensions.recaptur`.
        what: String,
        /// The known name most like it, if any is.
        nearest: Option<String>,
    },
    /// A value that its key does not allow.
    #[error("{key}: found {found}{problem}")]
    Value {
        /// The key or option that the value was given for.
        key: String,
        /// The value as it was written.
        found: String,
        /// What is wrong with it, and what is allowed.
        problem: Problem,
    },
    /// The file has another format version than 1, the one that this program reads.
    #[error("version: found {0}; this program reads version 1")]
    Version(String),
    /// The file that `extends` names cannot be read, with the reason.
    #[error("extends: {0}")]
    Base(String),
    /// Files that extend each other in a circle; the first one is repeated at the end.
    #[error("extends: these files extend each other in a circle: {}", .0.join(" -> "))]
    Cycle(Vec<String>),
    /// More files extend each other than the number given here.
    #[error("extends: more than {0} files extend one another; write fewer, longer ones")]
    ChainTooLong(usize),
}

/// Why a value is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// Another type of value than the allowed one named here.
    #[error(", which has the wrong type; allowed: {0}")]
    WrongType(String),
    /// A number outside the range named here.
    #[error(", which is out of range; allowed: {0}")]
    OutOfRange(String),
    /// NaN or an infinity; the range is named here.
    #[error(", which is not a finite number; allowed: {0}")]
    NotFinite(String),
    /// A decimal between two representable values.
    #[error(", which is finer than 1/{parts}; nearest are {below} and {above}")]
    TooFine {
        /// The nearest representable value below.
        below: String,
        /// The nearest representable value above.
        above: String,
        /// How many representable values there are to a unit.
        parts: i32,
    },
    /// What was found is a control character in a path, which could break a line of a text protocol.
    #[error("; a path is one line of printable text")]
    NotPrintable,
    /// A word that is none of those allowed.
    #[error("; allowed: {allowed}{}", hint(nearest))]
    UnknownWord {
        /// All words, quoted, in a list.
        allowed: String,
        /// The allowed word most like it, if any is.
        nearest: Option<String>,
    },
}

impl Fault {
    pub(crate) fn value(key: &str, found: String, problem: Problem) -> Fault {
        let key = key.to_owned();
        Fault::Value {
            key,
            found,
            problem,
        }
    }
}

/// Why a configuration or a value was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The name is neither that of a preset nor of an existing file.
    #[error(
        "no preset and no file is called {name:?}{}; presets: {}",
        hint(nearest),
        presets.join(", ")
    )]
    NotFound {
        /// The name as it was given.
        name: String,
        /// The preset most like it, if any is.
        nearest: Option<String>,
        /// The names of all presets.
        presets: Vec<&'static str>,
    },
    /// The file exists but cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The path as it was given.
        path: String,
        /// The system's reason, or ours.
        source: std::io::Error,
    },
    /// Something is wrong inside a file.
    #[error("{origin}:{line}:{column}: {fault}")]
    InFile {
        /// The name of the file or preset.
        origin: String,
        /// The line, counted from 1.
        line: usize,
        /// The column in characters, counted from 1.
        column: usize,
        /// What is wrong at this place.
        fault: Box<Fault>,
    },
    /// A key, option or value that did not come from a file.
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
fn hint(nearest: &Option<String>) -> String {
    let hint = |name| format!("; did you mean \"{name}\"?");
    nearest.as_ref().map(hint).unwrap_or_default()
}

/// Longest piece of a text that an error message repeats.
const QUOTED_CHARS: usize = 60;

/// At most [`QUOTED_CHARS`] characters, none of them a control character.
pub fn clip(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut clipped: String = clean.take(QUOTED_CHARS).collect();
    if text.chars().nth(QUOTED_CHARS).is_some() {
        clipped.push_str("...");
    }
    clipped
}
