//! Why a program ends early, and with which exit code.

use std::{error::Error, io::ErrorKind};

use crate::files::FileError;

/// The error of a whole program or subcommand: its message and its exit code.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct Failure {
    error: BoxedError,
    code: u8,
}

/// Any error, and any text: `Failure::work("the disk is full")`.
type BoxedError = Box<dyn Error + Send + Sync>;

impl Failure {
    /// Exit code: the work failed.
    pub const WORK: u8 = 1;
    /// Exit code: it cannot be done as asked; clap uses it too.
    pub const USAGE: u8 = 2;
    /// Exit code: what shells report of a program that Ctrl-C ended.
    pub const INTERRUPTED: u8 = 130;

    /// The work failed: exit code 1.
    pub fn work(error: impl Into<BoxedError>) -> Failure {
        Failure::with_code(Failure::WORK, error)
    }

    /// What was asked for cannot be done as asked: exit code 2.
    pub fn usage(error: impl Into<BoxedError>) -> Failure {
        Failure::with_code(Failure::USAGE, error)
    }

    /// Somebody ended the work before it was done: exit code 130.
    pub fn interrupted(error: impl Into<BoxedError>) -> Failure {
        Failure::with_code(Failure::INTERRUPTED, error)
    }

    /// A failure of a program that has more exit codes than these.
    pub fn with_code(code: u8, error: impl Into<BoxedError>) -> Failure {
        Failure {
            error: error.into(),
            code,
        }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        self.code
    }

    /// The same failure with more advice behind its message.
    #[must_use]
    pub fn advise(self, advice: &str) -> Failure {
        Failure::with_code(self.code, format!("{}; {advice}", self.error))
    }
}

/// A wrong name, a missing right or a busy file is the caller's to mend (2), a full or failing disk
/// is not (1).
impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        let code = match error.source.kind() {
            ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::AlreadyExists
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::WouldBlock
            | ErrorKind::InvalidData
            | ErrorKind::InvalidInput
            | ErrorKind::FileTooLarge => Failure::USAGE,
            _ => Failure::WORK,
        };
        Failure::with_code(code, error)
    }
}
