//! Work on several threads whose results come out in the order of the jobs, so that what is made of
//! them does not depend on how many threads there are.

use std::{
    any::Any,
    collections::BTreeMap,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

use sextant_search::STACK_BYTES;
use thiserror::Error;

/// Results that may wait for an earlier one, for each thread: what waits stays small however long
/// that one lasts.
const AHEAD: u64 = 64;
/// How long a thread that may not begin a job waits before it looks whether it should stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// A kind of work. Each thread has a worker of its own, and stack enough for a search.
pub trait Work: Sync {
    /// What is to be done; the jobs come one after the other.
    type Job;
    /// What a thread keeps from job to job.
    type Worker;
    /// The result of a job.
    type Done: Send;
    /// Why a job fails.
    type Error: Send;

    /// A thread's worker, made on that thread.
    ///
    /// # Errors
    /// Ends all the work.
    fn worker(&self) -> Result<Self::Worker, Self::Error>;

    /// Does a job; `None` if `is_over` said that nobody wants its result any more.
    ///
    /// # Errors
    /// Ends all the work.
    fn work(
        &self,
        worker: &mut Self::Worker,
        job: Self::Job,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Self::Done>, Self::Error>;
}

/// Why work on several threads ended early.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrderedError<E> {
    /// A worker, a job, or who takes the results failed.
    #[error("{0}")]
    Failed(E),
    /// The system gives no more threads.
    #[error("{wanted} threads cannot be had: {message}; ask for fewer")]
    Threads {
        wanted: usize,
        /// What the system says.
        message: String,
    },
    #[error("job {job} panicked: {message}")]
    Panicked {
        /// The job, from 1.
        job: u64,
        message: String,
    },
}

/// Does the jobs on `threads` threads and hands the results to `take`, in the order of the jobs.
/// Ends after the last job (`None`), when `take` breaks or `stop` is set (jobs under way are
/// dropped), or with the first error. What was taken before stays true.
///
/// # Errors
/// [`OrderedError`].
pub fn run<W: Work>(
    work: &W,
    jobs: &mut (dyn FnMut() -> Result<Option<W::Job>, W::Error> + Send),
    threads: usize,
    stop: &AtomicBool,
    take: &mut dyn FnMut(W::Done) -> Result<ControlFlow<()>, W::Error>,
) -> Result<(), OrderedError<W::Error>> {
    let pool = Pool {
        work,
        stop,
        over: AtomicBool::new(false),
        ahead: AHEAD * threads as u64,
        queue: Mutex::new(Queue {
            jobs,
            begun: 0,
            taken: 0,
        }),
        taken: Condvar::new(),
    };
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        let spawned = (0..threads).try_for_each(|_| {
            let (pool, sender) = (&pool, sender.clone());
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || pool.serve(&sender))
                .map(drop)
        });
        drop(sender);
        let result = spawned
            .map_err(|error| OrderedError::Threads {
                wanted: threads,
                message: error.to_string(),
            })
            .and_then(|()| pool.collect(&receiver, take));
        pool.over.store(true, Ordering::Relaxed);
        result
    })
}

/// Where jobs are given out.
struct Queue<'a, J, E> {
    jobs: &'a mut (dyn FnMut() -> Result<Option<J>, E> + Send),
    begun: u64,
    taken: u64,
}

/// What the threads share. The flags carry no data, so relaxed accesses do.
struct Pool<'a, W: Work> {
    work: &'a W,
    stop: &'a AtomicBool,
    over: AtomicBool,
    ahead: u64,
    queue: Mutex<Queue<'a, W::Job, W::Error>>,
    taken: Condvar,
}

type Message<W> = Result<(u64, <W as Work>::Done), OrderedError<<W as Work>::Error>>;

impl<'a, W: Work> Pool<'a, W> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.over.load(Ordering::Relaxed)
    }

    /// A thread that panicked while it held the queue left numbers that are still true.
    fn queue(&self) -> MutexGuard<'_, Queue<'a, W::Job, W::Error>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, sender: &Sender<Message<W>>) {
        if let Err(error) = self.serve_until_failure(sender) {
            // Nobody listens any more when all is over.
            let _ = sender.send(Err(error));
        }
    }

    /// Does job after job until there is none left.
    fn serve_until_failure(
        &self,
        sender: &Sender<Message<W>>,
    ) -> Result<(), OrderedError<W::Error>> {
        let mut worker = self.work.worker().map_err(OrderedError::Failed)?;
        while let Some((index, job)) = self.next().map_err(OrderedError::Failed)? {
            let done = catch_unwind(AssertUnwindSafe(|| {
                self.work.work(&mut worker, job, &|| self.is_over())
            }))
            .map_err(|panic| OrderedError::Panicked {
                job: index + 1,
                message: message_of(panic.as_ref()),
            })?;
            let Some(done) = done.map_err(OrderedError::Failed)? else {
                return Ok(());
            };
            if sender.send(Ok((index, done))).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The next job and its number, as soon as it may begin.
    fn next(&self) -> Result<Option<(u64, W::Job)>, W::Error> {
        let mut queue = self.queue();
        while queue.begun >= queue.taken + self.ahead && !self.is_over() {
            queue = self
                .taken
                .wait_timeout(queue, PATIENCE)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        if self.is_over() {
            return Ok(None);
        }
        let job = (queue.jobs)()?;
        let index = queue.begun;
        queue.begun += 1;
        Ok(job.map(|job| (index, job)))
    }

    /// Puts the results in order.
    fn collect(
        &self,
        receiver: &Receiver<Message<W>>,
        take: &mut dyn FnMut(W::Done) -> Result<ControlFlow<()>, W::Error>,
    ) -> Result<(), OrderedError<W::Error>> {
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for message in receiver {
            let (index, done) = message?;
            waiting.insert(index, done);
            while let Some(done) = waiting.remove(&next) {
                next += 1;
                if take(done).map_err(OrderedError::Failed)?.is_break() {
                    return Ok(());
                }
            }
            self.queue().taken = next;
            self.taken.notify_all();
        }
        Ok(())
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    /// Doubles numbers, the smaller ones slowly; fails at one number and panics at another.
    struct Doubling {
        fails_at: u64,
        panics_at: u64,
        breaks_at: u64,
        most_ahead: AtomicU64,
        taken: AtomicU64,
    }

    impl Doubling {
        fn new() -> Doubling {
            Doubling {
                fails_at: u64::MAX,
                panics_at: u64::MAX,
                breaks_at: u64::MAX,
                most_ahead: AtomicU64::new(0),
                taken: AtomicU64::new(0),
            }
        }

        fn run(&self, threads: usize, stop: bool) -> (Vec<u64>, Result<(), OrderedError<String>>) {
            let (mut next, mut taken) = (0, Vec::new());
            let mut jobs = || {
                next += 1;
                Ok((next <= 1000).then_some(next - 1))
            };
            let stop = AtomicBool::new(stop);
            let result = run(self, &mut jobs, threads, &stop, &mut |done| {
                taken.push(done);
                self.taken.fetch_add(1, Ordering::Relaxed);
                Ok(if done == 2 * self.breaks_at {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            });
            let numbers = (0..).map(|job| 2 * job).take(taken.len());
            assert!(taken.iter().copied().eq(numbers), "in order, and none lost");
            (taken, result)
        }
    }

    impl Work for Doubling {
        type Job = u64;
        type Worker = ();
        type Done = u64;
        type Error = String;

        fn worker(&self) -> Result<(), String> {
            Ok(())
        }

        fn work(
            &self,
            (): &mut (),
            job: u64,
            is_over: &dyn Fn() -> bool,
        ) -> Result<Option<u64>, String> {
            let ahead = job.saturating_sub(self.taken.load(Ordering::Relaxed));
            self.most_ahead.fetch_max(ahead, Ordering::Relaxed);
            if job.is_multiple_of(100) {
                thread::sleep(Duration::from_millis(3));
            }
            assert!(job != self.panics_at, "the bad number");
            if job == self.fails_at {
                return Err("no luck".to_owned());
            }
            Ok((!is_over()).then_some(2 * job))
        }
    }

    #[test]
    fn results_come_in_order_and_nobody_runs_far_ahead() {
        for threads in [1, 4] {
            let work = Doubling::new();
            let (taken, result) = work.run(threads, false);
            assert!(result.is_ok() && taken.len() == 1000);
            let ahead = work.most_ahead.into_inner();
            assert!(ahead <= AHEAD * threads as u64, "{ahead}");
        }
    }

    #[test]
    fn failures_and_panics_end_the_run_with_their_words() {
        for (fails_at, panics_at, words) in [
            (500, u64::MAX, "no luck"),
            (u64::MAX, 500, "job 501 panicked: the bad number"),
        ] {
            let work = Doubling {
                fails_at,
                panics_at,
                ..Doubling::new()
            };
            let (taken, result) = work.run(3, false);
            assert_eq!(result.unwrap_err().to_string(), words);
            assert!(taken.len() <= 500);
        }
    }

    #[test]
    fn a_stop_and_a_break_drop_what_is_under_way() {
        let (taken, result) = Doubling::new().run(2, true);
        assert!(result.is_ok() && taken.is_empty());
        let work = Doubling {
            breaks_at: 300,
            ..Doubling::new()
        };
        let (taken, result) = work.run(2, false);
        assert!(result.is_ok() && taken.len() == 301);
    }
}
