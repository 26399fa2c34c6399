//! What an experiment hands back: tables, figures and findings, as data.

use Outcome::{Fails, Holds, HoldsInPart, Undecided, Untested};
use serde::{Deserialize, Serialize};
use sextant_cli::chart::Chart;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) tables: Vec<Table>,
    pub(crate) figures: Vec<Chart>,
    /// What they say about the source's claim, in a sentence.
    pub(crate) summary: String,
    pub(crate) findings: Vec<Finding>,
}

impl Report {
    /// Follows from the findings: where all that were tested came out alike it is theirs, without
    /// any the claim was not tested, and otherwise it holds in part.
    pub(crate) fn outcome(&self) -> Outcome {
        let mut tested = self.findings.iter().filter_map(|finding| finding.outcome);
        match tested.next() {
            None => Untested,
            Some(first) if tested.all(|other| other == first) => first,
            Some(_) => HoldsInPart,
        }
    }
}

/// A named table; every row has one cell for each column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Table {
    /// Short name for file names: lower case, digits and hyphens.
    pub(crate) name: String,
    /// One line that says what the table shows, with units.
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Table {
    /// The same with a column more: its head and its cells.
    pub(crate) fn column<C: Into<Cell>>(
        mut self,
        head: impl Into<String>,
        cells: impl Iterator<Item = C>,
    ) -> Table {
        self.columns.push(head.into());
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.push(cell.into());
        }
        self
    }
}

/// A table: name, title, rows, and for each column its head and a row's cell.
macro_rules! table {
    ($name:expr, $title:expr, $rows:expr, |$row:ident| { $($head:expr => $cell:expr),+ $(,)? }) => {
        $crate::report::Table {
            name: $name.to_owned(),
            title: $title.into(),
            columns: vec![$($head.into()),+],
            rows: $rows.iter().map(|$row| vec![$($cell.into()),+]).collect(),
        }
    };
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Cell {
    Text(String),
    /// A whole number, shown with separators.
    Count(i64),
    /// A measured number and how many decimals of it mean something.
    Real(f64, usize),
    /// Nothing was measured here.
    Empty,
}

/// A measured number, shown with so many decimals; empty where there is none.
pub(crate) fn real(value: impl Into<Option<f64>>, decimals: usize) -> Cell {
    let value = value.into();
    value.map_or(Cell::Empty, |value| Cell::Real(value, decimals))
}

impl<C: Into<Cell>> From<Option<C>> for Cell {
    fn from(cell: Option<C>) -> Cell {
        cell.map_or(Cell::Empty, C::into)
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

macro_rules! counts {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Cell {
            fn from(count: $integer) -> Cell {
                i64::try_from(count).map_or_else(|_| Cell::Text(count.to_string()), Cell::Count)
            }
        }
    )*};
}

counts!(i32, i64, u32, u64, usize);

/// Whether a claim stood the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Outcome {
    Holds,
    /// Only under conditions, or only some of it.
    HoldsInPart,
    Fails,
    /// The evidence does not decide it: what was seen may be chance.
    Undecided,
    Untested,
}

impl Outcome {
    pub(crate) fn words(self) -> &'static str {
        self.shown().0
    }

    /// In words, as the class of a badge, and as a mark in a text.
    pub(crate) fn shown(self) -> (&'static str, &'static str, char) {
        match self {
            Holds => ("holds", "holds", '+'),
            HoldsInPart => ("holds in part", "partly", '~'),
            Fails => ("does not hold", "fails", '-'),
            Undecided => ("is undecided", "open", '?'),
            Untested => ("was not tested", "open", '*'),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Finding {
    /// Whether it stood; nothing if it is a measurement that no source made a claim about.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) text: String,
}

impl Finding {
    pub(crate) fn new(outcome: impl Into<Option<Outcome>>, text: impl Into<String>) -> Finding {
        Finding {
            outcome: outcome.into(),
            text: text.into(),
        }
    }

    pub(crate) fn tested(holds: bool, text: impl Into<String>) -> Finding {
        Finding::new(if holds { Holds } else { Fails }, text)
    }

    /// A finding that holds, or only in part.
    pub(crate) fn in_part(holds: bool, text: impl Into<String>) -> Finding {
        Finding::new(if holds { Holds } else { HoldsInPart }, text)
    }

    /// A finding that rests on a statistical test: undecided where the difference is not
    /// `significant`, whichever way it points.
    pub(crate) fn by_test(significant: bool, as_claimed: bool, text: impl Into<String>) -> Finding {
        match significant {
            true => Finding::tested(as_claimed, text),
            false => Finding::new(Undecided, text),
        }
    }
}

/// A finding that holds or fails, with a formatted text.
macro_rules! tested {
    ($holds:expr, $($text:tt)+) => {
        $crate::report::Finding::tested($holds, format!($($text)+))
    };
}

/// A measurement about which nothing was claimed, with a formatted text.
macro_rules! noted {
    ($($text:tt)+) => {
        $crate::report::Finding::new(None, format!($($text)+))
    };
}

pub(crate) use {noted, table, tested};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outcome_follows_from_what_was_tested_and_chance_decides_nothing() {
        let [bad, good] = [false, true].map(|holds| Finding::by_test(true, holds, ""));
        let [noted, unclear] = [Finding::new(None, ""), Finding::by_test(false, true, "")];
        for (findings, expected) in [
            ([&good, &noted], Holds),
            ([&bad, &noted], Fails),
            ([&good, &bad], HoldsInPart),
            ([&noted, &noted], Untested),
            ([&unclear, &noted], Undecided),
            ([&good, &unclear], HoldsInPart),
        ] {
            let report = Report {
                findings: findings.map(Clone::clone).to_vec(),
                ..Report::default()
            };
            assert_eq!(report.outcome(), expected, "{:?}", report.findings);
        }
    }
}
