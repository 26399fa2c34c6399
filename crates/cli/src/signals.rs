//! Ctrl-C, SIGTERM and SIGHUP: one flag that they set. A signal that was ignored when the program
//! began stays ignored, so that `nohup` and a shell's background jobs keep their meaning. And SIGUSR1,
//! by which a long run is asked for its result so far.

use std::sync::{
    Arc, LazyLock, Once,
    atomic::{AtomicBool, Ordering},
};

use crate::{failure::Failure, output};

static STOP: AtomicBool = AtomicBool::new(false);
static WATCH: Once = Once::new();

/// The flag. The first call begins to watch; until then a signal ends the program as usual. The
/// second signal ends the program at once, with exit code 130.
pub fn flag() -> &'static AtomicBool {
    WATCH.call_once(|| {
        let ignored = inherited::ignored();
        let watched = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(Failure::INTERRUPTED.into());
            }
        });
        if let Err(error) = watched {
            output::note(format_args!(
                "note: Ctrl-C will end this at once, it cannot be watched for: {error}"
            ));
        }
        inherited::ignore(&ignored);
    });
    &STOP
}

/// Was the flag set? Begins to watch, as [`flag`] does.
pub fn is_interrupted() -> bool {
    flag().load(Ordering::Relaxed)
}

/// Was the program asked, by SIGUSR1 since the last call, what it has so far? Begins to watch at the
/// first call; without such signals nobody asks.
pub fn is_asked() -> bool {
    #[cfg(unix)]
    {
        static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
            let asked = Arc::default();
            // Who asks a program that cannot listen ends it, as ever.
            let _ = signal_hook::flag::register(signal_hook::consts::SIGUSR1, Arc::clone(&asked));
            asked
        });
        ASKED.swap(false, Ordering::Relaxed)
    }
    #[cfg(not(unix))]
    false
}

/// `ctrlc` does not ask what a signal did before.
#[cfg(unix)]
#[allow(unsafe_code)]
mod inherited {
    use std::{mem::MaybeUninit, ptr};

    /// The signals that are ignored now.
    pub(super) fn ignored() -> Vec<libc::c_int> {
        let mut signals = vec![libc::SIGINT, libc::SIGTERM, libc::SIGHUP];
        signals.retain(|&signal| is_ignored(signal));
        signals
    }

    /// Ignores signals.
    pub(super) fn ignore(signals: &[libc::c_int]) {
        for &signal in signals {
            // SAFETY: the signal is a valid one, and ignoring it calls no code of ours.
            unsafe { libc::signal(signal, libc::SIG_IGN) };
        }
    }

    fn is_ignored(signal: libc::c_int) -> bool {
        let mut action = MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: without a new action the call only fills in the old one, for which there is room;
        // it is read only if the call says that it did.
        unsafe {
            libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) == 0
                && action.assume_init().sa_sigaction == libc::SIG_IGN
        }
    }
}

#[cfg(not(unix))]
mod inherited {
    pub(super) fn ignored() {}

    pub(super) fn ignore(_: &()) {}
}
