//! Perft for people and scripts: per root move, with a way to stop it.

use std::{
    fmt,
    time::{Duration, Instant},
};

use sextant_board::{MoveSets, Position, display_uci_move, perft};
use sextant_cli::progress::Progress;
use sextant_search::per_second;

use crate::output::Output;

/// Subtrees of this depth are counted without a look at the stop flag: at most some seconds.
const UNSTOPPED: u32 = 4;

/// The result of a count.
pub(crate) struct Counted {
    total: u64,
    time: Duration,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ms, speed) = (self.time.as_millis(), per_second(self.total, self.time));
        write!(f, "{ms} ms, {speed} nps")
    }
}

impl Counted {
    /// The last lines in UCI.
    pub(crate) fn uci(&self) -> String {
        format!("\ninfo string {self}\nNodes searched: {}", self.total)
    }
}

/// Counts and prints for a person, who sees on standard error how far it is.
pub(crate) fn run(position: &Position, depth: u32, chess960: bool, output: &Output) {
    let moves = MoveSets::generate(position).iter().count();
    let progress = Progress::new("root moves", Some(moves as u64));
    let print = |line: String| {
        progress.suspended(|| output.line(line));
        progress.advance(1);
    };
    if let Some(counted) = divide((position, depth), chess960, &print, &|| false) {
        progress.finish();
        output.line(format_args!(
            "\nNodes searched: {}\n{counted}",
            counted.total
        ));
    }
}

/// Hands the count of each root move to `print` and returns the sum; `None` if `is_stopped` ended
/// it.
pub(crate) fn divide(
    (position, depth): (&Position, u32),
    chess960: bool,
    print: &dyn Fn(String),
    is_stopped: &dyn Fn() -> bool,
) -> Option<Counted> {
    let start = Instant::now();
    let mut total = 0;
    if depth == 0 {
        total = 1;
    } else {
        for mv in MoveSets::generate(position).iter() {
            let nodes = count(&position.make(mv).0, depth - 1, is_stopped)?;
            total += nodes;
            let mv = display_uci_move(position, mv, chess960);
            print(format!("{mv}: {nodes}"));
        }
    }
    let time = start.elapsed();
    Some(Counted { total, time })
}

/// The legal lines of `depth` plies; `None` if `is_stopped` ended it.
pub(crate) fn count(position: &Position, depth: u32, is_stopped: &dyn Fn() -> bool) -> Option<u64> {
    if is_stopped() {
        return None;
    }
    if depth <= UNSTOPPED {
        return Some(perft(position, depth));
    }
    let moves = MoveSets::generate(position);
    moves
        .iter()
        .map(|mv| count(&position.make(mv).0, depth - 1, is_stopped))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_right_below_and_above_the_unstopped_depth() {
        let start = Position::startpos();
        assert_eq!(count(&start, 3, &|| false), Some(8_902));
        assert_eq!(count(&start, 5, &|| false), Some(4_865_609));
        assert_eq!(count(&start, 5, &|| true), None);
    }
}
