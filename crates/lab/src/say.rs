//! What the program says: results on standard output, how it goes on standard error.

use std::io::{self, ErrorKind, Write};

use sextant_lab::error::LabError;

/// Standard output, and the first thing that went wrong with it.
#[derive(Default)]
pub(crate) struct Paper {
    failure: Option<io::Error>,
}

impl Paper {
    /// Prints a line. Where that fails the run goes on: its files matter too.
    pub(crate) fn say(&mut self, text: &str) {
        let mut out = io::stdout().lock();
        if let Err(error) = writeln!(out, "{text}").and_then(|()| out.flush()) {
            self.failure.get_or_insert(error);
        }
    }

    /// Whether everything was printed.
    ///
    /// # Errors
    /// When a line was lost, unless nobody reads any more (`| head`).
    pub(crate) fn end(self) -> Result<(), LabError> {
        match self.failure {
            Some(cause) if cause.kind() != ErrorKind::BrokenPipe => {
                Err(LabError::Unprinted { cause })
            }
            _ => Ok(()),
        }
    }
}

/// Tells how it goes, to whoever listens.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
