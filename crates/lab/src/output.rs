//! From reports to what people read: terminal text, SVG, HTML, CSV and JSON.

pub mod files;
pub mod html;
pub mod svg;
pub mod text;

use crate::report::Cell;

/// A cell as a person reads it: thousands separated by commas.
#[must_use]
pub fn readable(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => separate(&count.to_string()),
        Cell::Real(value, decimals) => {
            let plain = format!("{value:.decimals$}");
            let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
            let point = if fraction.is_empty() { "" } else { "." };
            format!("{}{point}{fraction}", separate(whole))
        }
        Cell::Empty => String::new(),
    }
}

/// A cell as a program reads it.
#[must_use]
pub fn bare(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Real(value, decimals) => format!("{value:.decimals$}"),
        Cell::Empty => String::new(),
    }
}

/// Whether a cell is set flush right.
#[must_use]
pub fn is_number(cell: &Cell) -> bool {
    matches!(cell, Cell::Count(_) | Cell::Real(..))
}

fn separate(number: &str) -> String {
    let digits = number.trim_start_matches('-');
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return number.to_owned(); // inf and NaN
    }
    let mut text = String::with_capacity(number.len() * 4 / 3);
    text.push_str(&number[..number.len() - digits.len()]);
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
        assert_eq!(readable(&Cell::Count(-6_553_600)), "-6,553,600");
        assert_eq!(readable(&Cell::Count(999)), "999");
        assert_eq!(readable(&Cell::real(1234.567, 2)), "1,234.57");
        assert_eq!(readable(&Cell::real(-0.5, 1)), "-0.5");
        assert_eq!(readable(&Cell::real(f64::NAN, 1)), "NaN");
        assert_eq!(bare(&Cell::Count(6_553_600)), "6553600");
    }
}
