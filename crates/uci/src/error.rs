//! What can be wrong with what a person or a program types, said so that it can be mended.

use sextant_board::{FenError, UciMoveError};
use sextant_config::ConfigError;
use sextant_search::EngineError;
use thiserror::Error;

/// Longest piece of foreign text that a message repeats.
const LONGEST_QUOTE: usize = 80;

/// Any failure of a subcommand, with its own words.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum CommandError {
    /// The first word means nothing.
    #[error(
        "unknown command {found:?}{}; `help` lists the commands",
        hint(nearest)
    )]
    Unknown {
        found: String,
        nearest: Option<&'static str>,
    },
    /// `setoption` in another form.
    #[error("setoption needs the form `setoption name NAME [value VALUE]`; nothing was changed")]
    SetOption,
    /// `bench` in another form.
    #[error(
        "bench: {found:?} does not fit the form `bench [HASH] [THREADS] [LIMIT] [FILE] \
         [depth|nodes|movetime|perft|eval]`; numbers are 1 or more"
    )]
    Bench { found: String },
    /// `genfens` in another form.
    #[error("genfens needs the form `genfens N seed S [book FILE|None]`")]
    GenFens,
    /// `speedtest` in another form.
    #[error("speedtest: {found:?} is no whole number of seconds from 1 to 3600")]
    Speedtest { found: String },
    /// The line is longer than any sane command.
    #[error("the line has more than {limit} bytes; it was ignored")]
    TooLong {
        limit: usize,
        /// It began as a `position`.
        is_position: bool,
    },
}

impl CommandError {
    /// Was it a position, so that no search may play from an older one?
    pub(crate) fn is_position(&self) -> bool {
        matches!(
            self,
            CommandError::TooLong {
                is_position: true,
                ..
            }
        )
    }
}

/// Why a `position` command was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum PositionError {
    /// `position` in another form.
    #[error("the form is `position startpos|fen FEN [moves ...]`, found {found:?}")]
    Form { found: String },
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("move {number} of the list: {source}")]
    Move {
        /// Number of the move in the list, from 1.
        number: usize,
        source: UciMoveError,
    },
}

/// Why an option was refused.
#[derive(Debug, Error)]
pub(crate) enum OptionError {
    /// The config has its own words.
    #[error("{0}; the old value is kept")]
    Config(#[from] ConfigError),
    /// No such option, and none of the config's either.
    #[error("unknown option {found:?}{}; nothing was changed", hint(nearest))]
    Unknown {
        found: String,
        nearest: Option<String>,
    },
    /// The value does not fit.
    #[error("option {name}: found {found:?}, allowed is {allowed}; the old value is kept")]
    Value {
        name: &'static str,
        found: String,
        allowed: String,
    },
    /// An option without its value.
    #[error("option {name} needs `value ...`; the old value is kept")]
    NoValue { name: String },
    /// The engine cannot work with the value.
    #[error("{0}; the old value is kept")]
    Engine(#[from] EngineError),
    /// The network cannot be had.
    #[error("{0}; the old evaluation is kept")]
    Network(#[from] sextant_search::NetworkError),
    /// The tables cannot be opened.
    #[error("SyzygyPath: {0}; the old tables are kept")]
    Tables(#[from] sextant_syzygy::SyzygyError),
    /// The log cannot be written.
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
fn hint(nearest: &Option<impl AsRef<str>>) -> String {
    let name = nearest.as_ref().map(AsRef::as_ref);
    name.map(|name| format!("; did you mean `{name}`?"))
        .unwrap_or_default()
}

/// The name that `found` was probably meant to be.
pub(crate) fn nearest<S: AsRef<str>>(found: &str, names: impl IntoIterator<Item = S>) -> Option<S> {
    let found = quote(found).to_lowercase();
    names
        .into_iter()
        .map(|name| {
            (
                strsim::jaro_winkler(&found, &name.as_ref().to_lowercase()),
                name,
            )
        })
        .filter(|(likeness, _)| *likeness > 0.82)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| name)
}
