//! Work on several threads in the order of its jobs, with this program's failures.

use std::{ops::ControlFlow, sync::atomic::AtomicBool};

use sextant_cli::failure::Failure;
pub(crate) use sextant_play::ordered::Work;
use sextant_play::ordered::{self, OrderedError};

/// Does the jobs as [`ordered::run`] does, until the last one, `stop` or the first failure.
pub(crate) fn run<W: Work<Error = Failure>>(
    work: &W,
    jobs: &mut (dyn FnMut() -> Result<Option<W::Job>, Failure> + Send),
    threads: u16,
    stop: &AtomicBool,
    take: &mut dyn FnMut(W::Done) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut take = |done| take(done).map(ControlFlow::Continue);
    let done = ordered::run(work, jobs, threads.into(), stop, &mut take);
    done.map_err(|error| match error {
        OrderedError::Failed(failure) => failure,
        error => Failure::work(error.to_string()),
    })
}
