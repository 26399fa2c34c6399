//! What ends the program early, and with which code.

use std::process::ExitCode;

use sextant_syzygy::{ProbeError, SyzygyError};

/// Exit code: the arguments make no sense (clap uses it too).
pub(crate) const USAGE: u8 = 2;
/// Exit code: a bad position.
pub(crate) const BAD_POSITION: u8 = 3;
/// Exit code: no table covers the position, or a folder or table is missing.
pub(crate) const NOT_COVERED: u8 = 4;
/// Exit code: a table is damaged.
pub(crate) const CORRUPT: u8 = 5;

/// A reason to stop.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// No position.
    #[error("{0}")]
    Position(#[from] crate::position::PositionError),
    /// The tables do not answer.
    #[error("no answer: {0}")]
    Probe(#[from] ProbeError),
    /// A table is damaged.
    #[error("no answer: {problem}: {why}")]
    Damaged {
        /// Which table.
        problem: ProbeError,
        /// What is wrong with it.
        why: String,
    },
    /// The folders cannot be opened.
    #[error("{0}")]
    Open(#[from] SyzygyError),
    /// The configuration cannot be read.
    #[error("{0}")]
    Config(#[from] sextant_config::ConfigError),
    /// An argument that clap cannot judge.
    #[error("{0}")]
    Usage(String),
    /// A line of a batch, with `--strict`.
    #[error("line {line}: {message}")]
    Line {
        /// Its number, from 1.
        line: u64,
        /// What was wrong.
        message: String,
        /// Exit code.
        code: u8,
    },
    /// Reading or writing.
    #[error("{what}: {source}")]
    Io {
        /// The file.
        what: String,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Failure {
    /// The code to exit with.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Position(_) => BAD_POSITION,
            Failure::Probe(error) | Failure::Damaged { problem: error, .. } => probe_code(*error),
            Failure::Open(_) => NOT_COVERED,
            Failure::Config(_) | Failure::Usage(_) | Failure::Io { .. } => USAGE,
            Failure::Line { code, .. } => *code,
        })
    }
}

/// The exit code for a position without an answer.
pub(crate) fn probe_code(error: ProbeError) -> u8 {
    match error {
        ProbeError::Corrupt(_) => CORRUPT,
        ProbeError::KingsTouch => BAD_POSITION,
        _ => NOT_COVERED,
    }
}
