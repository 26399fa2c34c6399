//! The tuned config as a file.

use std::{fs, path::Path};

use sextant_config::{Config, Preset};

use super::optimiser::Tuned;
use crate::{failure::Failure, keys, whole_file};

/// The config that a run begins with, as it stands in its file.
pub(super) struct Base {
    name: String,
    pub(super) config: Config,
}

impl Base {
    /// Loads a preset or a file.
    pub(super) fn load(name: &str) -> Result<Base, Failure> {
        Ok(Base {
            name: name.to_owned(),
            config: Config::load(name).map_err(Failure::usage)?,
        })
    }

    /// The config with the values of a run, as far as they can be had.
    pub(super) fn tuned(&self, values: &[Tuned]) -> Result<Config, Failure> {
        let rounded: Vec<_> = values.iter().map(Tuned::rounded).collect();
        with_values(&self.config, values, &rounded)
    }

    /// The text of a tuned config that will lie at `out`: that of the base with its comments, or of
    /// a short file that extends the preset.
    ///
    /// # Errors
    /// [`Failure`] if the file names other files by relative paths and `out` lies elsewhere.
    pub(super) fn text(&self, tuned: &Config, out: &Path) -> Result<String, Failure> {
        let origin = match Preset::find(&self.name) {
            Some(_) => out.to_string_lossy().into_owned(),
            None => self.name.clone(),
        };
        let existing = match Preset::find(&self.name) {
            Some(preset) => format!(
                "# Tuned by games: `sextant-tune spsa`, from the preset {0}.\nversion = 1\n\
                 extends = \"{0}\"\n",
                preset.name
            ),
            None => fs::read_to_string(&self.name)
                .map_err(|error| Failure::usage(format!("cannot read {}: {error}", self.name)))?,
        };
        let text = tuned
            .write_into(&existing, &origin)
            .map_err(Failure::usage)?;
        match Config::from_toml_str(&text, &out.to_string_lossy()) {
            Ok(read) if read == *tuned => Ok(text),
            _ => Err(Failure::usage(format!(
                "{} names other files by relative paths, which would lead elsewhere from {}; name \
                 a file in the same folder with --out",
                self.name,
                out.display()
            ))),
        }
    }

    /// Writes a tuned config to `out`.
    pub(super) fn write(&self, tuned: &Config, out: &Path) -> Result<(), Failure> {
        let text = self.text(tuned, out)?;
        whole_file::write(out, text.as_bytes())
            .map_err(|error| Failure::work(format!("cannot write {}: {error}", out.display())))
    }
}

/// A config with other values of the tuned parameters.
pub(super) fn with_values(
    config: &Config,
    tuned: &[Tuned],
    values: &[i32],
) -> Result<Config, Failure> {
    let mut config = config.clone();
    for (one, value) in tuned.iter().zip(values) {
        let Some(parameter) = keys::find(&one.key) else {
            return Err(Failure::usage(format!(
                "{} is no key of this version; the run is of another one",
                one.key
            )));
        };
        parameter.set(&mut config, *value).map_err(Failure::usage)?;
    }
    Ok(config)
}
