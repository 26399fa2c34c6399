//! What an experiment hands back: tables, figures and a verdict.

use serde::{Deserialize, Serialize};

/// The whole result of one experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The numbers.
    pub tables: Vec<Table>,
    /// The pictures.
    pub figures: Vec<Figure>,
    /// What they say about the source's claim.
    pub verdict: Verdict,
}

/// A named table; every row has one cell for each column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Short name for file names: lower case, digits and hyphens.
    pub name: String,
    /// One line that says what the table shows, with units.
    pub title: String,
    /// Heads of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table.
    #[must_use]
    pub fn new(name: &str, title: &str, columns: &[&str]) -> Table {
        Table {
            name: name.to_owned(),
            title: title.to_owned(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Appends a row.
    pub fn row<const N: usize>(&mut self, cells: [Cell; N]) {
        debug_assert_eq!(N, self.columns.len(), "table {}", self.name);
        self.rows.push(cells.into());
    }
}

/// One entry of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A whole number, shown with separators.
    Count(i64),
    /// A measured number and how many decimals of it mean something.
    Real(f64, usize),
    /// Nothing was measured here.
    Empty,
}

impl Cell {
    /// A measured number, shown with `decimals` decimals.
    #[must_use]
    pub fn real(value: f64, decimals: usize) -> Cell {
        Cell::Real(value, decimals)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<i64> for Cell {
    fn from(count: i64) -> Cell {
        Cell::Count(count)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        i64::try_from(count).map_or_else(|_| Cell::Text(count.to_string()), Cell::Count)
    }
}

impl From<u32> for Cell {
    fn from(count: u32) -> Cell {
        Cell::Count(count.into())
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Cell {
        Cell::from(count as u64)
    }
}

/// A picture, described rather than drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Figure {
    /// Lines and dots on two axes.
    Chart(Chart),
    /// A search tree.
    Tree(TreeFigure),
}

/// Lines and dots on two axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, in the order of the legend.
    pub series: Vec<Series>,
}

/// An axis: what it counts, and whether it counts in powers of ten.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// What is counted, with its unit.
    pub label: String,
    /// Logarithmic scale; points at or below 0 are left out then.
    pub log: bool,
}

impl Axis {
    /// An axis with equal steps.
    #[must_use]
    pub fn linear(label: &str) -> Axis {
        Axis {
            label: label.to_owned(),
            log: false,
        }
    }

    /// An axis with equal factors.
    #[must_use]
    pub fn log(label: &str) -> Axis {
        Axis {
            label: label.to_owned(),
            log: true,
        }
    }
}

/// One line or cloud of dots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Name in the legend.
    pub label: String,
    /// How it is drawn.
    pub stroke: Stroke,
    /// Points in drawing order.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// A series of `points`.
    #[must_use]
    pub fn new(label: &str, stroke: Stroke, points: Vec<(f64, f64)>) -> Series {
        Series {
            label: label.to_owned(),
            stroke,
            points,
        }
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stroke {
    /// A line.
    Solid,
    /// A dashed line.
    Dashed,
    /// Dots only.
    Dots,
}

/// A search tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeFigure {
    /// What it shows.
    pub title: String,
    /// The tree.
    pub root: TreeNode,
}

/// A node of a drawn tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeNode {
    /// Text at the node.
    pub label: String,
    /// Text on the branch that leads here.
    pub branch: String,
    /// Whether the branch that leads here is drawn heavily (the principal variation, say).
    pub heavy: bool,
    /// Children, from left to right.
    pub children: Vec<TreeNode>,
    /// Branches that were cut off, drawn as dashed stubs.
    pub skipped: usize,
}

/// What an experiment says about the claim that it tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// In a word.
    pub outcome: Outcome,
    /// In a sentence.
    pub summary: String,
    /// One by one.
    pub findings: Vec<Finding>,
}

impl Verdict {
    /// A verdict whose outcome follows from its findings: where all that were tested came out
    /// alike it is theirs, without any it was not tested, and otherwise it holds in part.
    #[must_use]
    pub fn of(summary: String, findings: Vec<Finding>) -> Verdict {
        let tested: Vec<Outcome> = findings
            .iter()
            .filter_map(|finding| finding.outcome)
            .collect();
        let outcome = match tested.split_first() {
            None => Outcome::Untested,
            Some((&first, others)) if others.iter().all(|&other| other == first) => first,
            Some(_) => Outcome::HoldsInPart,
        };
        Verdict {
            outcome,
            summary,
            findings,
        }
    }
}

/// Whether a claim stood the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It did.
    Holds,
    /// Only under conditions, or only some of it.
    HoldsInPart,
    /// It did not.
    Fails,
    /// The evidence does not decide it: what was seen may be chance.
    Undecided,
    /// There was no test.
    Untested,
}

impl Outcome {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Outcome::Holds => "holds",
            Outcome::HoldsInPart => "holds in part",
            Outcome::Fails => "does not hold",
            Outcome::Undecided => "is undecided",
            Outcome::Untested => "was not tested",
        }
    }
}

/// One thing that was tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Whether it stood; nothing if it is a measurement that no source made a claim about.
    pub outcome: Option<Outcome>,
    /// What was tested and what came out.
    pub text: String,
}

impl Finding {
    /// A finding that holds or fails.
    #[must_use]
    pub fn tested(holds: bool, text: impl Into<String>) -> Finding {
        let outcome = if holds {
            Outcome::Holds
        } else {
            Outcome::Fails
        };
        Finding {
            outcome: Some(outcome),
            text: text.into(),
        }
    }

    /// A finding that rests on a statistical test: undecided where the difference is not
    /// `significant`, whichever way it points.
    #[must_use]
    pub fn by_test(significant: bool, as_claimed: bool, text: impl Into<String>) -> Finding {
        let tested = Finding::tested(as_claimed, text);
        Finding {
            outcome: if significant {
                tested.outcome
            } else {
                Some(Outcome::Undecided)
            },
            ..tested
        }
    }

    /// A finding between the two.
    #[must_use]
    pub fn partly(text: impl Into<String>) -> Finding {
        Finding {
            outcome: Some(Outcome::HoldsInPart),
            text: text.into(),
        }
    }

    /// A measurement about which nothing was claimed.
    #[must_use]
    pub fn noted(text: impl Into<String>) -> Finding {
        Finding {
            outcome: None,
            text: text.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outcome_follows_from_what_was_tested() {
        let outcome = |findings: Vec<Finding>| Verdict::of(String::new(), findings).outcome;
        let (good, bad) = (Finding::tested(true, ""), Finding::tested(false, ""));
        let noted = Finding::noted("");
        assert_eq!(outcome(vec![good.clone(), noted.clone()]), Outcome::Holds);
        assert_eq!(outcome(vec![bad.clone(), noted.clone()]), Outcome::Fails);
        assert_eq!(outcome(vec![good.clone(), bad]), Outcome::HoldsInPart);
        assert_eq!(outcome(vec![noted]), Outcome::Untested);
        let unclear = Finding::by_test(false, true, "");
        assert_eq!(outcome(vec![unclear.clone()]), Outcome::Undecided);
        assert_eq!(outcome(vec![good, unclear]), Outcome::HoldsInPart);
    }

    #[test]
    fn a_difference_that_may_be_chance_decides_nothing() {
        let outcome = |significant, as_claimed| {
            Finding::by_test(significant, as_claimed, "")
                .outcome
                .unwrap()
        };
        assert_eq!(outcome(true, true), Outcome::Holds);
        assert_eq!(outcome(true, false), Outcome::Fails);
        assert_eq!(outcome(false, true), Outcome::Undecided);
        assert_eq!(outcome(false, false), Outcome::Undecided);
    }
}
