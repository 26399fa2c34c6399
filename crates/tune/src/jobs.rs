//! Work on several threads in the order of its jobs, with this program's failures.

use std::{ops::ControlFlow, sync::atomic::AtomicBool};

use sextant_cli::failure::Failure;
use sextant_play::ordered::{self, OrderedError};

/// Does the jobs as [`ordered::run`] does, until the last one, `stop` or the first failure.
pub(crate) fn run<J, D, W>(
    threads: u16,
    stop: &AtomicBool,
    jobs: &mut (dyn FnMut() -> Result<Option<J>, Failure> + Send),
    worker: impl Fn() -> Result<W, Failure> + Sync,
    take: &mut dyn FnMut(D) -> Result<(), Failure>,
) -> Result<(), Failure>
where
    D: Send,
    W: FnMut(J, &dyn Fn() -> bool) -> Result<Option<D>, Failure>,
{
    let mut take = |done| take(done).map(ControlFlow::Continue);
    let done = ordered::run(threads.into(), stop, jobs, worker, &mut take);
    done.map_err(|error| match error {
        OrderedError::Failed(failure) => failure,
        error => Failure::work(error.to_string()),
    })
}
