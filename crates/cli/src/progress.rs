//! How far a run is, on standard error: a bar on a terminal, a line every 30 seconds in a log.

use std::{
    fmt::Display,
    io::{self, IsTerminal},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output;

/// How often a log gets a line; the first comes after as long.
const IN_LOG: Duration = Duration::from_secs(30);
/// How often a bar shows the time, even if nothing was counted.
const TICK: Duration = Duration::from_millis(500);

/// The progress of a part of a run. Threads may share it; dropping it takes the bar away.
pub struct Progress {
    bar: ProgressBar,
    is_terminal: bool,
    in_bytes: bool,
    start: Instant,
    first: u64,
    logged: Mutex<Instant>,
}

impl Progress {
    /// Counts `what`, in the plural (`games`), up to `total` if that is known.
    pub fn new(what: impl Into<String>, total: Option<u64>) -> Progress {
        let is_terminal = io::stderr().is_terminal();
        let target = if is_terminal {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let now = Instant::now();
        let bar = ProgressBar::with_draw_target(total, target).with_prefix(what.into());
        bar.set_style(style(total.is_some(), "pos", "len"));
        if is_terminal {
            bar.enable_steady_tick(TICK);
        }
        Progress {
            bar,
            is_terminal,
            in_bytes: false,
            start: now,
            first: 0,
            logged: Mutex::new(now),
        }
    }

    /// An earlier run has done so many already: they do not count for the rate and the time left.
    #[must_use]
    pub fn starting_at(mut self, done: u64) -> Progress {
        self.first = done;
        self.bar.set_position(done);
        self.bar.reset_eta();
        self
    }

    /// What is counted is bytes.
    #[must_use]
    pub fn in_bytes(mut self) -> Progress {
        self.in_bytes = true;
        let has_total = self.bar.length().is_some();
        self.bar.set_style(style(has_total, "bytes", "total_bytes"));
        self
    }

    /// Shows that `done` are done, with those of earlier runs, and a short message.
    pub fn set(&self, done: u64, message: impl Display) {
        self.bar.set_position(done);
        if self.is_terminal {
            self.bar.set_message(behind_comma(message));
        } else if self.is_due() {
            output::note(self.line(message));
        }
    }

    /// Counts `steps` more.
    pub fn advance(&self, steps: u64) {
        self.bar.inc(steps);
        if !self.is_terminal && self.is_due() {
            output::note(self.line(""));
        }
    }

    /// Prints a line to standard error, above the bar if there is one.
    pub fn note(&self, line: impl Display) {
        self.suspended(|| output::note(line));
    }

    /// Prints something while the bar is out of the way.
    pub fn suspended(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Steps a second, without those of earlier runs.
    pub fn rate(&self) -> f64 {
        let here = self.bar.position().saturating_sub(self.first);
        here as f64 / self.start.elapsed().as_secs_f64().max(1e-3)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn is_due(&self) -> bool {
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = logged.elapsed() >= IN_LOG;
        if is_due {
            *logged = Instant::now();
        }
        is_due
    }

    /// The line of a log.
    fn line(&self, message: impl Display) -> String {
        let count = |number: u64| match self.in_bytes {
            false => number.to_string(),
            true => HumanBytes(number).to_string(),
        };
        let done = self.bar.position();
        let mut line = format!("{} {}", self.bar.prefix(), count(done));
        if let Some(total) = self.bar.length() {
            line += &format!("/{}", count(total));
        }
        line += &behind_comma(message);
        let rest = self.bar.length().unwrap_or(0).saturating_sub(done);
        if rest > 0
            && done > self.first
            && let Ok(left) = Duration::try_from_secs_f64(rest as f64 / self.rate())
        {
            line += &format!(", about {} left", HumanDuration(left));
        }
        line
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

fn style(has_total: bool, done: &str, total: &str) -> ProgressStyle {
    let template = if has_total {
        format!("{{prefix}} [{{bar:24}}] {{{done}}}/{{{total}}}{{msg}}, {{elapsed}}, {{eta}} left")
    } else {
        format!("{{spinner}} {{prefix}} {{{done}}}{{msg}}, {{elapsed}}")
    };
    ProgressStyle::with_template(&template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}

/// A message as it stands behind a number.
fn behind_comma(message: impl Display) -> String {
    let message = message.to_string();
    if message.is_empty() {
        return message;
    }
    format!(", {message}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_says_how_far_and_how_long() {
        let mut progress = Progress::new("games", Some(40)).starting_at(10);
        progress.start = Instant::now() - Duration::from_secs(600);
        assert_eq!(progress.line(""), "games 10/40");
        progress.bar.set_position(20);
        assert_eq!(
            progress.line("7 wins"),
            "games 20/40, 7 wins, about 20 minutes left"
        );
        assert!((progress.rate() - 10.0 / 600.0).abs() < 1e-4);
        progress.bar.set_position(40);
        assert_eq!(progress.line(""), "games 40/40");
        // Bytes have units, and a total may be unknown.
        let bytes = Progress::new("reading", Some(4096)).in_bytes();
        bytes.advance(1024);
        assert!(bytes.line("").starts_with("reading 1.00 KiB/4.00 KiB"));
        assert_eq!(Progress::new("positions", None).line(""), "positions 0");
    }

    #[test]
    fn a_line_is_due_after_thirty_seconds() {
        let progress = Progress::new("games", None);
        assert!(!progress.is_due());
        *progress.logged.lock().unwrap() = Instant::now() - IN_LOG;
        assert!(progress.is_due());
        assert!(!progress.is_due());
    }
}
