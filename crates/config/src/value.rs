//! What a tunable can be, and the value that it has.

use crate::error::{Fault, Problem};

/// How many game phases a tunable with a value per phase distinguishes.
pub const PHASES: usize = 8;

/// Stored units per SX.
const PER_SX: i32 = 16;

/// Stored units per 1.0 of a ratio.
const PER_RATIO: i32 = 64;

/// Range, precision and unit of a number. All numbers are stored as integers; `per_unit` of them
/// make one of what the TOML file shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// The smallest stored value allowed.
    pub min: i32,
    /// The largest stored value allowed.
    pub max: i32,
    /// SPSA perturbation at the end of a tuning run, in stored units; 0 means not tuned by games.
    pub step: i32,
    /// Stored units per unit shown in the file: 1 for integers, 16 for SX, 64 for ratios.
    pub per_unit: i32,
    /// Name of the unit, such as `cp`, `ms` or `SX`; empty for a bare count.
    pub unit: &'static str,
}

impl Number {
    pub(crate) const fn integer(min: i32, max: i32, step: i32, unit: &'static str) -> Self {
        Self {
            min,
            max,
            step,
            per_unit: 1,
            unit,
        }
    }

    /// A cost, declared in SX and stored in sixteenths.
    pub(crate) const fn sx(min: f64, max: f64, step: f64) -> Self {
        Self::fixed_point(min, max, step, PER_SX, "SX")
    }

    /// A dimensionless factor, stored in 1/64.
    pub(crate) const fn ratio(min: f64, max: f64, step: f64) -> Self {
        Self::fixed_point(min, max, step, PER_RATIO, "")
    }

    const fn fixed_point(min: f64, max: f64, step: f64, per_unit: i32, unit: &'static str) -> Self {
        Self {
            min: fixed(min, per_unit),
            max: fixed(max, per_unit),
            step: fixed(step, per_unit),
            per_unit,
            unit,
        }
    }

    /// Whether a stored value is within the range.
    pub const fn contains(&self, stored: i32) -> bool {
        self.min <= stored && stored <= self.max
    }

    /// Whether the file shows the number with decimals.
    pub const fn is_fixed_point(&self) -> bool {
        self.per_unit != 1
    }

    /// The number as the file shows it.
    pub fn shown(&self, stored: i32) -> f64 {
        f64::from(stored) / f64::from(self.per_unit)
    }

    /// The number as text for the file: `18`, `8.0`, `5.0625`.
    pub fn text(&self, stored: i32) -> String {
        if self.is_fixed_point() {
            format!("{:?}", self.shown(stored))
        } else {
            stored.to_string()
        }
    }

    /// The declared default in stored units; a compile error where it is not representable or not
    /// within the range.
    pub(crate) const fn default_value(&self, shown: f64) -> i32 {
        let stored = fixed(shown, self.per_unit);
        assert!(
            self.contains(stored),
            "a default lies outside its own range"
        );
        stored
    }

    /// Converts what a file shows, refusing what is not finite, out of range or too fine.
    pub(crate) fn stored(&self, key: &str, found: &str, shown: f64) -> Result<i32, Fault> {
        let scaled = shown * f64::from(self.per_unit);
        let problem = if !scaled.is_finite() {
            Problem::NotFinite(self.allowed())
        } else if scaled < f64::from(self.min) || f64::from(self.max) < scaled {
            Problem::OutOfRange(self.allowed())
        } else if scaled.fract() != 0.0 {
            Problem::TooFine {
                below: self.text(scaled.floor() as i32),
                above: self.text(scaled.ceil() as i32),
                parts: self.per_unit,
            }
        } else {
            return Ok(scaled as i32);
        };
        Err(Fault::value(key, found, problem))
    }

    /// The range in words, as the file shows it.
    pub fn allowed(&self) -> String {
        let mut words = format!("{} to {}", self.text(self.min), self.text(self.max));
        if !self.unit.is_empty() {
            words.push(' ');
            words.push_str(self.unit);
        }
        if self.is_fixed_point() {
            words.push_str(&format!(" in steps of 1/{}", self.per_unit));
        }
        words
    }
}

/// Exact conversion of a declared decimal; only ever evaluated by the compiler.
const fn fixed(shown: f64, per_unit: i32) -> i32 {
    let scaled = shown * per_unit as f64;
    let stored = scaled as i32;
    assert!(
        stored as f64 == scaled,
        "a declared number is finer than its unit can hold"
    );
    stored
}

/// The type of a tunable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number with a range.
    Number(Number),
    /// One number for each of the eight game phases.
    Phases(Number),
    /// A switch, on or off.
    Bool,
    /// One of the words listed here.
    Choice(&'static [&'static str]),
    /// The path of a file; empty for none.
    File,
    /// A list of folders, separated as the platform separates search paths; empty for none.
    Folders,
}

impl Kind {
    /// What is allowed, as error messages and the reference page say it.
    pub fn allowed(&self) -> String {
        match self {
            Kind::Number(number) => number.allowed(),
            Kind::Phases(number) => format!("{PHASES} numbers, each {}", number.allowed()),
            Kind::Bool => "true or false".to_owned(),
            Kind::Choice(words) => quoted_list(words),
            Kind::File => "a file name in quotes, empty for none".to_owned(),
            Kind::Folders => "a list of folders in quotes, empty for none".to_owned(),
        }
    }

    /// Checks a value that did not come through one of the parsers.
    pub(crate) fn check(&self, key: &str, value: &Value) -> Result<(), Fault> {
        let in_range = |number: &Number, stored: i32| {
            if number.contains(stored) {
                return Ok(());
            }
            let problem = Problem::OutOfRange(number.allowed());
            Err(Fault::value(key, &number.text(stored), problem))
        };
        match (self, value) {
            (Kind::Number(number), Value::Number(stored)) => in_range(number, *stored),
            (Kind::Phases(number), Value::Phases(all)) => {
                all.iter().try_for_each(|stored| in_range(number, *stored))
            }
            (Kind::Bool, Value::Bool(_)) => Ok(()),
            (Kind::Choice(words), Value::Choice(word)) if words.contains(word) => Ok(()),
            (Kind::File | Kind::Folders, Value::Text(text)) => check_text(key, text),
            _ => {
                let problem = Problem::WrongType(self.allowed());
                Err(Fault::value(key, &self.text(value), problem))
            }
        }
    }

    /// A value as the file shows it.
    pub fn text(&self, value: &Value) -> String {
        match (self, value) {
            (Kind::Number(number), Value::Number(stored)) => number.text(*stored),
            (Kind::Phases(number), Value::Phases(all)) => {
                let all: Vec<_> = all.iter().map(|stored| number.text(*stored)).collect();
                format!("[{}]", all.join(", "))
            }
            (_, Value::Number(stored)) => stored.to_string(),
            (_, Value::Phases(all)) => format!("{all:?}"),
            (_, Value::Bool(on)) => on.to_string(),
            (_, Value::Choice(word)) => format!("\"{word}\""),
            (_, Value::Text(text)) => toml_edit::Value::from(text.as_str()).to_string(),
        }
    }
}

/// Refuses text that no path holds and that would break a line of a text protocol.
pub(crate) fn check_text(key: &str, text: &str) -> Result<(), Fault> {
    match text.chars().find(|c| c.is_control()) {
        Some(found) => Err(Fault::ControlCharacter {
            key: key.to_owned(),
            found,
        }),
        None => Ok(()),
    }
}

/// `"a", "b" or "c"`.
pub(crate) fn quoted_list(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// The value of a tunable, in stored units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number, in the stored unit of its [`Number`].
    Number(i32),
    /// One number per game phase.
    Phases([i32; PHASES]),
    /// Whether a switch is on.
    Bool(bool),
    /// One of the words of a [`Kind::Choice`].
    Choice(&'static str),
    /// A file or a list of folders.
    Text(String),
}

/// A Rust type that can be a field of the configuration.
///
/// `store` is only called with a value of the field's own kind; any other leaves the field alone.
pub(crate) trait Field {
    fn load(&self) -> Value;
    fn store(&mut self, value: Value);
}

macro_rules! plain_field {
    ($($type:ty => $variant:ident),+ $(,)?) => {
        $(impl Field for $type {
            fn load(&self) -> Value {
                Value::$variant(self.clone())
            }

            fn store(&mut self, value: Value) {
                if let Value::$variant(value) = value {
                    *self = value;
                }
            }
        })+
    };
}

plain_field!(i32 => Number, [i32; PHASES] => Phases, bool => Bool, String => Text);

#[cfg(test)]
mod tests {
    use super::*;

    // The declarations call these in constants, where a panic is a compile error.

    #[test]
    #[should_panic(expected = "outside its own range")]
    fn a_default_out_of_range_does_not_compile() {
        Number::sx(-1.0, 1.0, 0.5).default_value(1.0625);
    }

    #[test]
    #[should_panic(expected = "finer than its unit")]
    fn a_default_too_fine_does_not_compile() {
        Number::ratio(0.0, 1.0, 0.5).default_value(0.01);
    }
}
