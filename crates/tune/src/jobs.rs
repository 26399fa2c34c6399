//! Work on several threads in the order of its jobs, with this program's failures.

use std::{ops::ControlFlow, sync::atomic::AtomicBool};

use sextant_cli::failure::Failure;
use sextant_play::ordered::{self, OrderedError};
use sextant_search::{Engine, EngineSetup};

/// Does the jobs as [`ordered::run`] does, until the last one, `stop` or the first failure. Each of
/// the threads has an engine of its own.
pub(crate) fn run<J, D: Send>(
    (engine, threads): (&EngineSetup, u16),
    stop: &AtomicBool,
    jobs: &mut (dyn FnMut() -> Result<Option<J>, Failure> + Send),
    work: impl Fn(&mut Engine, J, &dyn Fn() -> bool) -> Result<Option<D>, Failure> + Sync,
    take: &mut dyn FnMut(D) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let worker = || {
        let mut engine = engine.engine_on_caller().map_err(Failure::work)?;
        let work = &work;
        Ok(move |job, is_over: &dyn Fn() -> bool| work(&mut engine, job, is_over))
    };
    run_workers(threads, stop, jobs, worker, take)
}

/// The same with workers of any kind, one for each thread.
pub(crate) fn run_workers<J, D: Send, W>(
    threads: u16,
    stop: &AtomicBool,
    jobs: &mut (dyn FnMut() -> Result<Option<J>, Failure> + Send),
    worker: impl Fn() -> Result<W, Failure> + Sync,
    take: &mut dyn FnMut(D) -> Result<(), Failure>,
) -> Result<(), Failure>
where
    W: FnMut(J, &dyn Fn() -> bool) -> Result<Option<D>, Failure>,
{
    let mut take = |done| take(done).map(ControlFlow::Continue);
    let done = ordered::run(threads.into(), stop, jobs, worker, &mut take);
    done.map_err(|error| match error {
        OrderedError::Failed(failure) => failure,
        error => Failure::work(error.to_string()),
    })
}
