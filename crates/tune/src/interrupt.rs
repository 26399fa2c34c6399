//! Ctrl-C and friends.

use std::sync::{
    Once,
    atomic::{AtomicBool, Ordering},
};

use crate::{failure::Failure, say};

static STOP: AtomicBool = AtomicBool::new(false);
static WATCH: Once = Once::new();

/// A flag that Ctrl-C, SIGTERM and SIGHUP set; a second of them does not wait for anything.
pub(crate) fn flag() -> &'static AtomicBool {
    WATCH.call_once(|| {
        let watched = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(Failure::INTERRUPTED.into());
            }
        });
        if let Err(error) = watched {
            say::note(format_args!(
                "note: Ctrl-C will end this at once, it cannot be watched for: {error}"
            ));
        }
    });
    &STOP
}

/// Was the flag set?
pub(crate) fn is_set() -> bool {
    flag().load(Ordering::Relaxed)
}
