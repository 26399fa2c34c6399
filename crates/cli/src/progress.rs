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
///
/// ```
/// use sextant_cli::progress::Progress;
///
/// let progress = Progress::new("games", Some(400)).starting_at(100);
/// for game in 101..=400 {
///     progress.set(game, format_args!("{:.1} games/s", progress.rate()));
/// }
/// progress.note("a line above the bar");
/// progress.finish();
/// ```
pub struct Progress {
    bar: ProgressBar,
    is_terminal: bool,
    what: String,
    unit: Unit,
    start: Instant,
    first: u64,
    logged: Mutex<Instant>,
}

#[derive(Clone, Copy)]
enum Unit {
    Steps,
    Bytes,
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
        let progress = Progress {
            bar: ProgressBar::with_draw_target(total, target),
            is_terminal,
            what: what.into(),
            unit: Unit::Steps,
            start: now,
            first: 0,
            logged: Mutex::new(now),
        };
        progress.set_style();
        if is_terminal {
            progress.bar.enable_steady_tick(TICK);
        }
        progress
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
        self.unit = Unit::Bytes;
        self.set_style();
        self
    }

    fn set_style(&self) {
        let (done, total) = match self.unit {
            Unit::Steps => ("pos", "len"),
            Unit::Bytes => ("bytes", "total_bytes"),
        };
        let template = match self.bar.length() {
            Some(_) => {
                format!(
                    "{{prefix}} [{{bar:24}}] {{{done}}}/{{{total}}}{{msg}}, {{elapsed}}, {{eta}} left"
                )
            }
            None => format!("{{spinner}} {{prefix}} {{{done}}}{{msg}}, {{elapsed}}"),
        };
        let style = ProgressStyle::with_template(&template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ");
        self.bar.set_style(style);
        self.bar.set_prefix(self.what.clone());
    }

    /// Shows that `done` are done, with those of earlier runs, and a short message.
    pub fn set(&self, done: u64, message: impl Display) {
        self.bar.set_position(done);
        if self.is_terminal {
            self.bar.set_message(behind_comma(message));
        } else if self.is_due() {
            output::note(self.line(&behind_comma(message)));
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
        self.bar.suspend(|| output::note(line));
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
    fn line(&self, message: &str) -> String {
        let count = |number: u64| match self.unit {
            Unit::Steps => number.to_string(),
            Unit::Bytes => HumanBytes(number).to_string(),
        };
        let done = self.bar.position();
        let total = self.bar.length();
        let of = total.map(|total| format!("/{}", count(total)));
        let left = total.and_then(|total| self.left(done, total));
        let left = left.map(|left| format!(", about {} left", HumanDuration(left)));
        format!(
            "{} {}{}{message}{}",
            self.what,
            count(done),
            of.unwrap_or_default(),
            left.unwrap_or_default()
        )
    }

    /// The time that the rest takes at the rate of this run.
    fn left(&self, done: u64, total: u64) -> Option<Duration> {
        let rest = total.checked_sub(done).filter(|&rest| rest > 0)?;
        let here = done.checked_sub(self.first).filter(|&here| here > 0)?;
        let left = self.start.elapsed().as_secs_f64() * rest as f64 / here as f64;
        Duration::try_from_secs_f64(left).ok()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
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
            progress.line(", 7 wins"),
            "games 20/40, 7 wins, about 20 minutes left"
        );
        assert!((progress.rate() - 10.0 / 600.0).abs() < 1e-4);
        progress.bar.set_position(40);
        assert_eq!(progress.line(""), "games 40/40");
    }

    #[test]
    fn a_total_may_be_unknown_and_bytes_have_units() {
        let progress = Progress::new("positions", None);
        progress.advance(3);
        assert_eq!(progress.line(""), "positions 3");
        let bytes = Progress::new("reading", Some(4096)).in_bytes();
        bytes.set(1024, "");
        assert!(bytes.line("").starts_with("reading 1.00 KiB/4.00 KiB"));
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
