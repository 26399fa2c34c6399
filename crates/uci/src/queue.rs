//! What waits for the session. There is an end to it: a program that never waits for an answer must
//! not fill the memory while a search runs.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crossbeam::channel::{self, Receiver, Sender};

use crate::{
    command::{Immediate, Task},
    control::TaskId,
};

/// Most bytes of lines that wait: some thousand positions of the longest games.
const MOST_WAITING: usize = 16 << 20;
/// A short line takes more memory than it has letters.
const LEAST_OF_A_LINE: usize = 256;

/// What the session has to do.
#[derive(Debug)]
pub(crate) enum Job {
    Task(TaskId, Task),
    Immediate(Immediate),
}

/// The end that the input thread has.
pub(crate) struct Queue {
    sender: Sender<(Job, usize)>,
    waiting: Arc<AtomicUsize>,
}

/// The end that the session has: the jobs in the order in which they were asked for.
pub(crate) struct Jobs {
    receiver: Receiver<(Job, usize)>,
    waiting: Arc<AtomicUsize>,
}

/// An empty queue.
pub(crate) fn queue() -> (Queue, Jobs) {
    let (sender, receiver) = channel::unbounded();
    let waiting = Arc::<AtomicUsize>::default();
    let queue = Queue {
        sender,
        waiting: waiting.clone(),
    };
    (queue, Jobs { receiver, waiting })
}

impl Queue {
    /// Is there room for a line of so many bytes?
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        self.waiting.load(Ordering::Relaxed) + bytes <= MOST_WAITING
    }

    /// Lets the job of a line of so many bytes wait for its turn, whether there is room or not.
    pub(crate) fn send(&self, job: Job, bytes: usize) {
        let bytes = bytes.max(LEAST_OF_A_LINE);
        self.waiting.fetch_add(bytes, Ordering::Relaxed);
        // The session only goes away with the whole process.
        let _ = self.sender.send((job, bytes));
    }
}

impl Iterator for Jobs {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        let (job, bytes) = self.receiver.recv().ok()?;
        self.waiting.fetch_sub(bytes, Ordering::Relaxed);
        Some(job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_again_when_something_is_done() {
        let (queue, mut jobs) = queue();
        for _ in 0..16 {
            assert!(queue.has_room(1 << 20));
            queue.send(Job::Immediate(Immediate::Eval), 1 << 20);
        }
        assert!(!queue.has_room(1));
        assert!(matches!(jobs.next(), Some(Job::Immediate(Immediate::Eval))));
        assert!(queue.has_room(1 << 20));
        drop(queue);
        assert_eq!(jobs.count(), 15);
    }
}
