//! A report as plain text for the terminal.

use std::fmt::Write;

use super::{is_number, readable};
use crate::experiment::Experiment;
use crate::report::{Outcome, Report, Table};

/// The whole report; figures are only named, they need a folder to be drawn into.
#[must_use]
pub fn report(experiment: &dyn Experiment, report: &Report) -> String {
    let mut text = format!(
        "== {}\n\nClaim: {}\n",
        experiment.title(),
        experiment.claim()
    );
    for each in &report.tables {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{}", table(each));
    }
    let verdict = &report.verdict;
    let _ = write!(
        text,
        "\nVerdict: the claim {}. {}\n",
        verdict.outcome.words(),
        verdict.summary
    );
    for finding in &verdict.findings {
        let mark = match finding.outcome {
            Some(Outcome::Holds) => '+',
            Some(Outcome::HoldsInPart) => '~',
            Some(Outcome::Fails) => '-',
            Some(Outcome::Undecided) => '?',
            Some(Outcome::Untested) | None => '*',
        };
        let _ = writeln!(text, "  {mark} {}", finding.text);
    }
    text
}

/// A table with aligned columns.
#[must_use]
pub fn table(table: &Table) -> String {
    let cells: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| row.iter().map(readable).collect())
        .collect();
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|column| {
            let body = cells.iter().filter_map(|row| row.get(column));
            let longest = body.map(|cell| cell.chars().count()).max().unwrap_or(0);
            longest.max(table.columns[column].chars().count())
        })
        .collect();
    let mut text = format!("{}\n", table.title);
    let head: Vec<String> = widths
        .iter()
        .zip(&table.columns)
        .map(|(&w, name)| format!("{name:>w$}"))
        .collect();
    let _ = writeln!(text, "  {}", head.join("  "));
    for (row, raw) in cells.iter().zip(&table.rows) {
        let line: Vec<String> = widths
            .iter()
            .zip(row.iter().zip(raw))
            .map(|(&w, (cell, raw))| {
                if is_number(raw) {
                    format!("{cell:>w$}")
                } else {
                    format!("{cell:<w$}")
                }
            })
            .collect();
        let _ = writeln!(text, "  {}", line.join("  ").trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_right_and_words_left() {
        let mut small = Table::new("t", "A table", &["what", "count"]);
        small.row(["nodes".into(), 1_234_u64.into()]);
        small.row(["q".into(), 5_u64.into()]);
        assert_eq!(
            table(&small),
            "A table\n   what  count\n  nodes  1,234\n  q          5\n"
        );
    }
}
