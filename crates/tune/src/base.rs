//! The config that a tool begins with, as it stands in its file, and what the tool makes of it.

use std::path::Path;

use sextant_cli::{failure::Failure, files};
use sextant_config::{Config, Preset};

/// A preset's or a file's config.
pub(crate) struct Base {
    name: String,
    pub(crate) config: Config,
}

impl Base {
    /// Loads a preset or a file.
    pub(crate) fn load(name: &str) -> Result<Base, Failure> {
        Ok(Base {
            name: name.to_owned(),
            config: Config::load(name).map_err(Failure::usage)?,
        })
    }

    /// The text of a new config that will lie at `out`: that of the base with its comments, or of a
    /// short file that extends the preset and begins with how it came to be (`made`).
    ///
    /// # Errors
    /// [`Failure`] if the file names other files by relative paths and `out` lies elsewhere.
    pub(crate) fn text(&self, new: &Config, out: &Path, made: &str) -> Result<String, Failure> {
        let origin = match Preset::find(&self.name) {
            Some(_) => out.to_string_lossy().into_owned(),
            None => self.name.clone(),
        };
        let existing = match Preset::find(&self.name) {
            Some(preset) => format!(
                "# {made}, from the preset {0}.\nversion = 1\nextends = \"{0}\"\n",
                preset.name
            ),
            None => files::read_text(self.name.as_ref(), files::MIB)?,
        };
        let text = new.write_into(&existing, &origin).map_err(Failure::usage)?;
        match Config::from_toml_str(&text, &out.to_string_lossy()) {
            Ok(read) if read == *new => Ok(text),
            _ => Err(Failure::usage(format!(
                "{} names other files by relative paths, which would lead elsewhere from {}; name \
                 a file in the same folder with --out",
                self.name,
                out.display()
            ))),
        }
    }

    /// Writes a new config to `out`.
    pub(crate) fn write(&self, new: &Config, out: &Path, made: &str) -> Result<(), Failure> {
        let text = self.text(new, out, made)?;
        Ok(files::write(out, text)?)
    }
}
