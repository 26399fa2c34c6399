//! Configs and engines as the tools use them: nothing in a search may depend on more than its
//! position, its game and its limits.

use std::{path::Path, sync::Arc};

use sextant_cli::{
    failure::Failure,
    files::{self, MIB},
};
use sextant_config::{Config, Preset};
use sextant_play::Openings;
use sextant_search::EngineSetup;
use sextant_syzygy::{Backend, Tablebase};

use crate::hash::fnv;

/// Larger than any book of openings.
const LARGEST_BOOK: u64 = 1024 * MIB;

/// A preset's or a file's config with one thread, a table of `hash` MB, and without weakening and
/// bonuses at the root: a score must be the search's own.
pub(crate) fn config(name: &str, hash: i32) -> Result<Config, Failure> {
    let mut config = Config::load(name).map_err(Failure::usage)?;
    let neutral = Config::default();
    config.engine.threads = 1;
    config.engine.hash = hash;
    config.engine.move_overhead = 0;
    config.level = neutral.level;
    config.root_bonus = neutral.root_bonus;
    Ok(config)
}

/// What engines of a config are made of: its network is read and its tables are opened.
pub(crate) fn setup(config: Config) -> Result<EngineSetup, Failure> {
    let setup = EngineSetup::new(config, files::read_network).map_err(Failure::usage)?;
    setup.with_tables().map_err(Failure::usage)
}

/// The tables in the folders of `--syzygy`; without any there is nothing to ask.
pub(crate) fn open_tables(folders: &str) -> Result<Arc<Tablebase>, Failure> {
    let tables = Tablebase::open(folders, Backend::Native).map_err(Failure::usage)?;
    if tables.max_men() == 0 {
        let message = "no WDL table that can be used is there";
        return Err(Failure::usage(format!("--syzygy {folders}: {message}")));
    }
    Ok(Arc::new(tables))
}

/// Reads a book or a test suite; letters of comments and names may be in any encoding.
pub(crate) fn read_positions(path: &Path) -> Result<String, Failure> {
    Ok(files::read_positions(path, LARGEST_BOOK)?)
}

/// The openings of a book, and a hash of its text.
pub(crate) fn read_book(path: &Path, seed: u64) -> Result<(Openings, u64), Failure> {
    let text = read_positions(path)?;
    let openings = Openings::from_book(&text, seed);
    let openings =
        openings.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    Ok((openings, fnv(text.as_bytes())))
}

/// What engines of a preset or a file are made of, see [`config`]: without tables.
pub(crate) fn load(name: &str, hash: i32) -> Result<EngineSetup, Failure> {
    EngineSetup::new(config(name, hash)?, files::read_network).map_err(Failure::usage)
}

/// The config that a tool begins with, as it stands in its file.
pub(crate) struct Base {
    name: String,
    pub(crate) config: Config,
}

impl Base {
    pub(crate) fn load(name: &str) -> Result<Base, Failure> {
        Ok(Base {
            name: name.to_owned(),
            config: Config::load(name).map_err(Failure::usage)?,
        })
    }

    /// The text of a new config that will lie at `out`: that of the base with its comments, or of a
    /// short file that extends the preset and begins with how it came to be (`made`).
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
            None => files::read_text(self.name.as_ref(), MIB)?,
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

    /// Writes a new config to `out`, unless it is that of the base; what to say of that.
    pub(crate) fn write(&self, new: &Config, out: &Path, made: &str) -> Result<String, Failure> {
        let name = out.display();
        if *new == self.config {
            return Ok(format!(
                "nothing changed: every value rounds to what it was; {name} is not written"
            ));
        }
        files::write(out, self.text(new, out, made)?)?;
        Ok(format!("written: {name}"))
    }
}
