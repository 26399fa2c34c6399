//! What the `config` subcommand says: `dump`, `show`, `diff`, `list`, `verify`. The texts are
//! returned, so that the front ends alone print.

use crate::{Config, ConfigError, Fault, PRESETS, SPECS, diff, nearest};

/// `config dump`: the whole configuration as a commented file.
pub fn dump(config: &Config) -> String {
    config.to_toml()
}

/// `config show [SECTION|KEY]`: values without their meanings, or one key with its meaning.
///
/// # Errors
/// A filter that is neither a section nor a key is refused, with the nearest known key.
pub fn show(config: &Config, filter: Option<&str>) -> Result<String, ConfigError> {
    let filter = filter.unwrap_or_default();
    let lines: Vec<_> = SPECS
        .iter()
        .filter(|spec| filter.is_empty() || filter == spec.section || filter == spec.key())
        .map(|spec| (spec, format!("{} = {}", spec.key(), spec.text(config))))
        .collect();
    match lines.as_slice() {
        [] => {
            let (section, name) = filter.split_once('.').unwrap_or(("", filter));
            let nearest = nearest::section(filter).or_else(|| nearest::key(section, name));
            let what = format!("key {}", crate::parse::clip(filter));
            Err(Fault::Unknown { what, nearest }.into())
        }
        [(spec, line)] => {
            let default = spec.text(&Config::default());
            let allowed = spec.kind.allowed();
            Ok(format!(
                "{line}\n{}\nallowed: {allowed}\ndefault: {default}\n",
                spec.doc()
            ))
        }
        _ => Ok(lines.into_iter().map(|(_, line)| line + "\n").collect()),
    }
}

/// `config diff A B`: one line for each key that differs.
pub fn differences(a: &Config, b: &Config) -> String {
    let lines: String = diff(a, b)
        .iter()
        .map(|difference| format!("{difference}\n"))
        .collect();
    if lines.is_empty() {
        "no differences\n".to_owned()
    } else {
        lines
    }
}

/// `config list`: the presets and what they are for.
pub fn list() -> String {
    let width = PRESETS
        .iter()
        .map(|preset| preset.name.len())
        .max()
        .unwrap_or(0);
    PRESETS
        .iter()
        .map(|preset| format!("{:width$}  {}\n", preset.name, preset.summary()))
        .collect()
}

/// `config verify FILE|PRESET`: what the file changes, or everything that is wrong with it.
///
/// # Errors
/// All problems, one a line.
pub fn verify(name_or_path: &str) -> Result<String, String> {
    match Config::load_all(name_or_path) {
        Ok(config) => {
            let changed = diff(&Config::default(), &config).len();
            let hash = config.hash();
            Ok(format!(
                "{name_or_path}: valid; {changed} keys differ from the defaults; hash {hash:016x}\n"
            ))
        }
        Err(errors) => Err(errors.iter().map(|error| format!("{error}\n")).collect()),
    }
}
