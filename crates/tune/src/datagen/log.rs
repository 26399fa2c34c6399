//! How far the games are: a bar on a terminal, a line now and then in a log.

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::player::Finished;
use crate::say;

/// How often a log gets a line.
const IN_LOG: Duration = Duration::from_secs(30);

/// The progress of a run.
pub(super) struct Log {
    begun_with: u64,
    wanted: Option<u64>,
    games: u64,
    positions: u64,
    nodes: u64,
    start: Instant,
    /// `None` where standard error is no terminal.
    bar: Option<ProgressBar>,
    logged: Instant,
}

impl Log {
    /// Of a file that holds `begun_with` games and should hold `wanted`.
    pub(super) fn new(begun_with: u64, wanted: Option<u64>) -> Log {
        let now = Instant::now();
        Log {
            begun_with,
            wanted,
            games: 0,
            positions: 0,
            nodes: 0,
            start: now,
            bar: io::stderr().is_terminal().then(|| bar(begun_with, wanted)),
            logged: now,
        }
    }

    /// A game was written.
    pub(super) fn show(&mut self, finished: &Finished) {
        self.games += 1;
        self.positions += finished.positions;
        self.nodes += finished.nodes;
        if let Some(bar) = &self.bar {
            bar.set_message(self.rates());
            bar.inc(1);
        } else if self.logged.elapsed() >= IN_LOG {
            self.logged = Instant::now();
            say::note(self.line());
        }
    }

    /// The last word.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        say::note(self.line());
    }

    fn line(&self) -> String {
        let games = self.begun_with + self.games;
        let elapsed = self.start.elapsed();
        let of = self.wanted.map(|all| format!("/{all}")).unwrap_or_default();
        let left = self
            .wanted
            .filter(|_| self.games > 0)
            .map(|all| {
                let left = all.saturating_sub(games) as f64 / self.games as f64;
                format!(", {} left", HumanDuration(elapsed.mul_f64(left)))
            })
            .unwrap_or_default();
        format!("games {games}{of}, {}{left}", self.rates())
    }

    fn rates(&self) -> String {
        let seconds = self.start.elapsed().as_secs_f64().max(1e-3);
        format!(
            "{} positions here, {:.0} positions/s, {:.0} nodes/position, {:.2} games/s",
            self.positions,
            self.positions as f64 / seconds,
            self.nodes as f64 / self.positions.max(1) as f64,
            self.games as f64 / seconds,
        )
    }
}

fn bar(begun_with: u64, wanted: Option<u64>) -> ProgressBar {
    let (bar, template) = match wanted {
        Some(all) => (
            ProgressBar::new(all),
            "[{bar:24}] {pos}/{len} games, {msg}, {elapsed}, {eta} left",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {pos} games, {msg}, {elapsed}",
        ),
    };
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    let bar = bar.with_style(style).with_position(begun_with);
    bar.reset_eta();
    bar
}
