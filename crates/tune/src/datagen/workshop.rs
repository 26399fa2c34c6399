//! Games on several threads, handed on in their order.

use std::{
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

use sextant_search::play::Record;

use super::{Args, player::SelfPlayer, setup::Setup};
use crate::{failure::Failure, games::Game};

/// Games that may be finished before an earlier one is, for each thread: what waits stays small
/// however long that one lasts.
const AHEAD: u64 = 64;
/// How long a thread that may not begin a game waits before it looks whether it should stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// A game that is ready to be written.
pub(super) struct Finished {
    index: u64,
    /// As the file holds it.
    pub(super) bytes: Vec<u8>,
    /// Positions in it.
    pub(super) positions: u64,
    /// Nodes spent on them.
    pub(super) nodes: u64,
}

impl Finished {
    fn new(index: u64, record: &Record) -> Finished {
        let mut bytes = Vec::new();
        Game::of_record(record).write_to(&mut bytes);
        Finished {
            index,
            bytes,
            positions: record.turns.len() as u64,
            nodes: record.turns.iter().map(|turn| turn.nodes).sum(),
        }
    }
}

/// Plays the games from number `first` on and hands each to `take`, in their order. Ends after the
/// last game asked for, when `stop` is set (games under way are dropped), or with an error.
pub(super) fn play(
    setup: &Setup,
    args: &Args,
    first: u64,
    stop: &AtomicBool,
    take: &mut dyn FnMut(&Finished) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let hall = Hall {
        setup,
        stop,
        over: AtomicBool::new(false),
        end: args.games.unwrap_or(u64::MAX),
        ahead: AHEAD * u64::from(args.threads),
        counts: Mutex::new(Counts {
            begun: first,
            taken: first,
        }),
        taken: Condvar::new(),
    };
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        let mut result = Ok(());
        for _ in 0..args.threads {
            let (hall, sender) = (&hall, sender.clone());
            let spawned = thread::Builder::new().spawn_scoped(scope, move || hall.work(&sender));
            if let Err(error) = spawned {
                result = Err(Failure::work(format!(
                    "{} threads cannot be had: {error}; ask for fewer",
                    args.threads
                )));
                break;
            }
        }
        drop(sender);
        let result = result.and_then(|()| hall.collect(first, &receiver, take));
        hall.over.store(true, Ordering::Relaxed);
        result
    })
}

struct Counts {
    begun: u64,
    taken: u64,
}

/// What the threads share. The flags carry no data, so relaxed accesses do.
struct Hall<'a> {
    setup: &'a Setup,
    stop: &'a AtomicBool,
    over: AtomicBool,
    end: u64,
    ahead: u64,
    counts: Mutex<Counts>,
    taken: Condvar,
}

type Message = Result<Finished, Failure>;

impl Hall<'_> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.over.load(Ordering::Relaxed)
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays game after game until there is none left.
    fn work(&self, sender: &Sender<Message>) {
        let mut player = match SelfPlayer::new(self.setup) {
            Ok(player) => player,
            Err(failure) => {
                let _ = sender.send(Err(failure));
                return;
            }
        };
        while let Some(index) = self.next() {
            let played = catch_unwind(AssertUnwindSafe(|| player.play(index, || self.is_over())));
            let message = match played {
                Ok(Ok(None)) => return,
                Ok(Ok(Some(record))) => Ok(Finished::new(index, &record)),
                Ok(Err(failure)) => Err(failure),
                Err(_) => Err(Failure::work(format!(
                    "game {}: the engine panicked",
                    index + 1
                ))),
            };
            let failed = message.is_err();
            // Nobody listens any more when all is over.
            if sender.send(message).is_err() || failed {
                return;
            }
        }
    }

    /// The number of the next game to begin, as soon as it may.
    fn next(&self) -> Option<u64> {
        let mut counts = self.counts();
        while counts.begun >= counts.taken.saturating_add(self.ahead) && !self.is_over() {
            counts = self
                .taken
                .wait_timeout(counts, PATIENCE)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        if self.is_over() || counts.begun >= self.end {
            return None;
        }
        counts.begun += 1;
        Some(counts.begun - 1)
    }

    /// Puts the games in order.
    fn collect(
        &self,
        first: u64,
        receiver: &Receiver<Message>,
        take: &mut dyn FnMut(&Finished) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut waiting = BTreeMap::new();
        let mut next = first;
        for message in receiver {
            let finished = message?;
            waiting.insert(finished.index, finished);
            while let Some(finished) = waiting.remove(&next) {
                take(&finished)?;
                next += 1;
            }
            self.counts().taken = next;
            self.taken.notify_all();
        }
        Ok(())
    }
}
