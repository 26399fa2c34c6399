//! Perft for people and scripts: per root move, with a way to stop it.

use std::time::Instant;

use sextant_board::{MoveSets, Position, display_uci_move, perft};
use sextant_search::per_second;

use crate::output::Output;

/// Subtrees of this depth are counted without a look at the stop flag: at most some seconds.
const UNSTOPPED: u32 = 4;

/// Prints the count of each root move and returns the last lines, with the sum; `None` if
/// `is_stopped` ended it.
pub(crate) fn divide(
    position: &Position,
    depth: u32,
    chess960: bool,
    output: &Output,
    is_stopped: &dyn Fn() -> bool,
) -> Option<String> {
    let start = Instant::now();
    let mut total = 0;
    if depth == 0 {
        total = 1;
    } else {
        for mv in MoveSets::generate(position).iter() {
            let nodes = count(&position.make(mv).0, depth - 1, is_stopped)?;
            total += nodes;
            let mv = display_uci_move(position, mv, chess960);
            output.line(format_args!("{mv}: {nodes}"));
        }
    }
    let time = start.elapsed();
    let (ms, speed) = (time.as_millis(), per_second(total, time));
    Some(format!(
        "\ninfo string {ms} ms, {speed} nps\nNodes searched: {total}"
    ))
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
