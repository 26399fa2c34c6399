//! The UCI options: the table of them all, and the settings that they make up.
//!
//! [`Settings`] is a value: setting an option makes a new one, which the session puts in force as a
//! whole or drops.

use sextant_config::{Config, ConfigError, Fault, PRESETS, Parameter, Preset, parameters};

use crate::{
    error::{OptionError, nearest, quote},
    format::Style,
};

/// How an empty string travels in UCI.
const EMPTY: &str = "<empty>";
/// Most lines that MultiPV may ask for.
const MAX_MULTIPV: u64 = 256;
/// Most nodes that may count as a millisecond.
const MAX_NODES_PER_MS: u64 = 100_000;

/// The options that are no tunables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UciOnlyOption {
    ClearHash,
    Ponder,
    MultiPv,
    Chess960,
    ShowWdl,
    LogFile,
    NodesTime,
    Preset,
    ConfigFile,
}

impl UciOnlyOption {
    const ALL: [UciOnlyOption; 9] = [
        UciOnlyOption::ClearHash,
        UciOnlyOption::Ponder,
        UciOnlyOption::MultiPv,
        UciOnlyOption::Chess960,
        UciOnlyOption::ShowWdl,
        UciOnlyOption::LogFile,
        UciOnlyOption::NodesTime,
        UciOnlyOption::Preset,
        UciOnlyOption::ConfigFile,
    ];

    const fn name(self) -> &'static str {
        match self {
            UciOnlyOption::ClearHash => "Clear Hash",
            UciOnlyOption::Ponder => "Ponder",
            UciOnlyOption::MultiPv => "MultiPV",
            UciOnlyOption::Chess960 => "UCI_Chess960",
            UciOnlyOption::ShowWdl => "UCI_ShowWDL",
            UciOnlyOption::LogFile => "Debug Log File",
            UciOnlyOption::NodesTime => "nodestime",
            UciOnlyOption::Preset => "Preset",
            UciOnlyOption::ConfigFile => "ConfigFile",
        }
    }

    fn find(name: &str) -> Option<UciOnlyOption> {
        UciOnlyOption::ALL
            .into_iter()
            .find(|own| own.name().eq_ignore_ascii_case(name))
    }

    /// What stands behind `option name NAME`.
    fn declaration(self, settings: &Settings) -> String {
        let check = |on: bool| format!("type check default {on}");
        let text = |text: &str| {
            format!(
                "type string default {}",
                if text.is_empty() { EMPTY } else { text }
            )
        };
        match self {
            UciOnlyOption::ClearHash => "type button".to_owned(),
            UciOnlyOption::Ponder => check(settings.ponder),
            UciOnlyOption::MultiPv => {
                format!(
                    "type spin default {} min 1 max {MAX_MULTIPV}",
                    settings.multipv
                )
            }
            UciOnlyOption::Chess960 => check(settings.style.chess960),
            UciOnlyOption::ShowWdl => check(settings.style.wdl),
            UciOnlyOption::LogFile => text(&settings.log_file),
            UciOnlyOption::NodesTime => {
                format!(
                    "type spin default {} min 0 max {MAX_NODES_PER_MS}",
                    settings.nodes_per_ms
                )
            }
            UciOnlyOption::Preset => PRESETS.iter().fold(
                format!("type combo default {}", settings.preset),
                |line, preset| line + " var " + preset.name,
            ),
            UciOnlyOption::ConfigFile => text(&settings.config_file),
        }
    }

    fn wrong(self, found: &str, allowed: impl Into<String>) -> OptionError {
        OptionError::Value {
            name: self.name(),
            found: quote(found),
            allowed: allowed.into(),
        }
    }

    fn check(self, value: &str) -> Result<bool, OptionError> {
        match value {
            _ if value.eq_ignore_ascii_case("true") => Ok(true),
            _ if value.eq_ignore_ascii_case("false") => Ok(false),
            _ => Err(self.wrong(value, "true or false")),
        }
    }

    fn spin(self, value: &str, min: u64, max: u64) -> Result<u64, OptionError> {
        let number = value
            .parse()
            .ok()
            .filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| self.wrong(value, format!("a whole number from {min} to {max}")))
    }
}

/// Everything that options can set.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The config in force.
    pub(crate) config: Config,
    pub(crate) multipv: usize,
    /// How lines are written.
    pub(crate) style: Style,
    /// Where the traffic is logged; empty is nowhere.
    pub(crate) log_file: String,
    /// Nodes that count as a millisecond; 0 is real time.
    pub(crate) nodes_per_ms: u64,
    /// The interface means to let the engine ponder. `go ponder` works either way.
    ponder: bool,
    /// What the program was started with.
    start: Config,
    /// The preset underneath; the name of one that exists.
    preset: String,
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
            preset: "default".to_owned(),
            config_file: String::new(),
            single: Vec::new(),
        }
    }

    /// The `option` lines of the `uci` command, with the values at the start as defaults; with
    /// `tune` also those of the tunables that no GUI user wants to see.
    pub(crate) fn declarations(&self, tune: bool) -> Vec<String> {
        let initial = Settings::new(self.start.clone());
        let shown = |parameter: &Parameter| tune || parameter.spec.alias.is_some();
        let tunables = parameters().filter(shown);
        let tunables = tunables.map(|parameter| parameter.uci_option(&initial.config));
        let own = UciOnlyOption::ALL.into_iter();
        let own =
            own.map(|own| format!("option name {} {}", own.name(), own.declaration(&initial)));
        tunables.chain(own).collect()
    }

    /// These settings with one option set, and whether the option is the button `Clear Hash`.
    ///
    /// # Errors
    /// [`OptionError`] for an unknown name or a value that is not allowed.
    pub(crate) fn with(
        &self,
        name: &str,
        value: Option<&str>,
    ) -> Result<(Settings, ButtonPress), OptionError> {
        let mut settings = self.clone();
        if UciOnlyOption::find(name) == Some(UciOnlyOption::ClearHash) {
            return Ok((settings, ButtonPress::ClearHash));
        }
        let no_value = || OptionError::NoValue { name: quote(name) };
        match UciOnlyOption::find(name) {
            Some(own) => settings.set_own(own, value.ok_or_else(no_value)?)?,
            None => match Parameter::find(name) {
                Some(parameter) => settings.set_tunable(parameter, value.ok_or_else(no_value)?)?,
                None => return Err(unknown(name)),
            },
        }
        Ok((settings, ButtonPress::Nothing))
    }

    fn set_own(&mut self, own: UciOnlyOption, value: &str) -> Result<(), OptionError> {
        let text = if value.eq_ignore_ascii_case(EMPTY) {
            ""
        } else {
            value
        };
        match own {
            UciOnlyOption::ClearHash => {}
            UciOnlyOption::Ponder => self.ponder = own.check(value)?,
            UciOnlyOption::MultiPv => self.multipv = own.spin(value, 1, MAX_MULTIPV)? as usize,
            UciOnlyOption::Chess960 => self.style.chess960 = own.check(value)?,
            UciOnlyOption::ShowWdl => self.style.wdl = own.check(value)?,
            UciOnlyOption::LogFile => self.log_file = text.to_owned(),
            UciOnlyOption::NodesTime => self.nodes_per_ms = own.spin(value, 0, MAX_NODES_PER_MS)?,
            UciOnlyOption::Preset => {
                let allowed = || {
                    PRESETS
                        .iter()
                        .map(|p| p.name)
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                let preset = Preset::find(value).ok_or_else(|| own.wrong(value, allowed()))?;
                self.preset = preset.name.to_owned();
                self.rebuild()?;
            }
            UciOnlyOption::ConfigFile => {
                self.config_file = text.to_owned();
                self.rebuild()?;
            }
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
        let mut config = match (self.config_file.as_str(), self.preset.as_str()) {
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

/// What setting an option does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ButtonPress {
    Nothing,
    /// The table is to be emptied.
    ClearHash,
}

fn unknown(name: &str) -> OptionError {
    // The config knows a key where an option was meant.
    let known = match Config::default().set_uci(name, "") {
        Err(ConfigError::Value(Fault::Unknown { nearest, .. })) => nearest,
        _ => None,
    };
    let own = nearest(name, UciOnlyOption::ALL.map(UciOnlyOption::name)).map(str::to_owned);
    OptionError::Unknown {
        found: quote(name),
        nearest: own.or(known),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(settings: &Settings, name: &str, value: &str) -> Settings {
        settings.with(name, Some(value)).unwrap().0
    }

    #[test]
    fn every_option_that_guis_know_is_declared() {
        let lines = Settings::new(Config::default()).declarations(false);
        for line in [
            "option name Hash type spin default 16 min 1 max 33554432",
            "option name Threads type spin default 1 min 1 max 1024",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name MultiPV type spin default 1 min 1 max 256",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name UCI_Chess960 type check default false",
            "option name UCI_ShowWDL type check default false",
            "option name UCI_LimitStrength type check default false",
            "option name SyzygyPath type string default <empty>",
            "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
            "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
            "option name Syzygy50MoveRule type check default true",
            "option name EvalFile type string default <empty>",
            "option name Debug Log File type string default <empty>",
            "option name ConfigFile type string default <empty>",
        ] {
            assert!(
                lines.iter().any(|found| found == line),
                "{line} is not in {lines:#?}"
            );
        }
        assert!(lines.len() < 25, "tunables are for --tune: {}", lines.len());
    }

    #[test]
    fn every_declared_option_can_be_set_to_its_own_default() {
        let mut settings = Settings::new(Config::default());
        let before = settings.config.clone();
        for line in settings.declarations(true) {
            let Some((name, kind)) = line["option name ".len()..].split_once(" type ") else {
                panic!("{line}");
            };
            let Some((_, default)) = kind.split_once("default ") else {
                continue;
            };
            let end = [" min ", " var "]
                .iter()
                .filter_map(|word| default.find(word))
                .min();
            settings = set(&settings, name, &default[..end.unwrap_or(default.len())]);
        }
        assert_eq!(settings.config, before);
    }

    #[test]
    fn names_have_no_case_and_unknown_ones_get_a_hint() {
        let settings = Settings::new(Config::default());
        assert_eq!(set(&settings, "hASH", "64").config.engine.hash, 64);
        assert_eq!(set(&settings, "multipv", "3").multipv, 3);
        let error = settings.with("MultiPW", Some("3")).unwrap_err().to_string();
        assert!(error.contains("MultiPV"), "{error}");
        let error = settings.with("Hahs", Some("3")).unwrap_err().to_string();
        assert!(error.contains("Hash"), "{error}");
    }

    #[test]
    fn bad_values_are_refused() {
        let settings = Settings::new(Config::default());
        for (name, value) in [
            ("Hash", "abc"),
            ("Hash", "-1"),
            ("Hash", "0"),
            ("Hash", "99999999999999999999"),
            ("Threads", "1.5"),
            ("Threads", "1025"),
            ("MultiPV", "0"),
            ("MultiPV", "257"),
            ("UCI_Chess960", "yes"),
            ("nodestime", "-4"),
            ("Preset", "nonsense"),
            ("ConfigFile", "/nonexistent/x.toml"),
            ("Eval_Kind", "neural"),
            ("Hash", ""),
        ] {
            let error = settings.with(name, Some(value)).unwrap_err().to_string();
            assert!(error.contains("kept"), "{name} {value}: {error}");
        }
        assert!(matches!(
            settings.with("Hash", None),
            Err(OptionError::NoValue { .. })
        ));
        assert!(matches!(
            settings.with("Clear Hash", None),
            Ok((_, ButtonPress::ClearHash))
        ));
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
