//! A file that grows by whole records for hours, and a recipe beside it that says what the records
//! are a function of. Whatever ends the run, the same command goes on: the lock ends with the
//! process, a torn record is cut off, and another recipe is refused.
//!
//! What counts records in a file of its own calls [`Journal::sync`] before it writes that file: then
//! a power cut never leaves a count of records that are not there.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, BufWriter, ErrorKind, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::{Serialize, de::DeserializeOwned};

use crate::files::{self, FileError};

/// How often records are pressed onto the disk.
const SYNC: Duration = Duration::from_secs(5);
/// The largest recipe that is believed.
const LARGEST_RECIPE: u64 = files::MIB;

/// Why a journal cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system does not let us.
    #[error(transparent)]
    File(#[from] FileError),
    /// A record cannot be written.
    #[error("{0}; what it holds is good, and the same command goes on with it once that is mended")]
    Append(FileError),
    /// There are records, but no recipe.
    #[error(
        "{} holds something, but {} is not there or empty, so nobody knows how it was made; name \
         another file",
        path.display(),
        files::beside(path, ".toml").display()
    )]
    NoRecipe {
        /// The journal.
        path: PathBuf,
    },
    /// The recipe is none.
    #[error("{} is no recipe of ours, name another file: {source}", path.display())]
    BadRecipe {
        /// The recipe.
        path: PathBuf,
        /// What does not fit.
        source: toml::de::Error,
    },
    /// The records were made in another way.
    #[error(
        "{} was made in another way: {}; take the same options and engine as before, or name \
         another file",
        path.display(),
        differences.join("; ")
    )]
    OtherRecipe {
        /// The journal.
        path: PathBuf,
        /// Each difference, as [`differences`] tells it.
        differences: Vec<String>,
    },
}

/// The file.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games");
/// use std::{collections::BTreeMap, io::BufRead};
/// use sextant_cli::journal::Journal;
///
/// let recipe = BTreeMap::from([("seed", 1), ("nodes", 5000)]);
/// let recipe: BTreeMap<String, u64> = recipe.into_iter().map(|(k, v)| (k.into(), v)).collect();
/// let mut journal = Journal::open(&path)?;
/// journal.settle_recipe(&recipe, "# What the games are a function of.\n")?;
/// // Here a record is a line; a game or a frame is found by its own reader.
/// let lines = journal.reader()?.split(b'\n').map_while(Result::ok).count();
/// journal.cut_behind(0)?;
/// journal.append(b"e2e4 e7e5\n")?;
/// journal.sync()?;
/// # assert_eq!(lines, 0);
/// # Ok::<(), sextant_cli::journal::JournalError>(())
/// ```
pub struct Journal {
    path: PathBuf,
    file: BufWriter<File>,
    is_new: bool,
    synced: Instant,
}

impl Journal {
    /// Opens the file, which is made if it is not there, and locks it: two runs would mix their
    /// records. Nothing in it changes yet.
    ///
    /// # Errors
    /// One that [`FileError::is_busy`] if another process writes to it; else what the system says.
    pub fn open(path: &Path) -> Result<Journal, FileError> {
        let is_new = fs::symlink_metadata(path).is_err();
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true);
        let file = files::open_regular(options, path);
        let locked = file.and_then(|file| files::lock_file(&file).map(|()| file));
        Ok(Journal {
            path: path.to_owned(),
            file: BufWriter::new(locked.map_err(FileError::of("write", path))?),
            is_new,
            synced: Instant::now(),
        })
    }

    /// Writes the recipe of a journal that begins, to `PATH.toml`, behind a comment; the recipe of
    /// one that goes on must be the same.
    ///
    /// # Errors
    /// If the recipe is another or cannot be read or written.
    pub fn settle_recipe<R>(&self, recipe: &R, comment: &str) -> Result<(), JournalError>
    where
        R: Serialize + DeserializeOwned,
    {
        let settled = self.compare_or_write(recipe, comment);
        if settled.is_err() && self.is_new {
            // It was made for nothing.
            let _ = fs::remove_file(&self.path);
        }
        settled
    }

    fn compare_or_write<R>(&self, recipe: &R, comment: &str) -> Result<(), JournalError>
    where
        R: Serialize + DeserializeOwned,
    {
        let path = files::beside(&self.path, ".toml");
        let written = match files::read_text(&path, LARGEST_RECIPE) {
            Err(error) if error.source.kind() == ErrorKind::NotFound => String::new(),
            written => written?,
        };
        let length = self.file.get_ref().metadata().map(|found| found.len());
        if !written.is_empty() {
            let then: R = toml::from_str(&written)
                .map_err(|source| JournalError::BadRecipe { path, source })?;
            let differences = differences(recipe, &then);
            if differences.is_empty() {
                return Ok(());
            }
            return Err(JournalError::OtherRecipe {
                path: self.path.clone(),
                differences,
            });
        }
        if length.map_err(FileError::of("read", &self.path))? > 0 {
            return Err(JournalError::NoRecipe {
                path: self.path.clone(),
            });
        }
        let text = toml::to_string(recipe).map_err(io::Error::other);
        let text = text.map_err(FileError::of("write", &path))?;
        Ok(files::write(&path, format!("{comment}{text}"))?)
    }

    /// Reads the file from its beginning, to find how much of it is whole.
    ///
    /// # Errors
    /// What the system says.
    pub fn reader(&mut self) -> Result<BufReader<&File>, FileError> {
        let start = self.file.rewind();
        start.map_err(FileError::of("read", &self.path))?;
        Ok(BufReader::with_capacity(1 << 20, self.file.get_ref()))
    }

    /// Cuts off what stands behind the first `whole` bytes, and appends there from now on. Returns how
    /// many bytes that were.
    ///
    /// # Errors
    /// What the system says.
    pub fn cut_behind(&mut self, whole: u64) -> Result<u64, FileError> {
        let mut cut = || {
            let file = self.file.get_ref();
            let torn = file.metadata()?.len().saturating_sub(whole);
            if torn > 0 {
                file.set_len(whole)?;
            }
            self.file.seek(SeekFrom::End(0))?;
            Ok(torn)
        };
        cut().map_err(FileError::of("write", &self.path))
    }

    /// Appends a record. It is on the disk some seconds later, or after [`Journal::sync`].
    ///
    /// # Errors
    /// If the disk takes no more; the whole records so far stay.
    pub fn append(&mut self, record: &[u8]) -> Result<(), JournalError> {
        let written = self.file.write_all(record);
        written.map_err(|error| self.failed(error))?;
        if self.synced.elapsed() >= SYNC {
            self.sync()?;
        }
        Ok(())
    }

    /// Presses all records onto the disk.
    ///
    /// # Errors
    /// If the disk takes no more.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.synced = Instant::now();
        let synced = self
            .file
            .flush()
            .and_then(|()| self.file.get_ref().sync_data());
        synced.map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> JournalError {
        JournalError::Append(FileError::of("write", &self.path)(error))
    }
}

/// What differs between two recipes or settings, as `seed was 1 and is now 2`. Only the outermost
/// fields are told apart.
pub fn differences<R: Serialize>(now: &R, then: &R) -> Vec<String> {
    // TOML's numbers end at the largest i64, which a seed may be beyond.
    let value = |recipe| serde_json::to_value(recipe).unwrap_or_default();
    let (now, then) = (value(now), value(then));
    let fields = now.as_object().into_iter().flatten();
    fields
        .filter(|(key, value)| then.get(key) != Some(value))
        .map(|(key, value)| match then.get(key) {
            Some(before) => format!("{key} was {before} and is now {value}"),
            None => format!("{key} was not recorded"),
        })
        .collect()
}
