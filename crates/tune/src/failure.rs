//! What a subcommand can fail of, and what the shell is told.

use std::process::ExitCode;

/// The error of any subcommand: each brings its own, and says itself what to do.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub(crate) struct Failure {
    error: Box<dyn std::error::Error + Send + Sync>,
    code: u8,
}

impl Failure {
    /// What shells report of a program that Ctrl-C ended.
    pub(crate) const INTERRUPTED: u8 = 130;

    /// What was asked for cannot be done as asked: exit code 2, as for a wrong argument.
    pub(crate) fn usage(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Failure {
        Failure {
            error: error.into(),
            code: 2,
        }
    }

    /// The work failed: exit code 1.
    pub(crate) fn work(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Failure {
        Failure {
            error: error.into(),
            code: 1,
        }
    }

    /// Somebody ended the work before it was done: exit code 130.
    pub(crate) fn interrupted(
        error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Failure {
        Failure {
            error: error.into(),
            code: Failure::INTERRUPTED,
        }
    }

    /// A failure of the engine's own program, with its exit code.
    pub(crate) fn of_engine(error: &(dyn std::error::Error + 'static)) -> Failure {
        Failure {
            error: error.to_string().into(),
            code: sextant::exit_code(error),
        }
    }

    /// What the shell is told.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }
}
