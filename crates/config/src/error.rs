//! What can be wrong with a configuration, said so that the reader can mend it.

use thiserror::Error;

/// What is wrong with one key or value, wherever it came from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The text is no TOML.
    #[error("not valid TOML: {0}")]
    Syntax(String),
    /// No section has this name.
    #[error("unknown section [{found}]{}", hint(nearest))]
    UnknownSection {
        /// The name found.
        found: String,
        /// The likeliest intended name.
        nearest: Option<String>,
    },
    /// No key has this name.
    #[error("unknown key {found}{}", hint(nearest))]
    UnknownKey {
        /// The name found, with its section.
        found: String,
        /// The likeliest intended name, with its section.
        nearest: Option<String>,
    },
    /// No option has this name.
    #[error("unknown option {found:?}{}", hint(nearest))]
    UnknownOption {
        /// The name found.
        found: String,
        /// The likeliest intended name.
        nearest: Option<String>,
    },
    /// A key or section holds another type of value.
    #[error("{key}: found {found}, which has the wrong type; allowed: {allowed}")]
    WrongType {
        /// The key.
        key: String,
        /// The text found.
        found: String,
        /// What is allowed.
        allowed: String,
    },
    /// A number outside its range.
    #[error("{key}: found {found}, which is out of range; allowed: {allowed}")]
    OutOfRange {
        /// The key.
        key: String,
        /// The number found.
        found: String,
        /// What is allowed.
        allowed: String,
    },
    /// NaN or an infinity.
    #[error("{key}: found {found}, which is not a finite number; allowed: {allowed}")]
    NotFinite {
        /// The key.
        key: String,
        /// The text found.
        found: String,
        /// What is allowed.
        allowed: String,
    },
    /// A decimal between two representable values.
    #[error("{key}: found {found}, which is finer than 1/{parts}; nearest are {below} and {above}")]
    TooFine {
        /// The key.
        key: String,
        /// The number found.
        found: String,
        /// The representable value below.
        below: String,
        /// The representable value above.
        above: String,
        /// Parts of a unit that can be told apart.
        parts: i32,
    },
    /// A word that is none of those allowed.
    #[error("{key}: found {found}; allowed: {allowed}{}", hint(nearest))]
    UnknownWord {
        /// The key.
        key: String,
        /// The word found.
        found: String,
        /// The words allowed.
        allowed: String,
        /// The likeliest intended word.
        nearest: Option<String>,
    },
    /// A control character in a path.
    #[error("{key}: found the control character {found:?}; a path is one line of printable text")]
    ControlCharacter {
        /// The key.
        key: String,
        /// The character.
        found: char,
    },
    /// A file of another format version.
    #[error("version: found {found}; this program reads version 1")]
    Version {
        /// The text found.
        found: String,
    },
    /// The file that `extends` names cannot be read.
    #[error("extends: {reason}")]
    Base {
        /// Why.
        reason: String,
    },
    /// Files that extend each other in a circle.
    #[error("extends: these files extend each other in a circle: {}", chain.join(" -> "))]
    Cycle {
        /// The files, the first one repeated at the end.
        chain: Vec<String>,
    },
}

/// Why a configuration or a value was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// Neither a preset nor an existing file.
    #[error(
        "no preset and no file is called {name:?}{}; presets: {}",
        hint(nearest),
        presets.join(", ")
    )]
    NotFound {
        /// The name asked for.
        name: String,
        /// The preset most like it.
        nearest: Option<String>,
        /// All presets.
        presets: Vec<&'static str>,
    },
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// Something in a file.
    #[error("{origin}:{line}:{column}: {fault}")]
    InFile {
        /// The file or preset.
        origin: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What is wrong there.
        fault: Box<Fault>,
    },
    /// A key, option or value that did not come from a file.
    #[error(transparent)]
    Value(#[from] Fault),
}

impl ConfigError {
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
    nearest
        .as_ref()
        .map(|name| format!("; did you mean \"{name}\"?"))
        .unwrap_or_default()
}
