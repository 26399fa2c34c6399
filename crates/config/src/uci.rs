//! Tunables as UCI options and as SPSA parameters: flat names and integers.

use crate::{
    Config, SPECS, Spec,
    access::nearest,
    error::{ConfigError, Fault, clip, out_of_range},
    parse::read_word,
    removed::removed_name,
    value::{Kind, Number, PHASES, Value, check_text},
};

/// How an empty string travels in UCI.
const EMPTY: &str = "<empty>";

/// One value that an option or a tuner can set: a tunable, or one game phase of one.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The tunable that it is, or is a part of.
    pub spec: &'static Spec,
    /// The game phase, for a tunable that has one value per phase.
    pub phase: Option<usize>,
}

/// Every parameter, in the order of the file.
pub fn parameters() -> impl Iterator<Item = Parameter> {
    SPECS.iter().flat_map(|spec| {
        let phases = match spec.kind {
            Kind::Phases(_) => (0..PHASES).map(Some).collect(),
            _ => vec![None],
        };
        phases.into_iter().map(|phase| Parameter { spec, phase })
    })
}

impl Parameter {
    /// The parameter of this option name, whatever its case.
    pub fn find(name: &str) -> Option<Parameter> {
        parameters().find(|parameter| {
            [parameter.name(), parameter.uci_name()]
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
        })
    }

    /// The name made from the key, as in `Extensions_Recapture` or `Extensions_Phase_3`.
    pub fn name(&self) -> String {
        let phase = self.phase.map(|phase| format!("_{phase}"));
        let name = self.spec.key().replace('.', "_") + &phase.unwrap_or_default();
        let mut before = '_';
        name.chars()
            .map(|c| match std::mem::replace(&mut before, c) {
                '_' => c.to_ascii_uppercase(),
                _ => c,
            })
            .collect()
    }

    /// The name to show to a GUI: the agreed one where there is one, such as `Hash`.
    pub fn uci_name(&self) -> String {
        self.spec.alias.map_or_else(|| self.name(), str::to_owned)
    }

    /// Range and unit, if this is a number.
    pub fn number(&self) -> Option<&'static Number> {
        match &self.spec.kind {
            Kind::Number(number) | Kind::Phases(number) => Some(number),
            Kind::Bool | Kind::Choice(_) | Kind::File | Kind::Folders => None,
        }
    }

    /// The value, that of one phase for a phase.
    fn value(&self, config: &Config) -> Value {
        match (self.spec.get(config), self.phase) {
            (Value::Phases(all), Some(phase)) => Value::Number(all[phase]),
            (value, _) => value,
        }
    }

    /// The opposite of [`Parameter::value`].
    fn store(&self, config: &mut Config, value: Value) -> Result<(), Fault> {
        let value = match (self.spec.get(config), self.phase, value) {
            (Value::Phases(mut all), Some(phase), Value::Number(stored)) => {
                all[phase] = stored;
                Value::Phases(all)
            }
            (_, _, value) => value,
        };
        self.spec.set(config, value)
    }

    /// The stored value, if this is a number.
    pub fn get(&self, config: &Config) -> Option<i32> {
        match self.value(config) {
            Value::Number(stored) => Some(stored),
            _ => None,
        }
    }

    /// Sets the stored value of a number.
    ///
    /// # Errors
    /// A value out of range is refused, as is any number for what is none.
    pub fn set(&self, config: &mut Config, stored: i32) -> Result<(), ConfigError> {
        Ok(self.store(config, Value::Number(stored))?)
    }

    /// The value as UCI writes it.
    pub fn uci_value(&self, config: &Config) -> String {
        match self.value(config) {
            Value::Number(stored) => stored.to_string(),
            Value::Phases(all) => format!("{all:?}"),
            Value::Bool(on) => on.to_string(),
            Value::Choice(word) => word.to_owned(),
            Value::Text(text) if text.is_empty() => EMPTY.to_owned(),
            Value::Text(text) => text,
        }
    }

    /// The option as the `uci` command declares it, with this configuration's value as default.
    pub fn uci_option(&self, config: &Config) -> String {
        let (kind, rest) = match &self.spec.kind {
            Kind::Number(Number { min, max, .. }) | Kind::Phases(Number { min, max, .. }) => {
                ("spin", format!(" min {min} max {max}"))
            }
            Kind::Bool => ("check", String::new()),
            Kind::Choice(words) => ("combo", words.iter().map(|w| format!(" var {w}")).collect()),
            Kind::File | Kind::Folders => ("string", String::new()),
        };
        let (name, default) = (self.uci_name(), self.uci_value(config));
        format!("option name {name} type {kind} default {default}{rest}")
    }

    /// The line that OpenBench reads, `NAME, int, value, min, max, c_end, r_end`, for a number that
    /// has an SPSA step. `r_end` is the learning rate at the end of the run.
    pub fn spsa_line(&self, config: &Config, r_end: f64) -> Option<String> {
        let number = self.number().filter(|number| number.step > 0)?;
        let (name, value) = (self.uci_name(), self.get(config)?);
        let Number { min, max, step, .. } = number;
        Some(format!(
            "{name}, int, {value}, {min}, {max}, {step}, {r_end}"
        ))
    }

    fn parse_uci(&self, text: &str) -> Result<Value, Fault> {
        let name = self.uci_name();
        match &self.spec.kind {
            Kind::Number(number) | Kind::Phases(number) => {
                integer(&name, number, text).map(Value::Number)
            }
            Kind::Bool if text.eq_ignore_ascii_case("true") => Ok(Value::Bool(true)),
            Kind::Bool if text.eq_ignore_ascii_case("false") => Ok(Value::Bool(false)),
            Kind::Choice(words) => read_word(&name, words, text).map(Value::Choice),
            Kind::File | Kind::Folders => {
                let text = Some(text).filter(|text| !text.eq_ignore_ascii_case(EMPTY));
                let text = text.unwrap_or_default();
                check_text(&name, text).map(|()| Value::Text(text.to_owned()))
            }
            kind => {
                let found = format!("{:?}", clip(text));
                Err(Fault::wrong_type(&name, found, &kind.allowed()))
            }
        }
    }
}

/// A stored number as UCI writes it: an integer, also for what the file shows with decimals.
fn integer(key: &str, number: &Number, text: &str) -> Result<i32, Fault> {
    let found = clip(text);
    let allowed = format!("an integer from {} to {}", number.min, number.max);
    let Ok(value) = text.parse::<i128>() else {
        return Err(Fault::wrong_type(key, format!("{found:?}"), &allowed));
    };
    let stored = i32::try_from(value).ok();
    stored
        .filter(|&stored| number.contains(stored))
        .ok_or_else(|| Fault::value(key, found, out_of_range(&allowed)))
}

impl Config {
    /// Sets an option, as `setoption name NAME value VALUE` does. Names have no case; numbers are
    /// integers in stored units; `<empty>` is the empty string.
    ///
    /// # Errors
    /// An unknown name or a value that is not allowed is refused, and nothing changes.
    pub fn set_uci(&mut self, name: &str, value: &str) -> Result<(), ConfigError> {
        let (name, value) = (name.trim(), value.trim());
        let parameter = Parameter::find(name).ok_or_else(|| unknown_option(name))?;
        let value = parameter.parse_uci(value)?;
        Ok(parameter.store(self, value)?)
    }
}

/// The hint is the option of a key given as in the file, with or without its section, or else the
/// option with the most similar name.
fn unknown_option(found: &str) -> Fault {
    if let Some(gone) = removed_name("option", found) {
        return gone;
    }
    let is_key = |p: &Parameter| found == p.spec.name || found == p.spec.key();
    let key = parameters().find(is_key).map(|p| p.uci_name());
    let names = parameters().flat_map(|p| [p.uci_name(), p.name()]);
    Fault::Unknown {
        what: format!("option {:?}", clip(found)),
        nearest: key.or_else(|| nearest(found, names)),
    }
}
