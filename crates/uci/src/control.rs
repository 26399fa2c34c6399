//! What the input thread and the session know of each other: which search was asked for, which
//! runs, and which was told to end.
//!
//! Every `go` gets a number. `stop` and `ponderhit` hold for all searches asked for so far, so that
//! one that is still in the queue is stopped as surely as one that runs, and none that comes later
//! is. The lock is held for a few instructions only; neither thread waits for the other's work.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sextant_search::Signals;

/// The number of a `go`, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SearchId(u64);

/// See the module.
pub(crate) struct Control {
    state: Mutex<State>,
    signals: Arc<Signals>,
}

#[derive(Default)]
struct State {
    /// The last search that was asked for.
    issued: SearchId,
    /// The last search that has ended.
    finished: SearchId,
    /// The last search that was told to end.
    stopped: SearchId,
    /// The last search whose expected move was played.
    hit: SearchId,
    /// The last search that `stop` ended, not the end of the program.
    interrupted: SearchId,
    /// Commands wait behind a search that nobody has stopped, and the user was told so.
    told: bool,
}

impl State {
    fn is_searching(&self) -> bool {
        self.issued > self.finished && self.issued > self.stopped
    }
}

impl Control {
    /// For the engine that has these signals.
    pub(crate) fn new(signals: Arc<Signals>) -> Control {
        Control {
            state: Mutex::default(),
            signals,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for a search; `None` while another one goes on that was not told to end.
    pub(crate) fn issue(&self) -> Option<SearchId> {
        let mut state = self.lock();
        if state.is_searching() {
            return None;
        }
        state.issued.0 += 1;
        state.told = false;
        Some(state.issued)
    }

    /// Does a search go on, or wait to, that was not told to end?
    pub(crate) fn is_searching(&self) -> bool {
        self.lock().is_searching()
    }

    /// True the first time that it is asked during a search.
    pub(crate) fn tell_once(&self) -> bool {
        let mut state = self.lock();
        let first = state.is_searching() && !state.told;
        state.told |= first;
        first
    }

    /// `stop`: ends all that was asked for so far.
    pub(crate) fn stop(&self) {
        let mut state = self.lock();
        state.interrupted = state.issued;
        self.end_searches(state);
    }

    /// The program is to end: so are its searches, but not counts such as perft, which end by
    /// themselves and whose result a script may still want.
    pub(crate) fn quit(&self) {
        let state = self.lock();
        self.end_searches(state);
    }

    fn end_searches(&self, mut state: MutexGuard<'_, State>) {
        state.stopped = state.issued;
        if state.issued > state.finished {
            self.signals.stop();
        }
    }

    /// Did `stop` end it?
    pub(crate) fn is_interrupted(&self, id: SearchId) -> bool {
        self.lock().interrupted >= id
    }

    /// The move that is pondered on was played.
    pub(crate) fn ponderhit(&self) {
        let mut state = self.lock();
        state.hit = state.issued;
        self.signals.ponderhit();
    }

    /// To be called by the session just before it starts the search.
    pub(crate) fn begin(&self, id: SearchId, ponder: bool) {
        let state = self.lock();
        self.signals.arm(ponder && state.hit < id);
        if state.stopped >= id {
            self.signals.stop();
        }
    }

    /// To be called by the session when the search is done, before it answers: who reads the answer
    /// may ask for the next search at once.
    pub(crate) fn finish(&self, id: SearchId) {
        self.lock().finished = id;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control() -> Control {
        Control::new(Arc::default())
    }

    #[test]
    fn a_stop_that_comes_before_the_search_starts_is_not_lost() {
        let control = control();
        let id = control.issue().unwrap();
        control.stop();
        control.begin(id, false);
        assert!(control.signals.is_stopped());
    }

    #[test]
    fn a_stale_stop_does_not_end_the_next_search() {
        let control = control();
        control.stop();
        let id = control.issue().unwrap();
        control.begin(id, false);
        assert!(!control.signals.is_stopped());
        control.finish(id);
        control.stop();
        let next = control.issue().unwrap();
        control.begin(next, false);
        assert!(!control.signals.is_stopped());
    }

    #[test]
    fn a_second_search_waits_for_a_stop() {
        let control = control();
        let first = control.issue().unwrap();
        control.begin(first, false);
        assert_eq!(control.issue(), None);
        assert!(control.tell_once() && !control.tell_once());
        control.stop();
        let second = control.issue().unwrap();
        assert!(
            control.signals.is_stopped(),
            "the first one still has to end"
        );
        control.finish(first);
        control.begin(second, false);
        assert!(!control.signals.is_stopped());
    }

    #[test]
    fn a_ponderhit_that_comes_before_the_search_starts_is_not_lost() {
        let control = control();
        let id = control.issue().unwrap();
        control.ponderhit();
        control.begin(id, true);
        assert!(!control.signals.is_pondering());
    }
}
