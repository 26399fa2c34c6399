//! From a preset's or a file's name to a configuration, through whatever it extends; and the
//! presets themselves: embedded files whose names work wherever a file name does.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use crate::{
    Config,
    access::nearest,
    error::{ConfigError, Fault, clip},
    parse::Parsed,
    value::folder_of,
};

/// Largest file read; the full list with its comments is a fiftieth of it.
const MAX_BYTES: u64 = 1 << 20;

/// Most files that may extend one another; each of them takes its share of the stack.
const MAX_CHAIN: usize = 32;

/// A configuration that the program carries along.
#[derive(Debug)]
pub struct Preset {
    /// The name by which it is loaded, whatever the case.
    pub name: &'static str,
    /// The embedded file, with its comments.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        &[$(Preset {
            name: $name,
            text: include_str!(concat!("../presets/", $name, ".toml")),
        }),+]
    };
}

/// Every preset, `default` first.
pub const PRESETS: &[Preset] = presets![
    "default",
    "integer-ply",
    "mate",
    "first-generation",
    "cyrus68k-single",
    "cyrus68k",
    "lexcentrique",
    "bebe",
    "variety"
];

impl Preset {
    /// The preset of this name, whatever its case.
    pub fn find(name: &str) -> Option<&'static Preset> {
        let mut presets = PRESETS.iter();
        presets.find(|preset| preset.name.eq_ignore_ascii_case(name))
    }

    /// What the preset is for: the first paragraph of its comments, on one line.
    pub fn summary(&self) -> String {
        let comments = self.text.lines().map_while(|line| line.strip_prefix('#'));
        let paragraph = comments.map(str::trim).take_while(|line| !line.is_empty());
        paragraph.collect::<Vec<_>>().join(" ")
    }
}

impl Config {
    /// Loads a preset by its name or else a file by its path. Keys that the file leaves out keep
    /// the value of what it extends, or their default.
    ///
    /// # Errors
    /// The first thing wrong with the file or with one that it extends.
    pub fn load(name_or_path: impl AsRef<OsStr>) -> Result<Config, ConfigError> {
        first(Config::load_all(name_or_path.as_ref()))
    }

    /// Like [`Config::load`], but reports everything that is wrong.
    ///
    /// # Errors
    /// All problems, those of extended files first; never empty.
    pub(crate) fn load_all(name_or_path: &OsStr) -> Result<Config, Vec<ConfigError>> {
        load(name_or_path, Path::new(""), &mut Vec::new())
    }

    /// The preset of this name.
    ///
    /// # Errors
    /// An unknown name is refused, with the nearest known one.
    pub fn preset(name: &str) -> Result<Config, ConfigError> {
        let preset = Preset::find(name).ok_or_else(|| not_found(name))?;
        Config::load(preset.name)
    }

    /// This configuration with the values of all keys that the preset names, and nothing else of
    /// the preset: not what it leaves out, nor what it extends.
    pub fn overlaid(&self, preset: &Preset) -> Config {
        let mut config = self.clone();
        // Nothing is wrong with what is built in; the tests load every preset.
        Parsed::new(preset.text, preset.name).apply(&mut config, Path::new(""));
        config
    }

    /// Reads a configuration from text. `origin` names it in errors; relative paths, also that of
    /// `extends`, start at its folder.
    ///
    /// # Errors
    /// The first thing wrong.
    pub fn from_toml_str(text: &str, origin: &str) -> Result<Config, ConfigError> {
        let folder = folder_of(Path::new(origin));
        first(overlay(text, origin, folder, &mut Vec::new()))
    }
}

fn first(result: Result<Config, Vec<ConfigError>>) -> Result<Config, ConfigError> {
    result.map_err(|errors| errors.into_iter().next().expect("a refusal has a reason"))
}

/// Loads a preset or else a file, by its path from `folder`; `chain` holds what led here. If the
/// name itself is wrong, the error has no place.
fn load(name: &OsStr, folder: &Path, chain: &mut Vec<PathBuf>) -> Result<Config, Vec<ConfigError>> {
    // A preset's name wins over a file of the same name, which can be had as `./name`.
    let preset = name.to_str().and_then(Preset::find);
    let path = preset.map_or_else(|| folder.join(name), |preset| preset.name.into());
    // What makes two ways to the same file one.
    let identity = match preset {
        Some(_) => path.clone(),
        None => std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone()),
    };
    if let Some(start) = chain.iter().position(|earlier| *earlier == identity) {
        let circle = chain[start..].iter().chain([&identity]);
        let circle = circle.map(|path| path.to_string_lossy().into_owned());
        return Err(vec![Fault::Cycle(circle.collect()).into()]);
    }
    if chain.len() >= MAX_CHAIN {
        return Err(vec![Fault::ChainTooLong(MAX_CHAIN).into()]);
    }
    chain.push(identity);
    let result = match (preset, &path.to_string_lossy()) {
        (Some(preset), origin) => overlay(preset.text, origin, Path::new(""), chain),
        (None, origin) => read(&path)
            .map_err(|error| vec![error])
            .and_then(|text| overlay(&text, origin, folder_of(&path), chain)),
    };
    chain.pop();
    result
}

/// Lays a text over what it extends.
fn overlay(
    text: &str,
    origin: &str,
    folder: &Path,
    chain: &mut Vec<PathBuf>,
) -> Result<Config, Vec<ConfigError>> {
    let mut errors = Vec::new();
    let mut parsed = Parsed::new(text, origin);
    let mut config = Config::default();
    if let Some((span, base)) = parsed.extends.take() {
        match load(base.as_ref(), folder, chain) {
            Ok(base) => config = base,
            Err(theirs) => {
                for error in theirs {
                    let fault = match error {
                        ConfigError::InFile { .. } => {
                            errors.push(error);
                            continue;
                        }
                        ConfigError::Value(fault) => fault,
                        error => Fault::Base(error.to_string()),
                    };
                    parsed.problems.push((span.clone(), fault));
                }
            }
        }
    }
    errors.extend(parsed.errors());
    if !errors.is_empty() {
        return Err(errors);
    }
    parsed.apply(&mut config, folder);
    Ok(config)
}

/// The text of a regular file of moderate size. Pipes and devices are refused, because reading them
/// could block a running engine forever.
fn read(path: &Path) -> Result<String, ConfigError> {
    let shown = path.to_string_lossy().into_owned();
    let fail = |source| ConfigError::Unreadable {
        path: shown.clone(),
        source,
    };
    let refuse = |why: &str| fail(io::Error::new(io::ErrorKind::InvalidInput, why));
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(not_found(&shown)),
        Err(error) => return Err(fail(error)),
    };
    if !metadata.is_file() {
        return Err(refuse("not a regular file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(fail)?;
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(fail)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refuse("larger than 1 MiB, so no configuration"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let fault = Fault::Syntax("not UTF-8 text".to_owned());
        let text = String::from_utf8_lossy(&error.as_bytes()[..valid]);
        ConfigError::in_file(&shown, &text, valid, fault)
    })
}

fn not_found(name: &str) -> ConfigError {
    let presets: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
    ConfigError::NotFound {
        name: clip(name),
        nearest: nearest(name, &presets),
        presets,
    }
}

/// The list of folders for a tool that probes: the first that is set of the folders of its command
/// line, `SYZYGY_PATH`, `TB_PATH`, and `[syzygy] path` of the configuration, which is a file or a
/// preset (`default` if none is given). `None` if nobody names a folder.
///
/// # Errors
/// [`ConfigError`] if the configuration is asked and does not load.
pub fn table_folders(
    named: &[OsString],
    config: Option<&OsStr>,
) -> Result<Option<OsString>, ConfigError> {
    let separator = if cfg!(windows) { ";" } else { ":" };
    let set = |list: OsString| {
        let is_empty = list.to_string_lossy().trim().is_empty() || list == "<empty>";
        (!is_empty).then_some(list)
    };
    let variable = |name| env::var_os(name).and_then(set);
    let outside = set(named.join(separator.as_ref()))
        .or_else(|| variable("SYZYGY_PATH"))
        .or_else(|| variable("TB_PATH"));
    if outside.is_some() {
        return Ok(outside);
    }
    let config = Config::load(config.unwrap_or("default".as_ref()))?;
    Ok(set(config.syzygy.path.to_string().into()))
}
