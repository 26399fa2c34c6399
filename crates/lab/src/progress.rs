//! Progress bars on standard error.

use std::cell::RefCell;

use indicatif::{ProgressBar, ProgressStyle};
use sextant_lab::experiment::Progress;

/// Shows one bar at a time; nothing at all where standard error is no terminal.
#[derive(Default)]
pub(crate) struct Bar(RefCell<Option<ProgressBar>>);

impl Bar {
    /// Takes the bar away, so that something can be printed.
    pub(crate) fn clear(&self) {
        if let Some(bar) = self.0.borrow_mut().take() {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bar {
    fn begin(&self, steps: u64, what: &str) {
        self.clear();
        let template = "{msg:34} [{bar:30}] {pos}/{len} {elapsed}, {eta} left";
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ");
        let bar = ProgressBar::new(steps)
            .with_style(style)
            .with_message(what.to_owned());
        *self.0.borrow_mut() = Some(bar);
    }

    fn step(&self) {
        if let Some(bar) = self.0.borrow().as_ref() {
            bar.inc(1);
        }
    }
}
