//! The exit codes beside 1 (the work failed) and 2 (wrong usage).

use sextant_cli::failure::Failure;
use sextant_syzygy::ProbeError;

pub(crate) const BAD_POSITION: u8 = 3;
/// No table covers the position, or a folder or table is missing.
pub(crate) const NOT_COVERED: u8 = 4;
/// A table is damaged.
pub(crate) const CORRUPT: u8 = 5;

/// The exit code for a position without an answer.
pub(crate) fn code(error: ProbeError) -> u8 {
    match error {
        ProbeError::Corrupt(_) => CORRUPT,
        ProbeError::KingsTouch => BAD_POSITION,
        _ => NOT_COVERED,
    }
}

/// A position without an answer.
pub(crate) fn failure(error: ProbeError) -> Failure {
    Failure::with_code(code(error), format!("no answer: {error}"))
}
