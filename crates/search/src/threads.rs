//! Who searches for an engine (Lazy SMP): parked threads of its own, each of which keeps its
//! histories from search to search, or the thread that asks.

use std::{
    io,
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use crossbeam::channel::{self, Receiver, RecvTimeoutError, Sender};
use sextant_config::Config;
use sextant_eval::EvalModel;

use crate::{
    deepening::WorkerResult, observer::Unobserved, report::Event, shared::Shared, worker::Worker,
};

/// The stack of a thread that searches: lines of [`sextant_board::MAX_PLY`] plies with a move list
/// in every frame need more than the usual two megabytes.
pub const STACK_BYTES: usize = 16 << 20;

pub(crate) enum Threads {
    /// Threads that wait for work: a search may last, and must not hold up the caller's thread.
    Parked(Vec<Thread>),
    /// One worker on the caller's thread: for thousands of short searches, of which waking another
    /// thread and back again would be a good part.
    Caller(Box<Worker<Unobserved>>),
}

#[derive(Debug, thiserror::Error)]
#[error("{wanted} search threads cannot be started: {source}; set Threads to less")]
pub struct ThreadsError {
    wanted: usize,
    source: io::Error,
}

/// A parked worker. Dropping it ends its thread.
pub(crate) struct Thread {
    /// `None` only while it is dropped.
    queue: Option<Sender<Job>>,
    handle: Option<JoinHandle<()>>,
}

/// What a parked worker is asked to do.
enum Job {
    Search(Arc<Shared>, Sender<Message>),
    NewGame,
    Configure(Arc<Config>, EvalModel, Arc<Shared>),
}

/// What a worker says during and after a search.
pub(crate) enum Message {
    Event(Event),
    Done(Box<WorkerResult>),
}

impl Threads {
    /// As many parked threads as the config says.
    pub(crate) fn parked(
        config: &Arc<Config>,
        evaluation: &EvalModel,
        idle: &Arc<Shared>,
    ) -> Result<Threads, ThreadsError> {
        let wanted = config.engine.threads as usize;
        let thread = |index| Thread::new(index, config.clone(), evaluation.clone(), idle.clone());
        let threads: io::Result<Vec<Thread>> = (0..wanted).map(thread).collect();
        threads
            .map(Threads::Parked)
            .map_err(|source| ThreadsError { wanted, source })
    }

    pub(crate) fn caller(config: &Config, evaluation: &EvalModel, idle: &Arc<Shared>) -> Threads {
        let worker = Worker::new(0, idle.clone(), config, evaluation.clone(), Unobserved);
        Threads::Caller(Box::new(worker))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Threads::Parked(threads) => threads.len(),
            Threads::Caller(_) => 1,
        }
    }

    /// Can these workers serve `config` without being started anew?
    pub(crate) fn suit(&self, config: &Config) -> bool {
        match self {
            Threads::Parked(threads) => threads.len() == config.engine.threads as usize,
            Threads::Caller(_) => true,
        }
    }

    pub(crate) fn new_game(&mut self) {
        match self {
            Threads::Parked(threads) => tell(threads, || Job::NewGame),
            Threads::Caller(worker) => worker.new_game(),
        }
    }

    /// All workers take over `config` and its evaluation, and leave what they shared in the last
    /// search, its table too, for `idle`.
    pub(crate) fn configure(
        &mut self,
        config: &Arc<Config>,
        evaluation: &EvalModel,
        idle: &Arc<Shared>,
    ) {
        match self {
            Threads::Parked(threads) => tell(threads, || {
                Job::Configure(config.clone(), evaluation.clone(), idle.clone())
            }),
            Threads::Caller(worker) => worker.configure(config, evaluation.clone(), idle.clone()),
        }
    }

    /// Searches to the end, telling what happens meanwhile.
    pub(crate) fn search(
        &mut self,
        shared: &Arc<Shared>,
        report: &mut dyn FnMut(Event),
    ) -> Vec<WorkerResult> {
        let threads = match self {
            Threads::Caller(worker) => return vec![worker.run(shared.clone(), report)],
            Threads::Parked(threads) => threads,
        };
        let (sender, messages) = channel::unbounded();
        tell(threads, || Job::Search(shared.clone(), sender.clone()));
        // Only the threads hold a sender now, so that the loop ends even if one of them dies.
        drop(sender);
        let mut results = Vec::with_capacity(threads.len());
        attend(shared, &messages, &mut |message| match message {
            Message::Event(event) => report(event),
            Message::Done(result) => results.push(*result),
        });
        results
    }
}

fn tell(threads: &[Thread], job: impl Fn() -> Job) {
    for queue in threads.iter().filter_map(|thread| thread.queue.as_ref()) {
        // A worker that died has nothing to be told.
        let _ = queue.send(job());
    }
}

impl Thread {
    fn new(
        index: usize,
        config: Arc<Config>,
        evaluation: EvalModel,
        idle: Arc<Shared>,
    ) -> io::Result<Thread> {
        let (queue, jobs) = channel::unbounded();
        let serve = move || {
            // Made here, so that its memory is near the thread that uses it.
            let worker = Worker::new(index, idle, &config, evaluation, Unobserved);
            serve(worker, &jobs);
        };
        let builder = thread::Builder::new()
            .name(format!("sextant-{index}"))
            .stack_size(STACK_BYTES);
        Ok(Thread {
            queue: Some(queue),
            handle: Some(builder.spawn(serve)?),
        })
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(handle) = self.handle.take() {
            let _ = handle.join();
        }
    }
}

fn serve(mut worker: Worker<Unobserved>, jobs: &Receiver<Job>) {
    for job in jobs {
        match job {
            Job::NewGame => worker.new_game(),
            Job::Configure(config, evaluation, idle) => worker.configure(&config, evaluation, idle),
            Job::Search(shared, sender) => {
                let result = worker.run(shared, &mut |event| {
                    let _ = sender.send(Message::Event(event));
                });
                let _ = sender.send(Message::Done(Box::new(result)));
            }
        }
    }
}

/// A search shorter than this is not told of in between.
const QUIET_FOR: Duration = Duration::from_secs(3);
/// Afterwards progress is told at this interval.
const TICK: Duration = Duration::from_secs(1);
/// Shortest wait for the clock.
const CLOCK_STEP: Duration = Duration::from_millis(1);
/// With more threads than cores some learn only late that the search is over. Whoever has no result
/// after this time is not waited for.
const PATIENCE: Duration = Duration::from_millis(5);

/// Hands on what the workers send, tells of progress, and ends the search when its time is up: the
/// worker that watches the clock may not be running just then. Comes back when all are done, or
/// when the search is over and the late ones have nothing to say that the others have not.
pub(crate) fn attend(shared: &Shared, messages: &Receiver<Message>, take: &mut dyn FnMut(Message)) {
    let mut tick = QUIET_FOR;
    let mut over_since = None;
    let mut has_result = false;
    loop {
        let now = shared.start.elapsed();
        if shared.is_out_of_time() {
            shared.finish();
        }
        if shared.is_over() {
            over_since.get_or_insert(now);
        }
        let wait = match over_since {
            Some(since) if has_result => (since + PATIENCE).saturating_sub(now),
            Some(_) => TICK,
            None => wait_for_clock(shared, now).min(tick.saturating_sub(now)),
        };
        match messages.recv_timeout(wait) {
            Ok(message) => {
                has_result |= matches!(message, Message::Done(_));
                take(message);
            }
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) if over_since.is_some() && has_result => {
                // Were it over by `stop` alone, the next search would take that back.
                shared.finish();
                return;
            }
            Err(RecvTimeoutError::Timeout) if over_since.is_none() && now + wait >= tick => {
                tick = now + wait + TICK;
                take(Message::Event(Event::Progress(shared.progress())));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// How long nothing can happen on the clock.
fn wait_for_clock(shared: &Shared, now: Duration) -> Duration {
    let left = shared.clock.left(now);
    left.map_or(Duration::MAX, |left| left.max(CLOCK_STEP))
}

#[cfg(test)]
mod tests {
    use sextant_board::Score;

    use super::*;
    use crate::{limits::Limits, shared::Signals, time::Clock, tt::TranspositionTable};

    /// With more threads than cores one may not run again for a long time after the move is due.
    #[test]
    fn a_worker_that_never_answers_holds_up_nobody() {
        let config = Config::default();
        let tt = Arc::new(TranspositionTable::new(1).unwrap());
        let signals = Arc::<Signals>::default();
        let mut shared = Shared::idle(&config, &tt, &signals);
        let due = Arc::get_mut(&mut shared).unwrap();
        let limits = Limits {
            movetime: Some(Duration::from_millis(20)),
            ..Limits::default()
        };
        due.clock = Clock::new(&limits, &config.time, Duration::ZERO, 1);
        due.finished = false.into();
        let (sender, messages) = channel::unbounded();
        let late = sender.clone();
        let worker = thread::spawn({
            let shared = shared.clone();
            move || {
                while !shared.is_over() {
                    thread::yield_now();
                }
                let result = WorkerResult {
                    index: 1,
                    depth: 1,
                    score: Score::DRAW,
                    lines: vec![],
                };
                late.send(Message::Done(Box::new(result))).unwrap();
            }
        });
        let mut results = 0;
        attend(&shared, &messages, &mut |message| {
            results += u32::from(matches!(message, Message::Done(_)));
        });
        assert!(shared.is_over() && results == 1);
        worker.join().unwrap();
        drop(sender);
    }
}
