//! What a run shows: a bar where someone looks, plain lines elsewhere.

use std::{io::IsTerminal, path::Path, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};

use super::{export::Report, log::Row, options::Options};
use crate::say;

const TEMPLATE: &str = "{elapsed_precise} [{wide_bar}] {percent}% {msg} (ETA {eta})";

/// Shows how far a run is.
pub(super) struct Display {
    bar: ProgressBar,
    batch: u64,
    first: u64,
}

impl Display {
    /// For a run of `all` batches of `batch` positions that begins after `done` of them.
    pub(super) fn new(done: u64, all: u64, batch: u64) -> Display {
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::new(all).with_position(done)
        } else {
            ProgressBar::hidden()
        };
        let style =
            ProgressStyle::with_template(TEMPLATE).expect("a constant that a test has read");
        bar.set_style(style.progress_chars("=> "));
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(500));
        Display {
            bar,
            batch,
            first: done,
        }
    }

    /// A line above the bar.
    fn say(&self, line: &str) {
        self.bar.suspend(|| say::note(line));
    }

    /// Says what is about to be done.
    pub(super) fn begin(&self, options: &Options, positions: u64, valid: usize) {
        let passes = (options.batches() as f64) * self.batch as f64 / positions as f64;
        self.say(&format!(
            "{positions} positions to learn from, {valid} to measure with; hidden layer of {}, {} \
             superbatches = {passes:.1} passes over the data, from batch {} on",
            options.hidden, options.superbatches, self.first,
        ));
    }

    /// A batch was learnt from.
    pub(super) fn batch(&self, done: u64) {
        self.bar.set_position(done);
        self.bar
            .set_message(format!("{:.0} positions/s", self.speed(done)));
    }

    fn speed(&self, done: u64) -> f64 {
        let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
        ((done - self.first) * self.batch) as f64 / seconds
    }

    /// A superbatch was measured.
    pub(super) fn superbatch(&self, row: &Row, constant: f64) {
        let done = row.positions / self.batch;
        self.say(&format!(
            "superbatch {:4}  rate {:.6}  training {:.6}  validation {:.6} = {:.4} of the best constant's  \
             {:.0} positions/s",
            row.superbatch,
            row.rate,
            row.train,
            row.valid,
            row.valid / constant,
            self.speed(done),
        ));
    }

    /// All batches are done.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// The network was written.
    pub(super) fn exported(&self, path: &Path, report: &Report) {
        self.say(&format!("{}\n{report}", path.display()));
    }
}
