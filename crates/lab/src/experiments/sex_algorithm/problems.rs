//! Tactical problems: positions with the moves that are right, and the judge of a search's choices.

use sextant_board::{Epd, Move, to_san};
use sextant_search::{Bound, Event, Outcome};

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

    fn is_right(&self, mv: Move) -> bool {
        let named = self.epd.bm.is_empty() || self.epd.bm.contains(&mv);
        named && !self.epd.am.contains(&mv)
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

/// When a search came to the right move and stayed with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Solved {
    /// Nodes at the end of the first iteration of the last stretch of right choices.
    pub(super) nodes: u64,
    /// Its nominal depth in plies.
    pub(super) depth: u32,
}

/// Follows the iterations of a search.
pub(super) struct Judge<'a> {
    problem: &'a Problem,
    since: Option<Solved>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(problem: &'a Problem) -> Judge<'a> {
        let since = None;
        Judge { problem, since }
    }

    /// Notes what an iteration chose.
    pub(super) fn hear(&mut self, event: &Event) {
        if let Event::Info(info) = event
            && info.bound == Bound::Exact
            && let Some(&mv) = info.pv.first()
        {
            self.note(mv, info.totals.nodes, info.depth);
        }
    }

    fn note(&mut self, mv: Move, nodes: u64, depth: u32) {
        if !self.problem.is_right(mv) {
            self.since = None;
        } else if self.since.is_none() {
            self.since = Some(Solved { nodes, depth });
        }
    }

    /// Since when the search's final choice was right; `None` if it was wrong.
    pub(super) fn solved(mut self, outcome: &Outcome) -> Option<Solved> {
        self.note(outcome.best?, outcome.nodes, outcome.depth());
        self.since
    }
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
    fn only_the_last_stretch_of_right_choices_counts() {
        let problem = problem(1, "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8+;").unwrap();
        let right = problem.epd.bm[0];
        let wrong = Move {
            to: sextant_board::Square::A2,
            ..right
        };
        let mut judge = Judge::new(&problem);
        for (mv, nodes) in [(right, 10), (wrong, 20), (right, 30), (right, 40)] {
            judge.note(mv, nodes, 3);
        }
        let (nodes, depth) = (30, 3);
        assert_eq!(judge.since, Some(Solved { nodes, depth }));
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
