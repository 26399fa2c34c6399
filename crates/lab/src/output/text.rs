//! A report as plain text for the terminal.

use std::fmt::Write;

use super::{is_number, readable};
use crate::{
    experiment::Experiment,
    report::{Outcome, Report, Table},
};

/// The whole report without its figures: they need a folder to be drawn into.
pub(crate) fn report(experiment: &Experiment, report: &Report) -> String {
    let mut text = format!("== {}\n\nClaim: {}\n", experiment.title, experiment.claim);
    for each in &report.tables {
        text += &format!("\n{}", table(each));
    }
    let outcome = report.outcome().words();
    text += &format!("\nVerdict: the claim {outcome}. {}\n", report.summary);
    for finding in &report.findings {
        let mark = match finding.outcome {
            Some(Outcome::Holds) => '+',
            Some(Outcome::HoldsInPart) => '~',
            Some(Outcome::Fails) => '-',
            Some(Outcome::Undecided) => '?',
            Some(Outcome::Untested) | None => '*',
        };
        text += &format!("  {mark} {}\n", finding.text);
    }
    text
}

/// A table with aligned columns: numbers stand right and words left.
fn table(table: &Table) -> String {
    let readable_row = |row: &Vec<_>| row.iter().map(readable).collect::<Vec<_>>();
    let cells: Vec<Vec<String>> = table.rows.iter().map(readable_row).collect();
    let letters = |text: &String| text.chars().count();
    let heads = table.columns.iter().enumerate();
    let widths: Vec<usize> = heads
        .map(|(column, head)| {
            let body = cells.iter().map(|row| letters(&row[column]));
            body.max().unwrap_or(0).max(letters(head))
        })
        .collect();
    let mut text = format!("{}\n", table.title);
    for (head, &width) in table.columns.iter().zip(&widths) {
        // Writing to a string cannot fail.
        let _ = write!(text, "  {head:>width$}");
    }
    text.push('\n');
    for (row, raw) in cells.iter().zip(&table.rows) {
        let mut line = String::new();
        for ((cell, raw), &width) in row.iter().zip(raw).zip(&widths) {
            let _ = match is_number(raw) {
                true => write!(line, "  {cell:>width$}"),
                false => write!(line, "  {cell:<width$}"),
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_right_and_words_left() {
        let small = Table::of("t", "A table", &[("nodes", 1_234_u64), ("q", 5)])
            .column("what", |row| row.0)
            .column("count", |row| row.1)
            .done();
        assert_eq!(
            table(&small),
            "A table\n   what  count\n  nodes  1,234\n  q          5\n"
        );
    }
}
