//! What the input thread and the session know of each other: which task was asked for, which runs,
//! and which was told to end. A task is what may last: a search, a count, a benchmark.
//!
//! Tasks are done in the order in which they were asked for. `stop` and `ponderhit` hold for all
//! that were asked for so far, so that one in the queue is stopped as surely as one that runs, and
//! none that comes later is. The lock is held for a few instructions only; neither thread waits for
//! the other's work.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sextant_search::Signals;

/// The number of a task, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TaskId(u64);

/// What ends a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ends {
    /// It ends by itself.
    #[default]
    ByItself,
    /// `ponderhit` lets it end by itself.
    AfterPonderhit,
    WhenStopped,
}

pub(crate) struct Control {
    state: Mutex<State>,
    signals: Arc<Signals>,
}

#[derive(Default)]
struct State {
    /// The last task that was asked for.
    issued: TaskId,
    /// The last task that is done.
    finished: TaskId,
    /// The last task that was told to end.
    stopped: TaskId,
    /// The last task whose expected move was played.
    hit: TaskId,
    /// The task that runs.
    running: (TaskId, Ends),
    /// No more commands will come.
    input_ended: bool,
    /// Commands wait behind a task that nobody has stopped, and the user was told so.
    told: bool,
}

impl State {
    fn is_busy(&self) -> bool {
        self.issued > self.finished && self.issued > self.stopped
    }

    /// Will the running task never end?
    fn is_endless(&self) -> bool {
        let (id, ends) = self.running;
        id > self.finished
            && match ends {
                Ends::ByItself => false,
                Ends::AfterPonderhit => self.hit < id,
                Ends::WhenStopped => true,
            }
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

    /// Asks for a task.
    pub(crate) fn issue(&self) -> TaskId {
        let mut state = self.lock();
        state.issued.0 += 1;
        state.told = false;
        state.issued
    }

    /// Is a task under way or waiting that was not told to end?
    pub(crate) fn is_busy(&self) -> bool {
        self.lock().is_busy()
    }

    /// True the first time that it is asked during a task.
    pub(crate) fn tell_once(&self) -> bool {
        let mut state = self.lock();
        let first = state.is_busy() && !state.told;
        state.told |= first;
        first
    }

    /// `stop` and `quit`: ends all that was asked for so far.
    pub(crate) fn stop(&self) {
        let mut state = self.lock();
        state.stopped = state.issued;
        if state.issued > state.finished {
            self.signals.stop();
        }
    }

    /// No more commands will come: what ends by itself goes on, all else stops.
    pub(crate) fn end_of_input(&self) {
        let mut state = self.lock();
        state.input_ended = true;
        if state.is_endless() {
            self.signals.stop();
        }
    }

    /// Was the task told to end?
    pub(crate) fn is_stopped(&self, id: TaskId) -> bool {
        self.lock().stopped >= id
    }

    /// The move that is pondered on was played.
    pub(crate) fn ponderhit(&self) {
        let mut state = self.lock();
        state.hit = state.issued;
        self.signals.ponderhit();
    }

    /// To be called by the session just before a search of the task starts; `false` if the task was
    /// told to end.
    pub(crate) fn begin(&self, id: TaskId, ends: Ends) -> bool {
        let mut state = self.lock();
        state.running = (id, ends);
        let pondering = ends == Ends::AfterPonderhit && state.hit < id;
        self.signals.arm(pondering);
        let stopped = state.stopped >= id || state.input_ended && state.is_endless();
        if stopped {
            self.signals.stop();
        }
        !stopped
    }

    /// To be called by the session when the task is done, before it answers: who reads the answer
    /// may ask for the next task at once.
    pub(crate) fn finish(&self, id: TaskId) {
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
        let id = control.issue();
        control.stop();
        assert!(!control.begin(id, Ends::WhenStopped));
        assert!(control.signals.is_stopped() && control.is_stopped(id));
    }

    #[test]
    fn a_ponderhit_that_comes_before_the_search_starts_is_not_lost() {
        let control = control();
        let id = control.issue();
        control.ponderhit();
        assert!(control.begin(id, Ends::AfterPonderhit));
        assert!(!control.signals.is_pondering());
    }
}
