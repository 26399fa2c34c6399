//! Tunables as UCI options and as SPSA parameters: flat names and integers.

use crate::{
    Config, SPECS, Spec,
    access::nearest,
    error::{ConfigError, Fault, Problem, clip},
    parse::read_word,
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
        let mut name = String::new();
        for word in [self.spec.section, self.spec.name]
            .into_iter()
            .flat_map(|key| key.split('_'))
        {
            name.push_str(if name.is_empty() { "" } else { "_" });
            name.push_str(word);
            let start = name.len() - word.len();
            name[start..=start].make_ascii_uppercase();
        }
        match self.phase {
            Some(phase) => format!("{name}_{phase}"),
            None => name,
        }
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

    /// The stored value, if this is a number.
    pub fn get(&self, config: &Config) -> Option<i32> {
        match self.spec.get(config) {
            Value::Number(stored) => Some(stored),
            Value::Phases(all) => self.phase.and_then(|phase| all.get(phase).copied()),
            Value::Bool(_) | Value::Choice(_) | Value::Text(_) => None,
        }
    }

    /// Sets the stored value of a number.
    ///
    /// # Errors
    /// A value out of range is refused, as is any number for what is none.
    pub fn set(&self, config: &mut Config, stored: i32) -> Result<(), ConfigError> {
        let value = match (self.spec.get(config), self.phase) {
            (Value::Phases(mut all), Some(phase)) => {
                all[phase] = stored;
                Value::Phases(all)
            }
            _ => Value::Number(stored),
        };
        Ok(self.spec.set(config, value)?)
    }

    /// The value as UCI writes it.
    pub fn uci_value(&self, config: &Config) -> String {
        match self.spec.get(config) {
            Value::Bool(on) => on.to_string(),
            Value::Choice(word) => word.to_owned(),
            Value::Text(text) if text.is_empty() => EMPTY.to_owned(),
            Value::Text(text) => text,
            Value::Number(_) | Value::Phases(_) => self
                .get(config)
                .map(|stored| stored.to_string())
                .unwrap_or_default(),
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

    fn parse_uci(&self, config: &Config, text: &str) -> Result<Value, Fault> {
        let name = self.uci_name();
        match (&self.spec.kind, self.spec.get(config)) {
            (Kind::Number(number), _) => integer(&name, number, text).map(Value::Number),
            (Kind::Phases(number), Value::Phases(mut all)) => {
                let stored = integer(&name, number, text)?;
                self.phase.into_iter().for_each(|phase| all[phase] = stored);
                Ok(Value::Phases(all))
            }
            (Kind::Bool, _) if text.eq_ignore_ascii_case("true") => Ok(Value::Bool(true)),
            (Kind::Bool, _) if text.eq_ignore_ascii_case("false") => Ok(Value::Bool(false)),
            (Kind::Choice(words), _) => read_word(&name, words, text).map(Value::Choice),
            (Kind::File | Kind::Folders, _) => {
                let text = Some(text).filter(|text| !text.eq_ignore_ascii_case(EMPTY));
                let text = text.unwrap_or_default();
                check_text(&name, text).map(|()| Value::Text(text.to_owned()))
            }
            (kind, _) => {
                let problem = Problem::WrongType(kind.allowed());
                Err(Fault::value(&name, format!("{:?}", clip(text)), problem))
            }
        }
    }
}

/// A stored number as UCI writes it: an integer, also for what the file shows with decimals.
fn integer(key: &str, number: &Number, text: &str) -> Result<i32, Fault> {
    let found = clip(text);
    let allowed = format!("an integer from {} to {}", number.min, number.max);
    let Ok(value) = text.parse::<i128>() else {
        let problem = Problem::WrongType(allowed);
        return Err(Fault::value(key, format!("{found:?}"), problem));
    };
    let stored = i32::try_from(value).ok();
    stored
        .filter(|&stored| number.contains(stored))
        .ok_or_else(|| Fault::value(key, found, Problem::OutOfRange(allowed)))
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
        let value = parameter.parse_uci(self, value)?;
        (parameter.spec.store)(self, value);
        Ok(())
    }
}

/// The hint is the option of a key given as in the file, with or without its section, or else the
/// option with the most similar name.
fn unknown_option(found: &str) -> Fault {
    let is_key = |p: &Parameter| found == p.spec.name || found == p.spec.key();
    let key = parameters().find(is_key).map(|p| p.uci_name());
    let names = parameters().flat_map(|p| [p.uci_name(), p.name()]);
    Fault::Unknown {
        what: format!("option {:?}", clip(found)),
        nearest: key.or_else(|| nearest(found, names)),
    }
}
