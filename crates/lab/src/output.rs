//! From reports to what people and programs read: terminal text, SVG, HTML, CSV and JSON.

pub(crate) mod folder;
mod html;
pub(crate) mod parts;
pub(crate) mod recipe;
mod records;

use std::fmt::Write;

use crate::{
    experiment::Experiment,
    report::{Cell, Outcome, Report, Table},
};

/// The whole report without its figures: they need a folder to be drawn into.
pub(crate) fn text(experiment: &Experiment, report: &Report) -> String {
    let mut text = format!("== {}\n\nClaim: {}\n", experiment.title, experiment.claim);
    for each in &report.tables {
        text += &format!("\n{}", table(each));
    }
    let outcome = report.outcome().words();
    text += &format!("\nVerdict: the claim {outcome}. {}\n", report.summary);
    for finding in &report.findings {
        let mark = finding.outcome.unwrap_or(Outcome::Untested).shown().2;
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

/// A cell as a person reads it: thousands separated by commas.
fn readable(cell: &Cell) -> String {
    let plain = bare(cell);
    match cell {
        Cell::Count(_) | Cell::Real(..) => {
            let (whole, fraction) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
            separate(whole) + fraction
        }
        Cell::Text(_) | Cell::Empty => plain,
    }
}

fn bare(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Real(value, decimals) => format!("{value:.decimals$}"),
        Cell::Empty => String::new(),
    }
}

fn is_number(cell: &Cell) -> bool {
    matches!(cell, Cell::Count(_) | Cell::Real(..))
}

fn separate(number: &str) -> String {
    let digits = number.trim_start_matches('-');
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return number.to_owned(); // inf and NaN
    }
    let mut text = number[..number.len() - digits.len()].to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table;

    #[test]
    fn thousands_are_separated_in_whole_numbers_and_before_the_point() {
        for (cell, expected) in [
            (Cell::Count(-6_553_600), "-6,553,600"),
            (Cell::Count(999), "999"),
            (Cell::Real(1234.567, 2), "1,234.57"),
            (Cell::Real(-0.5, 1), "-0.5"),
            (Cell::Real(f64::NAN, 1), "NaN"),
        ] {
            assert_eq!(readable(&cell), expected);
        }
        assert_eq!(bare(&Cell::Count(6_553_600)), "6553600");
    }

    #[test]
    fn numbers_stand_right_and_words_left() {
        let small = table!("t", "A table", [("nodes", 1_234_u64), ("q", 5)], |row| {
            "what" => row.0,
            "count" => row.1,
        });
        assert_eq!(
            table(&small),
            "A table\n   what  count\n  nodes  1,234\n  q          5\n"
        );
    }
}
