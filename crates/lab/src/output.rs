//! From reports to what people and programs read: terminal text, SVG, HTML, CSV and JSON.

pub(crate) mod folder;
mod html;
pub(crate) mod text;

use crate::report::Cell;

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

/// A cell as a program reads it.
fn bare(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Real(value, decimals) => format!("{value:.decimals$}"),
        Cell::Empty => String::new(),
    }
}

/// Whether a cell is set flush right.
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
}
