//! Perft for people and scripts: per root move, with a way to stop it.

use std::{
    fmt,
    time::{Duration, Instant},
};

use sextant_board::{MoveSets, Position, display_uci_move, perft};

use crate::{format::per_second, output::Output};

/// Subtrees of this depth are counted without a look at the stop flag: at most some seconds.
const UNSTOPPED: u32 = 4;

pub(crate) struct Total {
    nodes: u64,
    time: Duration,
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Total { nodes, time } = *self;
        let speed = per_second(nodes, time);
        write!(
            f,
            "\ninfo string {} ms, {speed} nps\nNodes searched: {nodes}",
            time.as_millis()
        )
    }
}

/// Prints the count of each root move and returns the sum; `None` if `is_stopped` ended it.
pub(crate) fn divide(
    position: &Position,
    depth: u32,
    chess960: bool,
    output: &Output,
    is_stopped: &dyn Fn() -> bool,
) -> Option<Total> {
    let start = Instant::now();
    let mut total = if depth == 0 { 1 } else { 0 };
    if depth > 0 {
        for mv in MoveSets::generate(position).iter() {
            let nodes = count(&position.make(mv).0, depth - 1, is_stopped)?;
            total += nodes;
            output.line(format_args!(
                "{}: {nodes}",
                display_uci_move(position, mv, chess960)
            ));
        }
    }
    Some(Total {
        nodes: total,
        time: start.elapsed(),
    })
}

/// The legal lines of `depth` plies; `None` if `is_stopped` ended it.
fn count(position: &Position, depth: u32, is_stopped: &dyn Fn() -> bool) -> Option<u64> {
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
