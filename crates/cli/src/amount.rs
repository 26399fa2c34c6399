//! Numbers and times as people write them: `500k`, `1.5M`; `2s`, `1m30`, `500ms`.

use std::time::Duration;

/// Reads a whole number from 1, perhaps with `k` (a thousand), `M` or `G` behind it.
///
/// # Errors
/// What was found and what is allowed.
///
/// ```
/// use sextant_cli::amount::count;
/// assert_eq!(count("1.5M"), Ok(1_500_000));
/// assert!(count("many").is_err());
/// ```
pub fn count(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is no count; write 1 or more, such as 1000000, 500k or 1.5M");
    let (number, unit) = split(text.trim()).ok_or_else(wrong)?;
    let per_unit = match unit {
        "" => 1,
        "k" | "K" => 1_000,
        "m" | "M" => 1_000_000,
        "g" | "G" => 1_000_000_000,
        _ => return Err(wrong()),
    };
    let all = match number.parse::<u64>() {
        Ok(whole) => whole.checked_mul(per_unit).ok_or_else(wrong)?,
        Err(_) => {
            let all = number.parse::<f64>().map_err(|_| wrong())? * per_unit as f64;
            let is_whole = all.fract() == 0.0 && all < u64::MAX as f64;
            if is_whole { all as u64 } else { 0 }
        }
    };
    Some(all).filter(|all| *all > 0).ok_or_else(wrong)
}

/// Reads a time of parts with units, the largest first; the last part may lack its unit, if it is
/// the next smaller one. A number alone has no unit and is refused.
///
/// # Errors
/// What was found and what is allowed.
///
/// ```
/// use std::time::Duration;
/// use sextant_cli::amount::time;
/// assert_eq!(time("1m30"), Ok(Duration::from_secs(90)));
/// assert!(time("90").is_err());
/// ```
pub fn time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is no time; write 500ms, 2s, 1m30 or 1h");
    let mut rest = text.trim();
    let (mut sum, mut last) = (Duration::ZERO, None);
    while !rest.is_empty() {
        let (number, behind) = split(rest).ok_or_else(wrong)?;
        let unit_bytes = behind.find(|c: char| !c.is_ascii_alphabetic());
        let (unit, left) = behind.split_at(unit_bytes.unwrap_or(behind.len()));
        let place = match (unit, last) {
            ("", Some(last)) => last + 1,
            _ => UNITS
                .iter()
                .position(|(name, _)| *name == unit)
                .ok_or_else(wrong)?,
        };
        let (_, seconds) = UNITS.get(place).ok_or_else(wrong)?;
        if last.is_some_and(|last| place <= last) {
            return Err(wrong());
        }
        let number: f64 = number.parse().map_err(|_| wrong())?;
        let part = Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())?;
        sum = sum.checked_add(part).ok_or_else(wrong)?;
        (last, rest) = (Some(place), left);
    }
    last.map(|_| sum).ok_or_else(wrong)
}

/// As [`time`], from 1 ms; a number alone means milliseconds, as in UCI.
///
/// # Errors
/// What was found and what is allowed.
pub fn time_or_ms(text: &str) -> Result<Duration, String> {
    let is_number = text.parse::<u64>().is_ok();
    let time = time(&format!("{text}{}", if is_number { "ms" } else { "" }));
    let allowed = Duration::from_millis(1)..=LONGEST;
    time.ok()
        .filter(|time| allowed.contains(time))
        .ok_or_else(|| {
            format!("{text:?} is no time; write 500 (milliseconds), 2s, 1m30 or 1h; at most 277h")
        })
}

/// The longest time of a search.
const LONGEST: Duration = Duration::from_secs(1_000_000);
/// Units of time, and their seconds.
const UNITS: [(&str, f64); 4] = [("h", 3600.0), ("m", 60.0), ("s", 1.0), ("ms", 1e-3)];

/// The digits that a text begins with, and the rest.
fn split(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, rest) = text.split_at(end.unwrap_or(text.len()));
    (!number.is_empty()).then_some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_units_and_stay_whole() {
        for (text, expected) in [
            ("7", Some(7)),
            ("500k", Some(500_000)),
            ("2.25M", Some(2_250_000)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551615k", None),
            ("0.0005k", None),
            ("0", None),
            ("", None),
            ("M", None),
            ("-3", None),
            ("1.2.3M", None),
            ("5kk", None),
        ] {
            assert_eq!(count(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn times_are_sums_of_falling_units() {
        for (text, ms) in [
            ("2s", Some(2_000)),
            ("1m30", Some(90_000)),
            ("1h2m3s4ms", Some(3_723_004)),
            ("1h30", Some(5_400_000)),
            ("0.5s", Some(500)),
            ("90", None),
            ("1ms5", None),
            ("1s1m", None),
            ("5 parsecs", None),
            ("", None),
            ("99999999999999999999h", None),
        ] {
            assert_eq!(time(text).ok(), ms.map(Duration::from_millis), "{text}");
        }
        assert_eq!(time_or_ms("250"), Ok(Duration::from_millis(250)));
        assert_eq!(time_or_ms("2s"), Ok(Duration::from_secs(2)));
        assert!(time_or_ms("0").is_err() && time_or_ms("278h").is_err());
        assert!(time_or_ms("2x").unwrap_err().contains("\"2x\" is no time"));
    }
}
