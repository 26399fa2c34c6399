//! The UCI options: the table of those that are no tunables, and the settings that all make up.
//!
//! [`Settings`] is a value: setting an option makes a new one, which the session puts in force as a
//! whole or drops.

use std::{ffi::OsString, ops::RangeInclusive};

use sextant_config::{
    Config, ConfigError, Fault, PRESETS, Parameter, Preset, clip, nearest, parameters,
};

use crate::{
    error::{Failure, OptionError},
    format::Style,
};

/// How an empty string travels in UCI.
const EMPTY: &str = "<empty>";

/// What an option that is no tunable takes, and where it is kept.
enum Kind {
    Button,
    Check(fn(&mut Settings) -> &mut bool),
    Spin(fn(&mut Settings) -> &mut u64, RangeInclusive<u64>),
    Text(fn(&mut Settings) -> &mut String),
    Preset,
}

const UCI_ONLY: &[(&str, Kind)] = &[
    (CLEAR_HASH, Kind::Button),
    // The interface means to let the engine ponder. `go ponder` works either way.
    ("Ponder", Kind::Check(|s| &mut s.ponder)),
    ("MultiPV", Kind::Spin(|s| &mut s.multipv, 1..=256)),
    ("UCI_Chess960", Kind::Check(|s| &mut s.style.chess960)),
    ("UCI_ShowWDL", Kind::Check(|s| &mut s.style.wdl)),
    ("Debug Log File", Kind::Text(|s| &mut s.log_file)),
    (
        "nodestime",
        Kind::Spin(|s| &mut s.nodes_per_ms, 0..=100_000),
    ),
    (PRESET, Kind::Preset),
    (CONFIG_FILE, Kind::Text(|s| &mut s.config_file)),
];
const CLEAR_HASH: &str = "Clear Hash";
const PRESET: &str = "Preset";
const CONFIG_FILE: &str = "ConfigFile";

/// Is it the button that empties the table?
pub(crate) fn is_clear_hash(name: &str) -> bool {
    name.eq_ignore_ascii_case(CLEAR_HASH)
}

/// `--config` and `--option`: what every task starts from.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Setup {
    /// A preset (see `sextant config list`) or a TOML file.
    #[arg(long, value_name = "FILE|PRESET", global = true)]
    config: Option<OsString>,
    /// A UCI option, such as Hash=64; may be repeated.
    #[arg(long = "option", short = 'o', value_name = "NAME=VALUE", global = true)]
    options: Vec<String>,
}

impl Setup {
    /// The settings asked for.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        let config = self
            .config
            .as_deref()
            .map_or_else(|| Ok(Config::default()), Config::load);
        let mut settings = Settings::new(config?);
        for option in &self.options {
            let (name, value) = option
                .split_once('=')
                .ok_or_else(|| format!("--option {option}: the form is NAME=VALUE"))?;
            settings = settings.with(name.trim(), Some(value.trim()))?;
        }
        Ok(settings)
    }
}

/// Everything that options can set.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The config in force.
    pub(crate) config: Config,
    pub(crate) multipv: u64,
    /// How lines are written.
    pub(crate) style: Style,
    /// Where the traffic is logged; empty is nowhere.
    pub(crate) log_file: String,
    /// Nodes that count as a millisecond; 0 is real time.
    pub(crate) nodes_per_ms: u64,
    ponder: bool,
    /// What the program was started with.
    start: Config,
    /// The preset underneath.
    preset: &'static str,
    /// The file underneath, which outranks the preset; empty is none.
    config_file: String,
    /// Tunables that were set one by one, which outrank both.
    single: Vec<(Parameter, String)>,
}

impl Settings {
    /// The settings of a program that was started with `config`.
    pub(crate) fn new(config: Config) -> Settings {
        Settings {
            start: config.clone(),
            config,
            multipv: 1,
            style: Style::default(),
            log_file: String::new(),
            nodes_per_ms: 0,
            ponder: false,
            preset: "default",
            config_file: String::new(),
            single: Vec::new(),
        }
    }

    /// The `option` lines of the `uci` command, with the values at the start as defaults; with
    /// `tune` also those of the tunables that no GUI user wants to see.
    pub(crate) fn declarations(&self, tune: bool) -> Vec<String> {
        let mut initial = Settings::new(self.start.clone());
        let shown = |parameter: &Parameter| tune || parameter.spec.alias.is_some();
        let tunables = parameters().filter(shown);
        let mut lines: Vec<_> = tunables.map(|it| it.uci_option(&self.start)).collect();
        for (name, kind) in UCI_ONLY {
            lines.push(format!("option name {name} type {}", initial.declare(kind)));
        }
        lines
    }

    /// What stands behind `option name NAME type`.
    fn declare(&mut self, kind: &Kind) -> String {
        match kind {
            Kind::Button => "button".to_owned(),
            Kind::Check(value) => format!("check default {}", value(self)),
            Kind::Spin(value, range) => {
                let (min, max) = (range.start(), range.end());
                format!("spin default {} min {min} max {max}", value(self))
            }
            Kind::Text(value) => match value(self).as_str() {
                "" => format!("string default {EMPTY}"),
                text => format!("string default {text}"),
            },
            Kind::Preset => format!("combo default {} var {}", self.preset, presets(" var ")),
        }
    }

    /// These settings with one option set.
    pub(crate) fn with(&self, name: &str, value: Option<&str>) -> Result<Settings, OptionError> {
        let mut settings = self.clone();
        let value = value.ok_or_else(|| OptionError::NoValue { name: clip(name) });
        let own = UCI_ONLY
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(name));
        match (own, Parameter::find(name)) {
            (Some((_, Kind::Button)), _) => {}
            (Some((name, kind)), _) => settings.set(name, kind, value?)?,
            (None, Some(parameter)) => settings.set_tunable(parameter, value?)?,
            (None, None) => return Err(unknown(name)),
        }
        Ok(settings)
    }

    fn set(&mut self, name: &'static str, kind: &Kind, found: &str) -> Result<(), OptionError> {
        let wrong = |allowed: String| OptionError::Value {
            name,
            found: clip(found),
            allowed,
        };
        match kind {
            Kind::Button => {}
            Kind::Check(value) => {
                let on = found.to_ascii_lowercase().parse();
                *value(self) = on.map_err(|_| wrong("true or false".to_owned()))?;
            }
            Kind::Spin(value, range) => {
                let number = found.parse().ok().filter(|number| range.contains(number));
                let (min, max) = (range.start(), range.end());
                let allowed = || format!("a whole number from {min} to {max}");
                *value(self) = number.ok_or_else(|| wrong(allowed()))?;
            }
            Kind::Text(value) => {
                let is_empty = found.eq_ignore_ascii_case(EMPTY);
                *value(self) = if is_empty {
                    String::new()
                } else {
                    found.to_owned()
                };
            }
            Kind::Preset => {
                let preset = Preset::find(found).ok_or_else(|| wrong(presets(", ")))?;
                self.preset = preset.name;
            }
        }
        if name == PRESET || name == CONFIG_FILE {
            self.rebuild()?;
        }
        Ok(())
    }

    fn set_tunable(&mut self, parameter: Parameter, value: &str) -> Result<(), OptionError> {
        let name = parameter.uci_name();
        self.config.set_uci(&name, value)?;
        self.single.retain(|(other, _)| other.uci_name() != name);
        self.single.push((parameter, value.to_owned()));
        Ok(())
    }

    /// The config from its layers: what the program was started with or the preset, then the file,
    /// then what was set one by one. What GUIs send in any order comes out the same.
    fn rebuild(&mut self) -> Result<(), OptionError> {
        let mut config = match (self.config_file.as_str(), self.preset) {
            ("", "default") => self.start.clone(),
            ("", preset) => Config::preset(preset)?,
            (file, _) => Config::load(file)?,
        };
        for (parameter, value) in &self.single {
            config.set_uci(&parameter.uci_name(), value)?;
        }
        self.config = config;
        Ok(())
    }
}

fn presets(between: &str) -> String {
    let names: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
    names.join(between)
}

fn unknown(name: &str) -> OptionError {
    // The config knows a key where an option was meant, and what became of an old name.
    let known = match Config::default().set_uci(name, "") {
        Err(ConfigError::Value(gone @ Fault::Removed { .. })) => return OptionError::Gone(gone),
        Err(ConfigError::Value(Fault::Unknown { nearest, .. })) => nearest,
        _ => None,
    };
    let own = nearest(name, UCI_ONLY.iter().map(|(own, _)| *own));
    OptionError::Unknown {
        found: clip(name),
        nearest: own.or(known),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(settings: &Settings, name: &str, value: &str) -> Settings {
        settings.with(name, Some(value)).unwrap()
    }

    #[test]
    fn every_option_that_guis_know_is_declared() {
        let lines = Settings::new(Config::default()).declarations(false);
        for line in [
            "Hash type spin default 16 min 1 max 33554432",
            "Threads type spin default 1 min 1 max 1024",
            "Clear Hash type button",
            "Ponder type check default false",
            "MultiPV type spin default 1 min 1 max 256",
            "UCI_Chess960 type check default false",
            "UCI_ShowWDL type check default false",
            "UCI_LimitStrength type check default false",
            "SyzygyVerify type check default false",
            "SyzygyProbeDepth type spin default 1 min 1 max 100",
            "SyzygyProbeLimit type spin default 7 min 0 max 7",
            "EvalFile type string default <empty>",
            "Debug Log File type string default <empty>",
            "ConfigFile type string default <empty>",
        ] {
            let line = format!("option name {line}");
            assert!(lines.contains(&line), "{line} is not in {lines:#?}");
        }
        assert!(lines.len() < 25, "tunables are for --tune: {}", lines.len());
    }

    #[test]
    fn every_declared_option_can_be_set_to_its_own_default() {
        let mut settings = Settings::new(Config::default());
        let before = settings.config.clone();
        for line in settings.declarations(true) {
            let (name, kind) = line["option name ".len()..].split_once(" type ").unwrap();
            let Some((_, default)) = kind.split_once("default ") else {
                continue;
            };
            let end = [" min ", " var "]
                .iter()
                .find_map(|word| default.find(word));
            settings = set(&settings, name, &default[..end.unwrap_or(default.len())]);
        }
        assert_eq!(settings.config, before);
    }

    #[test]
    fn names_have_no_case_and_bad_ones_and_bad_values_are_refused() {
        let settings = Settings::new(Config::default());
        assert_eq!(set(&settings, "hASH", "64").config.engine.hash, 64);
        assert_eq!(set(&settings, "multipv", "3").multipv, 3);
        assert!(settings.with("Clear Hash", None).is_ok());
        let refused = "the old value is kept";
        for (name, value, text) in [
            ("MultiPW", Some("3"), "did you mean `MultiPV`"),
            ("Hahs", Some("3"), "did you mean `Hash`"),
            ("Hash", None, "needs `value ...`"),
            ("Hash", Some("abc"), refused),
            ("Hash", Some(""), refused),
            ("Threads", Some("1.5"), refused),
            ("MultiPV", Some("0"), "a whole number from 1 to 256"),
            ("MultiPV", Some("1 2"), refused),
            ("UCI_Chess960", Some("yes"), "true or false"),
            ("nodestime", Some("-4"), refused),
            ("Preset", Some("nonsense"), "lexcentrique"),
            ("ConfigFile", Some("/nonexistent/x.toml"), refused),
        ] {
            let error = settings.with(name, value).unwrap_err().to_string();
            assert!(error.contains(text), "{name} {value:?}: {error}");
        }
    }

    #[test]
    fn single_options_outrank_the_preset_in_any_order() {
        let settings = Settings::new(Config::default());
        let a = set(&set(&settings, "Hash", "64"), "Preset", "cyrus68k");
        let b = set(&set(&settings, "Preset", "cyrus68k"), "Hash", "64");
        assert_eq!(a.config, b.config);
        assert_eq!(a.config.engine.hash, 64);
        let back = set(&a, "Preset", "default");
        assert_eq!(back.config, set(&settings, "Hash", "64").config);
    }

    #[test]
    fn a_file_outranks_the_preset_until_it_is_emptied() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut file, b"[extensions]\nrecapture = 5.25\n").unwrap();
        let path = file.path().to_str().unwrap();
        let settings = set(&Settings::new(Config::default()), "ConfigFile", path);
        let both = set(&settings, "Preset", "cyrus68k");
        assert_eq!(both.config.extensions.recapture, 84);
        let emptied = set(&both, "ConfigFile", "<empty>");
        assert_eq!(emptied.config, Config::preset("cyrus68k").unwrap());
    }
}
