//! How far the run is: a bar on a terminal, a line now and then in a log.

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::say;

/// How often a log gets a line.
const IN_LOG: Duration = Duration::from_secs(30);

/// The progress of a part of the run.
pub(crate) struct Display {
    /// `None` where standard error is no terminal.
    bar: Option<ProgressBar>,
    start: Instant,
    logged: Option<Instant>,
    begun_with: u64,
    all: u64,
}

impl Display {
    /// Of `all` steps, `begun_with` of which are done.
    pub(crate) fn new(what: &'static str, begun_with: u64, all: u64) -> Display {
        let bar = io::stderr().is_terminal().then(|| {
            let template = "{prefix} [{bar:24}] {pos}/{len}, {msg}, {elapsed}, {eta} left";
            let style = ProgressStyle::with_template(template)
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .progress_chars("=> ");
            let bar = ProgressBar::new(all).with_style(style).with_prefix(what);
            let bar = bar.with_position(begun_with);
            bar.reset_eta();
            bar
        });
        Display {
            bar,
            start: Instant::now(),
            logged: None,
            begun_with,
            all,
        }
    }

    /// Shows that `done` steps are done.
    pub(crate) fn show(&mut self, done: u64, message: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(message.to_owned());
            bar.set_position(done);
            return;
        }
        let is_due = self.logged.is_none_or(|logged| logged.elapsed() >= IN_LOG);
        if is_due || done >= self.all {
            self.logged = Some(Instant::now());
            say::note(format_args!("{message}{}", self.left(done)));
        }
    }

    fn left(&self, done: u64) -> String {
        let here = done.saturating_sub(self.begun_with).max(1) as f64;
        let left = self.all.saturating_sub(done) as f64 / here;
        if left == 0.0 {
            return String::new();
        }
        format!(
            ", about {} left",
            HumanDuration(self.start.elapsed().mul_f64(left))
        )
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
