//! A file that grows by whole records for hours, and a recipe beside it that says what the records
//! are a function of. Whatever ends the run, the same command goes on: the lock ends with the
//! process, a torn record is cut off, and another recipe is refused.
//!
//! What counts records in a file of its own calls [`Journal::sync`] before it writes that file:
//! then a power cut never leaves a count of records that are not there.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, BufWriter, ErrorKind, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    failure::Failure,
    files::{self, FileError},
};

/// How often records are synced.
const SYNC: Duration = Duration::from_secs(5);
/// The largest recipe that is believed.
const LARGEST_RECIPE: u64 = files::MIB;

/// The file.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games");
/// use std::{collections::BTreeMap, io::BufRead};
/// use sextant_cli::journal::Journal;
///
/// let recipe = BTreeMap::from([("seed".to_owned(), 1), ("nodes".to_owned(), 5000)]);
/// let mut journal = Journal::open(&path)?;
/// journal.settle_recipe(&recipe, "# What the games are a function of.\n")?;
/// // Here a record is a line; a game is found by its own reader.
/// let lines = journal.reader()?.split(b'\n').map_while(Result::ok).count();
/// journal.cut_behind(0)?;
/// journal.append(b"e2e4 e7e5\n")?;
/// journal.sync()?;
/// # assert_eq!(lines, 0);
/// # Ok::<(), sextant_cli::failure::Failure>(())
/// ```
pub struct Journal {
    path: PathBuf,
    file: BufWriter<File>,
    is_new: bool,
    synced: Instant,
}

impl Journal {
    /// Opens the file, which is created if it is not there, and locks it: two runs would mix their
    /// records. Nothing in it changes yet.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] if another process writes to it; else what the system says.
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
    pub fn settle_recipe<R>(&self, recipe: &R, comment: &str) -> Result<(), Failure>
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

    fn compare_or_write<R>(&self, recipe: &R, comment: &str) -> Result<(), Failure>
    where
        R: Serialize + DeserializeOwned,
    {
        let path = files::beside(&self.path, ".toml");
        let (name, recipe_name) = (self.path.display(), path.display());
        let written = match files::read_text(&path, LARGEST_RECIPE) {
            Err(error) if error.source.kind() == ErrorKind::NotFound => String::new(),
            written => written?,
        };
        if !written.is_empty() {
            let then = toml::from_str(&written).map_err(|error| {
                Failure::usage(format!(
                    "{recipe_name} is no recipe of ours, name another file: {error}"
                ))
            })?;
            let differences = differences(recipe, &then);
            if differences.is_empty() {
                return Ok(());
            }
            return Err(Failure::usage(format!(
                "{name} was made in another way: {}; take the same options and engine as before, or \
                 name another file",
                differences.join("; ")
            )));
        }
        let found = self.file.get_ref().metadata();
        if found.map_err(FileError::of("read", &self.path))?.len() > 0 {
            return Err(Failure::usage(format!(
                "{name} holds something, but {recipe_name} is not there or empty, so nobody knows \
                 how it was made; name another file"
            )));
        }
        let text = toml::to_string(recipe).map_err(Failure::work)?;
        Ok(files::write(&path, format!("{comment}{text}"))?)
    }

    /// Reads the file from its beginning, to find how much of it is whole.
    pub fn reader(&mut self) -> Result<BufReader<&File>, FileError> {
        let start = self.file.rewind();
        start.map_err(FileError::of("read", &self.path))?;
        Ok(BufReader::with_capacity(1 << 20, self.file.get_ref()))
    }

    /// Cuts off what stands behind the first `whole` bytes, and appends there from now on. Returns
    /// how many bytes that were.
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
    pub fn append(&mut self, record: &[u8]) -> Result<(), Failure> {
        let written = self.file.write_all(record);
        written.map_err(|error| self.failed(error))?;
        if self.synced.elapsed() >= SYNC {
            self.sync()?;
        }
        Ok(())
    }

    /// Syncs all records.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.synced = Instant::now();
        let flushed = self.file.flush();
        let synced = flushed.and_then(|()| self.file.get_ref().sync_data());
        synced.map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> Failure {
        let advice =
            "what it holds is good, and the same command goes on with it once that is mended";
        Failure::work(FileError::of("write", &self.path)(error)).advise(advice)
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
