//! Parked worker threads: each waits for a job, keeps its histories from search to search, and sends
//! back what it found.

use std::{
    io,
    sync::Arc,
    thread::{self, JoinHandle},
};

use crossbeam::channel::{self, Receiver, Sender};
use sextant_config::Config;
use sextant_eval::Params;

use crate::{
    observer::{Observer, Unobserved},
    report::{Bound, Event, Info},
    root::RootMove,
    shared::Shared,
    worker::Worker,
};

/// The stack of a thread that searches: lines of [`sextant_board::MAX_PLY`] plies with a move list
/// in every frame need more than the usual two megabytes.
pub const STACK_BYTES: usize = 16 << 20;

/// What a worker is asked to do.
enum Job {
    Search(Arc<Shared>, Sender<Message>),
    NewGame,
    Configure(Arc<Config>, Params),
}

/// What a worker says during and after a search.
pub(crate) enum Message {
    Event(Event),
    Done(Box<Found>),
}

/// What a worker found.
pub(crate) struct Found {
    pub(crate) index: usize,
    /// Nominal depth of its last finished iteration.
    pub(crate) depth: u32,
    pub(crate) root_moves: Vec<RootMove>,
    /// Its lines, best first.
    pub(crate) lines: Vec<Info>,
}

struct Thread {
    jobs: Option<Sender<Job>>,
    handle: Option<JoinHandle<()>>,
}

/// The threads of an engine. Dropping the pool ends them.
pub(crate) struct Pool(Vec<Thread>);

impl Pool {
    /// `count` parked workers.
    pub(crate) fn new(
        count: usize,
        config: &Arc<Config>,
        evaluation: &Params,
        idle: &Arc<Shared>,
    ) -> io::Result<Pool> {
        let mut pool = Pool(Vec::with_capacity(count));
        for index in 0..count {
            let (sender, jobs) = channel::unbounded();
            let (config, idle) = (config.clone(), idle.clone());
            let evaluation = evaluation.clone();
            let handle = thread::Builder::new()
                .name(format!("sextant-{index}"))
                .stack_size(STACK_BYTES)
                .spawn(move || serve(index, &config, evaluation, idle, &jobs))?;
            pool.0.push(Thread {
                jobs: Some(sender),
                handle: Some(handle),
            });
        }
        Ok(pool)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    fn tell(&self, job: impl Fn() -> Job) {
        for jobs in self.0.iter().filter_map(|thread| thread.jobs.as_ref()) {
            // A worker that died has nothing to be told.
            let _ = jobs.send(job());
        }
    }

    /// All workers forget.
    pub(crate) fn new_game(&self) {
        self.tell(|| Job::NewGame);
    }

    /// All workers take over `config` and its evaluation.
    pub(crate) fn configure(&self, config: &Arc<Config>, evaluation: &Params) {
        self.tell(|| Job::Configure(config.clone(), evaluation.clone()));
    }

    /// Starts a search on all workers; the channel ends when the last is done.
    pub(crate) fn search(&self, shared: &Arc<Shared>) -> Receiver<Message> {
        let (sender, receiver) = channel::unbounded();
        self.tell(|| Job::Search(shared.clone(), sender.clone()));
        receiver
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for thread in &mut self.0 {
            thread.jobs = None;
        }
        for handle in self.0.iter_mut().filter_map(|thread| thread.handle.take()) {
            let _ = handle.join();
        }
    }
}

fn serve(
    index: usize,
    config: &Config,
    evaluation: Params,
    idle: Arc<Shared>,
    jobs: &Receiver<Job>,
) {
    let mut worker = Worker::<Unobserved, false>::new(index, idle, config, evaluation, Unobserved);
    for job in jobs {
        match job {
            Job::NewGame => worker.new_game(),
            Job::Configure(config, evaluation) => worker.configure(&config, evaluation),
            Job::Search(shared, sender) => {
                let found = run(&mut worker, shared, &mut |event| {
                    let _ = sender.send(Message::Event(event));
                });
                let _ = sender.send(Message::Done(Box::new(found)));
            }
        }
    }
}

/// One search on one worker.
pub(crate) fn run<O: Observer, const EXACT: bool>(
    worker: &mut Worker<O, EXACT>,
    shared: Arc<Shared>,
    report: &mut dyn FnMut(Event),
) -> Found {
    worker.begin(shared);
    worker.deepen(report);
    if worker.is_main() {
        worker.shared.finish();
        if worker.printed == 0 {
            // Stopped before the first iteration ended: there is always a line before the move.
            report(Event::Info(worker.info(1, 0, Bound::Exact)));
        }
    }
    worker.publish();
    let depth = worker.completed.max(1);
    let lines = (0..worker.lines())
        .map(|index| worker.info(depth, index, Bound::Exact))
        .collect();
    Found {
        index: worker.index,
        depth: worker.completed,
        root_moves: worker.root_moves.clone(),
        lines,
    }
}
