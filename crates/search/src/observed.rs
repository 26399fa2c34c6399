//! Searches that are watched from inside.

use std::thread;

use crate::{
    engine::{Engine, conclude},
    game::Game,
    limits::Limits,
    observer::Observer,
    params::SearchParams,
    report::{Event, Outcome},
    threads::{Message, STACK_BYTES, attend},
    worker::Worker,
};

/// An engine with an observer: see [`Engine::observed`].
pub struct Observed<'a, O> {
    engine: &'a mut Engine,
    observer: O,
    exact: bool,
}

impl Engine {
    /// Lets `observer` watch a search, which is made by one fresh worker.
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
        self,
        game: &Game,
        limits: &Limits,
        multipv: usize,
        report: &mut dyn FnMut(Event),
    ) -> (Outcome, O) {
        let shared = self.engine.prepare(game, limits, multipv, 1);
        let (config, evaluation) = (&self.engine.config, self.engine.evaluation.clone());
        let mut worker = Worker::new(0, shared.clone(), config, evaluation, self.observer);
        worker.params = SearchParams::new(config, self.exact);
        let outcome = conclude(&shared, report, |report| {
            let (sender, messages) = crossbeam::channel::unbounded();
            let (worker, for_worker) = (&mut worker, shared.clone());
            let search = move || {
                worker.run(for_worker, &mut |event| {
                    let _ = sender.send(Message::Event(event));
                })
            };
            let result = thread::scope(|scope| {
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                let handle = builder.spawn_scoped(scope, search);
                let handle = handle.expect("a thread for the observed search");
                attend(&shared, &messages, &mut |message| {
                    if let Message::Event(event) = message {
                        report(event);
                    }
                });
                handle.join().expect("the observed search does not panic")
            });
            result.lines
        });
        (outcome, worker.observer)
    }
}
