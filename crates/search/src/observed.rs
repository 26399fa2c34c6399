//! Searches that are watched from inside.

use std::{sync::Arc, thread};

use crate::{
    engine::{Engine, conclude},
    game::Game,
    limits::Limits,
    observer::Observer,
    params::SearchParams,
    report::{Event, Outcome},
    shared::Shared,
    threads::{Message, STACK_BYTES, Threads, attend},
    worker::Worker,
};

/// An engine with an observer: see [`Engine::observed`].
pub struct Observed<'a, O> {
    engine: &'a mut Engine,
    observer: O,
    exact: bool,
}

impl Engine {
    /// Lets `observer` watch a search, which is made by one fresh worker; on the thread that asks
    /// for it if the engine is one [on its caller](Engine::on_caller), else on its own.
    pub fn observed<O: Observer + Send>(&mut self, observer: O) -> Observed<'_, O> {
        Observed {
            engine: self,
            observer,
            exact: false,
        }
    }
}

impl<O: Observer + Send> Observed<'_, O> {
    /// The search makes no guess: no reductions, no pruning, static prices, and from the table only
    /// results of exactly the same draft and clock (none with `search.tt_cutoffs` off). So it
    /// equals plain negamax; with the table, as far as no rule looks at the path.
    pub fn exact(mut self) -> Self {
        self.exact = true;
        self
    }

    /// Like [`Engine::go`]; gives the observer back.
    pub fn go(
        mut self,
        game: &Game,
        limits: &Limits,
        multipv: usize,
        report: &mut dyn FnMut(Event),
    ) -> (Outcome, O) {
        let shared = Arc::new(self.engine.prepare(game, limits, multipv, 1));
        let observer = &mut self.observer;
        let outcome = self.engine.watched(&shared, self.exact, observer, report);
        (outcome, self.observer)
    }
}

impl Engine {
    /// A search that `observer` watches. One compiled search serves all observers: one for each
    /// would be compiled anew in every program that has an observer.
    fn watched(
        &self,
        shared: &Arc<Shared>,
        exact: bool,
        observer: &mut (dyn Observer + Send),
        report: &mut dyn FnMut(Event),
    ) -> Outcome {
        let evaluation = self.evaluation.clone();
        let mut worker = Worker::new(0, shared.clone(), &self.config, evaluation, observer);
        worker.set_params(SearchParams::new(&self.config, exact));
        if matches!(self.threads, Threads::Caller(_)) {
            return conclude(shared, report, |report| {
                worker.run(shared.clone(), report).lines
            });
        }
        conclude(shared, report, |report| {
            let (sender, messages) = crossbeam::channel::unbounded();
            let for_worker = shared.clone();
            let search = move || {
                worker.run(for_worker, &mut |event| {
                    let _ = sender.send(Message::Event(event));
                })
            };
            let result = thread::scope(|scope| {
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                let handle = builder.spawn_scoped(scope, search);
                let handle = handle.expect("a thread for the observed search");
                attend(shared, &messages, &mut |message| {
                    if let Message::Event(event) = message {
                        report(event);
                    }
                });
                handle.join().expect("the observed search does not panic")
            });
            result.lines
        })
    }
}
