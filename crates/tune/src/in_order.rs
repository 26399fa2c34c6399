//! Work on several threads whose results come out in the order of the jobs, so that what is written
//! does not depend on how many threads there are.

use std::{
    any::Any,
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

use sextant_cli::failure::Failure;
use sextant_search::STACK_BYTES;

/// Results that may wait for an earlier one, for each thread: what waits stays small however long
/// that one lasts.
const AHEAD: u64 = 64;
/// How long a thread that may not begin a job waits before it looks whether it should stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// Jobs and the hands for them. Each thread has a worker of its own.
pub(crate) trait Work: Sync {
    /// What is to be done; the jobs come one after the other.
    type Job;
    /// What a thread keeps from job to job.
    type Worker;
    /// What comes of a job.
    type Done: Send;

    /// A thread's worker.
    fn worker(&self) -> Result<Self::Worker, Failure>;

    /// Does a job; `None` if `is_over` said that nobody wants it any more.
    fn work(
        &self,
        worker: &mut Self::Worker,
        job: Self::Job,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Self::Done>, Failure>;
}

/// Does the jobs on `threads` threads and hands the results to `take`, in the order of the jobs.
/// Ends after the last job, when `stop` is set (jobs under way are dropped), or with the first error.
pub(crate) fn run<W: Work>(
    work: &W,
    jobs: &mut (dyn FnMut() -> Result<Option<W::Job>, Failure> + Send),
    threads: u16,
    stop: &AtomicBool,
    take: &mut dyn FnMut(W::Done) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let hall = Hall {
        work,
        stop,
        over: AtomicBool::new(false),
        ahead: AHEAD * u64::from(threads),
        desk: Mutex::new(Desk {
            jobs,
            begun: 0,
            taken: 0,
        }),
        taken: Condvar::new(),
    };
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        let spawned = (0..threads).try_for_each(|_| {
            let (hall, sender) = (&hall, sender.clone());
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || hall.serve(&sender))
                .map(drop)
        });
        drop(sender);
        let result = spawned
            .map_err(|error| {
                Failure::work(format!(
                    "{threads} threads cannot be had: {error}; ask for fewer"
                ))
            })
            .and_then(|()| hall.collect(&receiver, take));
        hall.over.store(true, Ordering::Relaxed);
        result
    })
}

/// Where jobs are given out.
struct Desk<'a, J> {
    jobs: &'a mut (dyn FnMut() -> Result<Option<J>, Failure> + Send),
    begun: u64,
    taken: u64,
}

/// What the threads share. The flags carry no data, so relaxed accesses do.
struct Hall<'a, W: Work> {
    work: &'a W,
    stop: &'a AtomicBool,
    over: AtomicBool,
    ahead: u64,
    desk: Mutex<Desk<'a, W::Job>>,
    taken: Condvar,
}

type Message<D> = Result<(u64, D), Failure>;

impl<'a, W: Work> Hall<'a, W> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.over.load(Ordering::Relaxed)
    }

    /// A thread that panicked at the desk left numbers that are still true.
    fn desk(&self) -> MutexGuard<'_, Desk<'a, W::Job>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, sender: &Sender<Message<W::Done>>) {
        if let Err(failure) = self.serve_until_failure(sender) {
            // Nobody listens any more when all is over.
            let _ = sender.send(Err(failure));
        }
    }

    /// Does job after job until there is none left.
    fn serve_until_failure(&self, sender: &Sender<Message<W::Done>>) -> Result<(), Failure> {
        let mut worker = self.work.worker()?;
        while let Some((index, job)) = self.next()? {
            let is_over = || self.is_over();
            let done = catch_unwind(AssertUnwindSafe(|| {
                self.work.work(&mut worker, job, &is_over)
            }))
            .map_err(|panic| panicked(index, panic.as_ref()))??;
            let Some(done) = done else {
                return Ok(());
            };
            if sender.send(Ok((index, done))).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The next job and its number, as soon as it may begin.
    fn next(&self) -> Result<Option<(u64, W::Job)>, Failure> {
        let mut desk = self.desk();
        while desk.begun >= desk.taken + self.ahead && !self.is_over() {
            desk = self
                .taken
                .wait_timeout(desk, PATIENCE)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        if self.is_over() {
            return Ok(None);
        }
        let job = (desk.jobs)()?;
        let index = desk.begun;
        desk.begun += 1;
        Ok(job.map(|job| (index, job)))
    }

    /// Puts the results in order.
    fn collect(
        &self,
        receiver: &Receiver<Message<W::Done>>,
        take: &mut dyn FnMut(W::Done) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for message in receiver {
            let (index, done) = message?;
            waiting.insert(index, done);
            while let Some(done) = waiting.remove(&next) {
                take(done)?;
                next += 1;
            }
            self.desk().taken = next;
            self.taken.notify_all();
        }
        Ok(())
    }
}

fn panicked(index: u64, panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    Failure::work(format!("job {} panicked: {text}", index + 1))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    /// Doubles numbers, the smaller ones slowly; fails at one number and panics at another.
    struct Doubling {
        fails_at: u64,
        panics_at: u64,
        most_ahead: AtomicU64,
        taken: AtomicU64,
    }

    impl Doubling {
        fn new() -> Doubling {
            Doubling {
                fails_at: u64::MAX,
                panics_at: u64::MAX,
                most_ahead: AtomicU64::new(0),
                taken: AtomicU64::new(0),
            }
        }

        fn run(&self, threads: u16, stop: &AtomicBool) -> (Vec<u64>, Result<(), Failure>) {
            let (mut next, mut taken) = (0, Vec::new());
            let mut jobs = || {
                next += 1;
                Ok((next <= 1000).then_some(next - 1))
            };
            let result = run(self, &mut jobs, threads, stop, &mut |done| {
                taken.push(done);
                self.taken.fetch_add(1, Ordering::Relaxed);
                Ok(())
            });
            (taken, result)
        }
    }

    impl Work for Doubling {
        type Job = u64;
        type Worker = ();
        type Done = u64;

        fn worker(&self) -> Result<(), Failure> {
            Ok(())
        }

        fn work(
            &self,
            (): &mut (),
            job: u64,
            is_over: &dyn Fn() -> bool,
        ) -> Result<Option<u64>, Failure> {
            let ahead = job.saturating_sub(self.taken.load(Ordering::Relaxed));
            self.most_ahead.fetch_max(ahead, Ordering::Relaxed);
            if job.is_multiple_of(100) {
                thread::sleep(Duration::from_millis(3));
            }
            assert!(job != self.panics_at, "the bad number");
            if job == self.fails_at {
                return Err(Failure::work("no luck"));
            }
            Ok((!is_over()).then_some(2 * job))
        }
    }

    #[test]
    fn results_come_in_order_and_nobody_runs_far_ahead() {
        for threads in [1, 4] {
            let work = Doubling::new();
            let (taken, result) = work.run(threads, &AtomicBool::new(false));
            assert!(result.is_ok());
            assert!(taken.into_iter().eq((0..1000).map(|job| 2 * job)));
            let ahead = work.most_ahead.into_inner();
            assert!(ahead <= AHEAD * u64::from(threads), "{ahead}");
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
            let (taken, result) = work.run(3, &AtomicBool::new(false));
            assert_eq!(result.unwrap_err().to_string(), words);
            assert!(taken.len() <= 500);
            assert!(
                taken
                    .iter()
                    .copied()
                    .eq((0..).map(|job| 2 * job).take(taken.len()))
            );
        }
    }

    #[test]
    fn a_stop_drops_what_is_under_way() {
        let (taken, result) = Doubling::new().run(2, &AtomicBool::new(true));
        assert!(result.is_ok() && taken.is_empty());
    }
}
