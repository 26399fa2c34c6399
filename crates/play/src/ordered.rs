//! Work on several threads whose results come out in the order of the jobs, so that what is made of
//! them does not depend on how many threads there are.

use std::{
    any::Any,
    collections::BTreeMap,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
    },
    thread,
};

use sextant_search::STACK_BYTES;
use thiserror::Error;

/// Results that may wait for an earlier one, for each thread: what waits stays small however long
/// that one lasts.
const AHEAD: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrderedError<E> {
    /// A worker, a job, or who takes the results failed.
    #[error("{0}")]
    Failed(#[from] E),
    #[error("{wanted} threads cannot be had: {message}; ask for fewer")]
    Threads { wanted: usize, message: String },
    #[error("job {job} panicked: {message}")]
    Panicked {
        /// The job, from 1.
        job: u64,
        message: String,
    },
}

/// Does `jobs` (until `None`) on `threads` threads, each with stack enough for a search, and hands
/// the results to `take`, in the order of the jobs. `worker()` runs once on each thread and returns
/// the closure that does its jobs; that returns `None` when its second argument, `is_over`, says
/// that the result is no longer wanted.
///
/// Ends after the last job, when `take` breaks or `stop` is set (jobs under way are dropped), or
/// with the first error. What was taken before stays true.
pub fn run<J, D, E, W>(
    threads: usize,
    stop: &AtomicBool,
    jobs: &mut (dyn FnMut() -> Result<Option<J>, E> + Send),
    worker: impl Fn() -> Result<W, E> + Sync,
    take: &mut dyn FnMut(D) -> Result<ControlFlow<()>, E>,
) -> Result<(), OrderedError<E>>
where
    D: Send,
    E: Send,
    W: FnMut(J, &dyn Fn() -> bool) -> Result<Option<D>, E>,
{
    // The flags carry no data, so relaxed accesses do.
    let over = AtomicBool::new(false);
    let is_over = || stop.load(Ordering::Relaxed) || over.load(Ordering::Relaxed);
    let jobs = Mutex::new((0_u64.., jobs));
    // A thread that panicked while it held the queue left numbers that are still true.
    let next = || -> Result<_, E> {
        let (numbers, jobs) = &mut *jobs.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(numbers.next().zip(jobs()?))
    };
    let serve = |slots: SyncSender<()>, results: &Sender<_>| -> Result<(), OrderedError<E>> {
        let mut work = worker()?;
        // Waits while too many results wait for an earlier one.
        while slots.send(()).is_ok() && !is_over() {
            let Some((number, job)) = next()? else { break };
            let done = catch_unwind(AssertUnwindSafe(|| work(job, &is_over)));
            let done = done.map_err(|panic| OrderedError::Panicked {
                job: number + 1,
                message: message_of(panic.as_ref()),
            })??;
            let Some(done) = done else { break };
            if results.send(Ok(Some((number, done)))).is_err() {
                break;
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let (slots_in, slots_out) = sync_channel(AHEAD * threads);
        let (sender, receiver) = channel();
        let spawned = (0..threads).try_for_each(|_| {
            let (slots, sender, serve) = (slots_in.clone(), sender.clone(), &serve);
            let body = move || {
                let ended = serve(slots, &sender);
                // Nobody listens any more when all is over.
                let _ = sender.send(ended.map(|()| None));
            };
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, body).map(drop)
        });
        drop((slots_in, sender));
        let result = match spawned {
            Ok(()) => collect(receiver, slots_out, take),
            Err(error) => Err(OrderedError::Threads {
                wanted: threads,
                message: error.to_string(),
            }),
        };
        over.store(true, Ordering::Relaxed);
        result
    })
}

/// A result with the number of its job; `None` from a thread that has no more to do.
type Message<D, E> = Result<Option<(u64, D)>, OrderedError<E>>;

/// Puts the results in order. Each result that was taken frees a slot.
fn collect<D, E>(
    results: Receiver<Message<D, E>>,
    slots_out: Receiver<()>,
    take: &mut dyn FnMut(D) -> Result<ControlFlow<()>, E>,
) -> Result<(), OrderedError<E>> {
    let (mut waiting, mut next) = (BTreeMap::new(), 0);
    let mut slots_out = Some(slots_out);
    for message in results {
        let Some((number, done)) = message? else {
            // Those that wait to begin another job need not.
            slots_out = None;
            continue;
        };
        waiting.insert(number, done);
        while let Some(done) = waiting.remove(&next) {
            next += 1;
            if take(done)?.is_break() {
                return Ok(());
            }
            slots_out.as_ref().map(Receiver::try_recv);
        }
    }
    Ok(())
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use std::{sync::atomic::AtomicU64, time::Duration};

    use super::*;

    /// Doubles numbers below 1000, some of them slowly.
    struct Doubling {
        stop: bool,
        fails_at: u64,
        panics_at: u64,
        breaks_at: u64,
    }

    const DOUBLING: Doubling = Doubling {
        stop: false,
        fails_at: u64::MAX,
        panics_at: u64::MAX,
        breaks_at: u64::MAX,
    };

    impl Doubling {
        /// How many results came, all in order, and how it ended.
        fn run(&self, threads: usize) -> (u64, Result<(), OrderedError<String>>) {
            let (mut numbers, taken) = (0..1000, AtomicU64::new(0));
            let work = |job: u64, is_over: &dyn Fn() -> bool| {
                let ahead = job + 1 - taken.load(Ordering::Relaxed);
                assert!(ahead <= (AHEAD * threads) as u64, "{job} is {ahead} ahead");
                if job.is_multiple_of(100) {
                    thread::sleep(Duration::from_millis(3));
                }
                assert!(job != self.panics_at, "the bad number");
                if job == self.fails_at {
                    return Err("no luck".to_owned());
                }
                Ok((!is_over()).then_some(2 * job))
            };
            let stop = AtomicBool::new(self.stop);
            let mut jobs = || Ok(numbers.next());
            let result = run(threads, &stop, &mut jobs, || Ok(work), &mut |done| {
                assert_eq!(done, 2 * taken.fetch_add(1, Ordering::Relaxed), "in order");
                Ok(if done == 2 * self.breaks_at {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            });
            (taken.into_inner(), result)
        }
    }

    #[test]
    fn results_come_in_order_and_nobody_runs_far_ahead() {
        for threads in [1, 4] {
            assert_eq!(DOUBLING.run(threads), (1000, Ok(())));
        }
    }

    #[test]
    fn failures_and_panics_end_the_run_with_their_words() {
        for (fails_at, panics_at, words) in [
            (500, u64::MAX, "no luck"),
            (u64::MAX, 500, "job 501 panicked: the bad number"),
        ] {
            let doubling = Doubling {
                fails_at,
                panics_at,
                ..DOUBLING
            };
            let (taken, result) = doubling.run(3);
            assert_eq!(result.unwrap_err().to_string(), words);
            assert!(taken <= 500);
        }
    }

    #[test]
    fn a_stop_and_a_break_drop_what_is_under_way() {
        let stopped = Doubling {
            stop: true,
            ..DOUBLING
        };
        assert_eq!(stopped.run(2), (0, Ok(())));
        let broken = Doubling {
            breaks_at: 300,
            ..DOUBLING
        };
        assert_eq!(broken.run(2), (301, Ok(())));
    }
}
