//! Searches that are watched from inside.

use std::thread;

use crate::{
    engine::{Engine, conclude, game_is_over, tell},
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
        let Observed {
            engine,
            observer,
            exact,
        } = self;
        let shared = engine.prepare(game, limits, multipv, 1);
        if shared.root_moves.is_empty() {
            let lines = vec![game_is_over(&shared)];
            return (conclude(&shared, lines, None, report), observer);
        }
        let (config, evaluation) = (engine.config.clone(), engine.evaluation.clone());
        let (sender, messages) = crossbeam::channel::unbounded();
        let for_worker = shared.clone();
        let search = move || {
            let mut worker = Worker::new(0, for_worker.clone(), &config, evaluation, observer);
            if exact {
                worker.params = SearchParams::new(&config, true);
            }
            let result = worker.run(for_worker, &mut |event| {
                let _ = sender.send(Message::Event(event));
            });
            (result, worker.observer)
        };
        let mut told = None;
        let (result, observer) = thread::scope(|scope| {
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let handle = builder.spawn_scoped(scope, search);
            let handle = handle.expect("a thread for the observed search");
            attend(&shared, &messages, &mut |message| {
                if let Message::Event(event) = message {
                    tell(event, &mut told, report);
                }
            });
            handle.join().expect("the observed search does not panic")
        });
        let outcome = conclude(&shared, result.lines, told.as_ref(), report);
        (outcome, observer)
    }
}
