//! Who searches for an engine: parked threads of its own, or the thread that asks.

use std::{io, sync::Arc};

use sextant_config::Config;
use sextant_eval::Params;

use crate::{
    observer::Unobserved,
    pool::{self, Found, Message, Pool},
    report::Event,
    shared::Shared,
    worker::Worker,
};

/// The workers of an engine.
pub(crate) enum Crew {
    /// Threads that wait for work: a search may last, and must not hold up the caller's thread.
    Parked(Pool),
    /// One worker on the caller's thread: for thousands of short searches, of which waking another
    /// thread and back again would be a good part.
    Caller(Box<Worker<Unobserved, false>>),
}

impl Crew {
    /// As many parked threads as the config says.
    pub(crate) fn parked(
        config: &Arc<Config>,
        evaluation: &Params,
        idle: &Arc<Shared>,
    ) -> io::Result<Crew> {
        Pool::new(config.engine.threads as usize, config, evaluation, idle).map(Crew::Parked)
    }

    /// One worker for the caller's thread.
    pub(crate) fn caller(config: &Config, evaluation: Params, idle: Arc<Shared>) -> Crew {
        let worker = Worker::new(0, idle, config, evaluation, Unobserved);
        Crew::Caller(Box::new(worker))
    }

    /// How many search at once.
    pub(crate) fn len(&self) -> usize {
        match self {
            Crew::Parked(pool) => pool.len(),
            Crew::Caller(_) => 1,
        }
    }

    /// All workers forget.
    pub(crate) fn new_game(&mut self) {
        match self {
            Crew::Parked(pool) => pool.new_game(),
            Crew::Caller(worker) => worker.new_game(),
        }
    }

    /// All workers take over `config` and its evaluation.
    pub(crate) fn configure(&mut self, config: &Arc<Config>, evaluation: &Params) {
        match self {
            Crew::Parked(pool) => pool.configure(config, evaluation),
            Crew::Caller(worker) => worker.configure(config, evaluation.clone()),
        }
    }

    /// Searches to the end, telling what happens meanwhile.
    pub(crate) fn search(
        &mut self,
        shared: &Arc<Shared>,
        report: &mut dyn FnMut(Event),
    ) -> Vec<Found> {
        match self {
            Crew::Caller(worker) => vec![pool::run(worker, shared.clone(), report)],
            Crew::Parked(pool) => {
                let messages = pool.search(shared);
                let mut found = Vec::with_capacity(pool.len());
                for message in &messages {
                    match message {
                        Message::Event(event) => report(event),
                        Message::Done(result) => found.push(*result),
                    }
                    if found.len() == pool.len() {
                        break;
                    }
                }
                found
            }
        }
    }
}
