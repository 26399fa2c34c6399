//! The presets: embedded files whose names work wherever a file name does.

use std::borrow::Cow;

use crate::{Config, ConfigError, access::nearest, default_toml, error::clip};

/// A configuration that the program carries along.
#[derive(Debug)]
pub struct Preset {
    /// The name by which it is loaded, whatever the case.
    pub name: &'static str,
    /// The embedded file; `None` for the defaults, whose text comes from the declarations.
    text: Option<&'static str>,
}

macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        &[
            Preset { name: "default", text: None },
            $(Preset {
                name: $name,
                text: Some(include_str!(concat!("../../../config/", $name, ".toml"))),
            }),+
        ]
    };
}

/// Every preset, `default` first.
pub const PRESETS: &[Preset] = presets![
    "integer-ply",
    "mate",
    "cyrus68k",
    "lexcentrique",
    "bebe",
    "variety"
];

impl Preset {
    /// The preset of this name, whatever its case.
    pub fn find(name: &str) -> Option<&'static Preset> {
        PRESETS
            .iter()
            .find(|preset| preset.name.eq_ignore_ascii_case(name))
    }

    /// The text of the file, with its comments.
    pub fn text(&self) -> Cow<'static, str> {
        self.text
            .map_or_else(|| Cow::Owned(default_toml()), Cow::Borrowed)
    }

    /// What the preset is for: the first paragraph of its comments, on one line.
    pub fn summary(&self) -> String {
        let text = self.text();
        let comments = text.lines().map_while(|line| line.strip_prefix('#'));
        let paragraph = comments.map(str::trim).take_while(|line| !line.is_empty());
        paragraph.collect::<Vec<_>>().join(" ")
    }
}

impl Config {
    /// The preset of this name.
    ///
    /// # Errors
    /// An unknown name is refused, with the nearest known one.
    pub fn preset(name: &str) -> Result<Config, ConfigError> {
        match Preset::find(name) {
            Some(preset) => Config::load(preset.name),
            None => Err(not_found(name)),
        }
    }
}

pub(crate) fn not_found(name: &str) -> ConfigError {
    let presets: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
    ConfigError::NotFound {
        name: clip(name),
        nearest: nearest(name, &presets),
        presets,
    }
}
