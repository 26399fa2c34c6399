//! Tactical problems: positions with the moves that are right, and the judge of a search's choices.

use std::fs;

use sextant_board::{Epd, Move, to_fen, to_san};
use sextant_search::{Bound, Event, Outcome};

use crate::error::LabError;
use crate::experiment::Context;

/// Reinfeld's and the Encyclopedia's combinations.
const BUILT_IN: &str = include_str!("../../../testdata/tactics.epd");

/// A position and what is right in it.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The position with its best moves or those to avoid.
    pub epd: Epd,
    /// Its name in the suite, else its number there.
    pub name: String,
}

impl Problem {
    /// Is this the move?
    #[must_use]
    pub fn is_right(&self, mv: Move) -> bool {
        let named = self.epd.bm.is_empty() || self.epd.bm.contains(&mv);
        named && !self.epd.am.contains(&mv)
    }

    /// The position as FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        to_fen(&self.epd.position, false)
    }

    /// The right moves in the usual notation; those to avoid with "not" before them.
    #[must_use]
    pub fn answer(&self) -> String {
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
///
/// # Errors
/// When the suite is missing or broken.
pub fn choose(context: &Context<'_>, count: usize) -> Result<Vec<Problem>, LabError> {
    let mut all = Vec::new();
    if let Some(path) = &context.suite {
        let text = fs::read_to_string(path).map_err(|cause| LabError::MissingSuite {
            path: path.clone(),
            cause,
        })?;
        all = parse(&text, &path.display().to_string())?;
    }
    if all.is_empty() {
        all = parse(BUILT_IN, "the built-in list of combinations")?;
    }
    let count = count.min(all.len());
    Ok((0..count)
        .map(|index| all[index * all.len() / count].clone())
        .collect())
}

/// The lines that name moves; others are positions for other experiments.
fn parse(text: &str, origin: &str) -> Result<Vec<Problem>, LabError> {
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let epd = Epd::parse(line).map_err(|error| LabError::BadPosition {
            origin: origin.to_owned(),
            line: index + 1,
            text: line.to_owned(),
            cause: error.to_string(),
        })?;
        if epd.bm.is_empty() && epd.am.is_empty() {
            continue;
        }
        let number = || format!("line {}", index + 1);
        let name = epd.id.clone().unwrap_or_else(number);
        problems.push(Problem { epd, name });
    }
    Ok(problems)
}

/// When a search came to the right move and stayed with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Nodes at the end of the first iteration of the last stretch of right choices.
    pub nodes: u64,
    /// Its nominal depth in plies.
    pub depth: u32,
}

/// Follows the iterations of a search.
pub struct Judge<'a> {
    problem: &'a Problem,
    since: Option<Solved>,
}

impl<'a> Judge<'a> {
    /// A judge for one search.
    #[must_use]
    pub fn new(problem: &'a Problem) -> Judge<'a> {
        Judge {
            problem,
            since: None,
        }
    }

    /// Notes what an iteration chose.
    pub fn hear(&mut self, event: &Event) {
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
    #[must_use]
    pub fn verdict(mut self, outcome: &Outcome) -> Option<Solved> {
        let mv = outcome.best?;
        self.note(mv, outcome.nodes, outcome.depth());
        self.since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_problems_all_name_moves() {
        let problems = choose(&Context::quick(1), usize::MAX).unwrap();
        assert_eq!(problems.len(), 483);
        assert!(problems.iter().all(|problem| !problem.answer().is_empty()));
        assert_eq!(problems[0].name, "WAC.001");
        assert_eq!(problems[0].answer(), "Qg6");
    }

    #[test]
    fn only_the_last_stretch_of_right_choices_counts() {
        let problem = &parse("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8+;", "x").unwrap()[0];
        let right = problem.epd.bm[0];
        let wrong = Move {
            to: sextant_board::Square::A2,
            ..right
        };
        let mut judge = Judge::new(problem);
        for (mv, nodes) in [(right, 10), (wrong, 20), (right, 30), (right, 40)] {
            judge.note(mv, nodes, 3);
        }
        assert_eq!(
            judge.since,
            Some(Solved {
                nodes: 30,
                depth: 3
            })
        );
    }

    #[test]
    fn positions_without_an_answer_are_no_problems() {
        let text = "4k3/8/8/8/8/8/8/4K3 w - -\n4k3/8/8/8/8/8/8/R3K3 w - - am Ra7;\n";
        let problems = parse(text, "x").unwrap();
        assert_eq!(problems.len(), 1);
        assert_eq!(
            (problems[0].name.as_str(), problems[0].answer().as_str()),
            ("line 2", "not Ra7")
        );
        let bad = parse("4k3/8/8/8/8/8/8/R3K3 w - - bm Qa7;\n", "x.epd").unwrap_err();
        assert!(bad.to_string().starts_with("x.epd, line 1"), "{bad}");
    }
}
