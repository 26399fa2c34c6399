//! The line that shows how a match goes, on standard error.

use std::{
    io::{self, IsTerminal, Write as _},
    time::{Duration, Instant},
};

use sextant_play::{Plan, Sprt, Tally};

use super::summary::{elo_text, percent, share, superiority_text};

/// How often the line is renewed on a terminal, and in a log.
const ON_TERMINAL: Duration = Duration::from_millis(250);
const IN_LOG: Duration = Duration::from_secs(15);

/// The line.
pub(super) struct Live {
    sprt: Option<Sprt>,
    games: Option<u64>,
    terminal: bool,
    /// When it was last shown, since the start.
    shown: Option<Duration>,
    /// Games that an earlier run of this match played.
    before: u64,
    begun: Instant,
}

impl Live {
    /// Of a match that goes on after `so_far`.
    pub(super) fn new(plan: &Plan, so_far: &Tally) -> Live {
        let games = plan.pairs.map(|pairs| 2 * pairs);
        Live {
            sprt: plan.sprt,
            games,
            terminal: io::stderr().is_terminal(),
            shown: None,
            before: so_far.games(),
            begun: Instant::now(),
        }
    }

    /// Shows the results so far, unless it did so just now.
    pub(super) fn show(&mut self, tally: &Tally, elapsed: Duration) {
        let pause = if self.terminal { ON_TERMINAL } else { IN_LOG };
        if self.shown.is_some_and(|shown| elapsed < shown + pause) {
            return;
        }
        self.shown = Some(elapsed);
        let line = self.line(tally);
        // Nobody may be there to read it; the match goes on.
        let mut stderr = io::stderr().lock();
        let _ = if self.terminal {
            write!(stderr, "\r\x1b[2K{line}").and_then(|()| stderr.flush())
        } else {
            writeln!(stderr, "{line}")
        };
    }

    /// Leaves the line, so that what comes next does not run into it.
    pub(super) fn finish(&self) {
        if self.terminal && self.shown.is_some() {
            eprintln!();
        }
    }

    fn line(&self, tally: &Tally) -> String {
        let games = tally.games();
        let of = self.games.map(|all| format!("/{all}")).unwrap_or_default();
        let llr = self.sprt.map(|sprt| {
            let (lower, upper) = sprt.bounds();
            format!(
                "  LLR {:.2} [{lower:.2}, {upper:.2}]",
                sprt.llr(&tally.pairs)
            )
        });
        format!(
            "games {games}{of}  +{} ={} -{}  draws {}  {:?}  Elo {}  LOS {}{}  {:.2} games/s",
            tally.wins,
            tally.draws,
            tally.losses,
            percent(share(tally.draws, games)),
            tally.pairs.0,
            elo_text(&tally.pairs),
            superiority_text(&tally.pairs),
            llr.unwrap_or_default(),
            (games - self.before) as f64 / self.begun.elapsed().as_secs_f64().max(1e-3),
        )
    }
}
