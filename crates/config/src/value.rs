//! What a tunable can be, and the value that it has.

/// Number of game phases that a per-phase weight distinguishes.
pub const PHASES: usize = 8;

/// Stored units per SX.
const PER_SX: i32 = 16;

/// Stored units per 1.0 of a ratio.
const PER_RATIO: i32 = 64;

/// Range, precision and unit of a number. All numbers are stored as integers; `per_unit` of them
/// make one of what the TOML file shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Smallest stored value allowed.
    pub min: i32,
    /// Largest stored value allowed.
    pub max: i32,
    /// SPSA perturbation at the end of a tuning run, in stored units; 0 means not tuned by games.
    pub step: i32,
    /// Stored units per unit shown in the file: 1 for integers, 16 for SX, 64 for ratios.
    pub per_unit: i32,
    /// Name of the unit, such as `cp`, `ms` or `SX`; empty for a bare count.
    pub unit: &'static str,
}

impl Number {
    /// A plain integer.
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
        Self {
            min: fixed(min, PER_SX),
            max: fixed(max, PER_SX),
            step: fixed(step, PER_SX),
            per_unit: PER_SX,
            unit: "SX",
        }
    }

    /// A dimensionless factor, stored in 1/64.
    pub(crate) const fn ratio(min: f64, max: f64, step: f64) -> Self {
        Self {
            min: fixed(min, PER_RATIO),
            max: fixed(max, PER_RATIO),
            step: fixed(step, PER_RATIO),
            per_unit: PER_RATIO,
            unit: "ratio",
        }
    }

    /// Whether a stored value is within the range.
    pub const fn contains(&self, stored: i32) -> bool {
        self.min <= stored && stored <= self.max
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
    /// One number.
    Number(Number),
    /// One number for each of the eight game phases.
    Phases(Number),
    /// On or off.
    Bool,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// A file; empty for none.
    File,
    /// A list of folders, separated as the platform separates search paths; empty for none.
    Folders,
}

/// The value of a tunable, in stored units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number, in the stored unit of its [`Number`].
    Number(i32),
    /// One number per game phase.
    Phases([i32; PHASES]),
    /// A switch.
    Bool(bool),
    /// One of the words of a [`Kind::Choice`].
    Choice(&'static str),
    /// A file or a list of folders.
    Text(String),
}

/// A Rust type that can be a field of the configuration.
///
/// `store` is only called with a value of the field's own kind; another kind leaves the field alone.
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
