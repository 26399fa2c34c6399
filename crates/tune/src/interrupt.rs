//! Ctrl-C and friends.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

/// What the shell reports of a program that an interrupt ended.
const INTERRUPTED: i32 = 130;

static STOP: AtomicBool = AtomicBool::new(false);

/// A flag that Ctrl-C, SIGTERM and SIGHUP set; a second of them does not wait for anything. To be
/// called once.
pub(crate) fn flag() -> Result<&'static AtomicBool, Failure> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    })
    .map_err(|error| Failure::work(format!("cannot watch for Ctrl-C: {error}")))?;
    Ok(&STOP)
}
