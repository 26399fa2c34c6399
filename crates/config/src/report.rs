//! What the `config` subcommand says: `show`, `diff`, `list`, `verify` and `reference`. The texts
//! are returned, so that the front ends alone print.

use std::ffi::OsStr;

use crate::{
    Config, ConfigError, Fault, PRESETS, Parameter, Preset, SECTIONS, SPECS, Spec,
    access::{nearest_key, nearest_section},
    diff,
    error::clip,
    value::Kind,
};

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
            let what = format!("key {}", clip(filter));
            let nearest = nearest_section(filter).or_else(|| nearest_key(section, name));
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
    let differences = diff(a, b);
    if differences.is_empty() {
        return "no differences\n".to_owned();
    }
    let lines = differences.iter().map(|differ| format!("{differ}\n"));
    lines.collect()
}

/// `config list`: the presets and what they are for.
pub fn list() -> String {
    let width = PRESETS.iter().map(|preset| preset.name.len()).max();
    let width = width.unwrap_or_default();
    let line = |preset: &Preset| format!("{:width$}  {}\n", preset.name, preset.summary());
    PRESETS.iter().map(line).collect()
}

/// `config verify FILE|PRESET`: what the file changes, or everything that is wrong with it.
///
/// # Errors
/// All problems, one a line.
pub fn verify(name_or_path: impl AsRef<OsStr>) -> Result<String, String> {
    let name = name_or_path.as_ref();
    match Config::load_all(name) {
        Ok(config) => {
            let changed = diff(&Config::default(), &config).len();
            let hash = config.hash();
            Ok(format!(
                "{}: valid; {changed} keys differ from the defaults; hash {hash:016x}\n",
                name.display()
            ))
        }
        Err(errors) => Err(errors.iter().map(|error| format!("{error}\n")).collect()),
    }
}

const HEADER: &str = "\
# Configuration reference

Generated from the declarations in `crates/config/src/tunables.rs`; edit those, not this page.
`SEXTANT_BLESS=1 cargo test -p sextant-config` rewrites it.

All programs read the same TOML file, given as `--config FILE` or, in UCI, as the option
`ConfigFile`. A file may leave out whatever it does not change. `extends = \"cyrus68k\"`, or another
file's path, says what it starts from; relative paths start at the file's folder. `version = 1`
names the format. An unknown key or a value that is not allowed is refused with its line and column.

Costs are written in SX, eight of which are one nominal ply, as decimals in sixteenths; ratios in
64ths. UCI options and SPSA see the same numbers as integers, so `recapture = 5.25` is
`Extensions_Recapture` 84.
";

/// `config reference`: the text of `docs/reference/config.md`.
pub fn reference() -> String {
    let mut page = String::from(HEADER);
    page.push_str("\n## Presets\n\nA preset's name works wherever a file name does.\n\n");
    page.push_str("| preset | what it is for |\n| --- | --- |\n");
    for preset in PRESETS {
        let (name, summary) = (preset.name, cell(&preset.summary()));
        page.push_str(&format!("| `{name}` | {summary} |\n"));
    }
    for (section, meaning) in SECTIONS {
        page.push_str(&format!("\n## [{section}]\n\n{}\n\n", meaning.trim()));
        page.push_str("| key | default | allowed | UCI option | SPSA step | meaning |\n");
        page.push_str("| --- | --- | --- | --- | --- | --- |\n");
        for spec in SPECS.iter().filter(|spec| spec.section == *section) {
            page.push_str(&row(spec));
        }
    }
    page
}

fn row(spec: &'static Spec) -> String {
    let default = spec.text(&Config::default());
    let allowed = cell(&spec.kind.allowed());
    let (phase, rest) = match spec.kind {
        Kind::Phases(_) => (Some(0), " and so on"),
        _ => (None, ""),
    };
    let parameter = Parameter { spec, phase };
    let option = format!("`{}`{rest}", parameter.uci_name());
    // As the file would show it; nothing for what games do not tune.
    let step = parameter.number().filter(|number| number.step > 0);
    let step = step.map_or_else(String::new, |number| number.text(number.step));
    let (name, meaning) = (spec.name, cell(spec.doc()));
    format!("| `{name}` | `{default}` | {allowed} | {option} | {step} | {meaning} |\n")
}

/// Text that does not break out of a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}
