//! What a tunable can be, and the value that it has.

use std::path::{MAIN_SEPARATOR, Path};

use crate::error::{Fault, out_of_range};

/// How many game phases a tunable with a value per phase distinguishes.
pub const PHASES: usize = 8;

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
    /// A number whose range and step are declared as the file shows them.
    pub(crate) const fn new(
        (min, max): (f64, f64),
        step: f64,
        per_unit: i32,
        unit: &'static str,
    ) -> Self {
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

    /// The same for a tunable with a value per phase.
    pub(crate) const fn default_values(&self, shown: [f64; PHASES]) -> [i32; PHASES] {
        let mut stored = [0; PHASES];
        let mut phase = 0;
        while phase < PHASES {
            stored[phase] = self.default_value(shown[phase]);
            phase += 1;
        }
        stored
    }

    /// Converts what a file shows; what is not finite, out of range or too fine is refused with what
    /// to say behind it.
    pub(crate) fn stored(&self, shown: f64) -> Result<i32, String> {
        let scaled = shown * f64::from(self.per_unit);
        if !scaled.is_finite() {
            let allowed = self.allowed();
            Err(format!(
                ", which is not a finite number; allowed: {allowed}"
            ))
        } else if scaled < f64::from(self.min) || f64::from(self.max) < scaled {
            Err(out_of_range(&self.allowed()))
        } else if scaled.fract() != 0.0 {
            let [below, above] = [scaled.floor(), scaled.ceil()].map(|near| self.text(near as i32));
            let parts = self.per_unit;
            Err(format!(
                ", which is finer than 1/{parts}; nearest are {below} and {above}"
            ))
        } else {
            Ok(scaled as i32)
        }
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
        let (number, all) = match (self, value) {
            (Kind::Number(number), Value::Number(stored)) => (number, std::slice::from_ref(stored)),
            (Kind::Phases(number), Value::Phases(all)) => (number, &all[..]),
            (Kind::Bool, Value::Bool(_)) => return Ok(()),
            (Kind::Choice(words), Value::Choice(word)) if words.contains(word) => return Ok(()),
            (Kind::File | Kind::Folders, Value::Text(text)) => return check_text(key, text),
            _ => return Err(Fault::wrong_type(key, self.text(value), &self.allowed())),
        };
        match all.iter().find(|stored| !number.contains(**stored)) {
            Some(stored) => {
                let problem = out_of_range(&number.allowed());
                Err(Fault::value(key, number.text(*stored), problem))
            }
            None => Ok(()),
        }
    }

    /// A value as the file shows it.
    pub fn text(&self, value: &Value) -> String {
        match (self, value) {
            (Kind::Number(number), Value::Number(stored)) => number.text(*stored),
            (Kind::Phases(number), Value::Phases(all)) => {
                format!("[{}]", all.map(|stored| number.text(stored)).join(", "))
            }
            (_, Value::Number(stored)) => stored.to_string(),
            (_, Value::Phases(all)) => format!("{all:?}"),
            (_, Value::Bool(on)) => on.to_string(),
            (_, Value::Choice(word)) => format!("\"{word}\""),
            (_, Value::Text(text)) => toml_edit::Value::from(text.as_str()).to_string(),
        }
    }

    /// Applies `change` to each path of a text of this kind, keeping separators as they are.
    fn map_paths(&self, text: &str, change: impl Fn(&str) -> String) -> String {
        let change = |path: &str| match path {
            "" => String::new(),
            path => change(path),
        };
        match self {
            Kind::Folders => text
                .split_inclusive(is_separator)
                .map(|piece| {
                    let path = piece.trim_end_matches(is_separator);
                    change(path) + &piece[path.len()..]
                })
                .collect(),
            _ => change(text),
        }
    }

    /// Rewrites paths relative to `folder` into paths relative to the working folder.
    pub(crate) fn resolve_paths(&self, text: &str, folder: &Path) -> String {
        self.map_paths(text, |path| {
            folder.join(path).to_string_lossy().into_owned()
        })
    }

    /// The reverse of [`Kind::resolve_paths`]: paths inside `folder` become relative to it, others
    /// absolute.
    pub(crate) fn relative_paths(&self, text: &str, folder: &Path) -> String {
        if folder.as_os_str().is_empty() {
            return text.to_owned();
        }
        self.map_paths(text, |path| {
            let path = Path::new(path);
            let path = match path.strip_prefix(folder) {
                Ok(inside) => inside.to_owned(),
                Err(_) => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
            };
            path.to_string_lossy().into_owned()
        })
    }
}

/// Where the relative paths inside a file start.
pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

/// Whether a character separates the folders of a list. On Windows `:` belongs to the drive.
fn is_separator(c: char) -> bool {
    c == ';' || (c == ':' && MAIN_SEPARATOR == '/')
}

/// Refuses text that no path holds and that would break a line of a text protocol.
pub(crate) fn check_text(key: &str, text: &str) -> Result<(), Fault> {
    match text.chars().find(|c| c.is_control()) {
        Some(found) => {
            let found = format!("the control character {found:?}");
            Err(Fault::value(
                key,
                found,
                "; a path is one line of printable text",
            ))
        }
        None => Ok(()),
    }
}

/// `"a", "b" or "c"`.
pub(crate) fn quoted_list(words: &[&str]) -> String {
    let list = format!("\"{}\"", words.join("\", \""));
    match list.rsplit_once(", ") {
        Some((words, last)) => format!("{words} or {last}"),
        None => list,
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
        Number::new((-1.0, 1.0), 0.5, 16, "SX").default_value(1.0625);
    }

    #[test]
    #[should_panic(expected = "finer than its unit")]
    fn a_default_too_fine_does_not_compile() {
        Number::new((0.0, 1.0), 0.5, 64, "").default_value(0.01);
    }
}
