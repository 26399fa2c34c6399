//! Tactical problems: positions with the moves that are right.

use sextant_board::{Epd, Move, to_san};

use crate::experiments::prelude::*;
use crate::positions::{self, Line};

/// A position and what is right in it.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// The position with its best moves or those to avoid.
    pub(super) epd: Epd,
    /// Its name in the suite, else its number there.
    pub(super) name: String,
}

impl Problem {
    /// A line that names moves; others are positions for other experiments.
    fn of((number, epd): Line) -> Option<Problem> {
        let named = !epd.bm.is_empty() || !epd.am.is_empty();
        let name = epd.id.clone().unwrap_or_else(|| format!("line {number}"));
        named.then_some(Problem { epd, name })
    }

    /// The right moves in the usual notation; those to avoid with "not" before them.
    pub(super) fn answer(&self) -> String {
        let names = |moves: &[Move]| {
            let sans = moves.iter().map(|&mv| to_san(&self.epd.position, mv));
            sans.collect::<Vec<_>>().join(" or ")
        };
        if self.epd.bm.is_empty() {
            format!("not {}", names(&self.epd.am))
        } else {
            names(&self.epd.bm)
        }
    }
}

/// At most `count` problems, spread evenly over the run's suite if that names best moves, else over
/// the built-in ones.
pub(super) fn choose(context: &Context, count: usize) -> Result<Vec<Problem>, Failure> {
    let problems = |lines: Vec<Line>| lines.into_iter().filter_map(Problem::of).collect();
    let own = context.suite.as_deref().map(positions::read).transpose()?;
    let mut all: Vec<Problem> = problems(own.unwrap_or_default());
    if all.is_empty() {
        all = problems(positions::tactics()?);
    }
    Ok(positions::spread(&all, count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::quick;

    fn problem(number: usize, line: &str) -> Option<Problem> {
        Problem::of((number, Epd::parse(line).unwrap()))
    }

    #[test]
    fn the_built_in_problems_all_name_moves() {
        let problems = choose(&quick(1), usize::MAX).unwrap();
        assert_eq!(problems.len(), 483);
        assert_eq!(problems[0].name, "WAC.001");
        assert_eq!(problems[0].answer(), "Qg6");
    }

    #[test]
    fn positions_without_an_answer_are_no_problems() {
        assert!(problem(1, "4k3/8/8/8/8/8/8/4K3 w - -").is_none());
        let avoid = problem(2, "4k3/8/8/8/8/8/8/R3K3 w - - am Ra7;").unwrap();
        assert_eq!(
            (avoid.name.as_str(), avoid.answer().as_str()),
            ("line 2", "not Ra7")
        );
    }
}
