//! The file that grows: whole games only, in order, never lost once they are shown as written.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufReader, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use sextant::whole_file;

use super::{player::Finished, recipe::Recipe};
use crate::{
    failure::Failure,
    games::{ReadError, Reader},
};

/// How often the games are pressed onto the disk.
const SYNC: Duration = Duration::from_secs(5);

/// The file of games.
pub(super) struct GameFile {
    path: PathBuf,
    file: BufWriter<File>,
    games: u64,
    cut: Option<u64>,
    synced: Instant,
}

impl GameFile {
    /// Begins a file, or goes on with one of the same recipe: a game that is not whole is cut off.
    pub(super) fn open(path: &Path, recipe: &Recipe) -> Result<GameFile, Failure> {
        settle_recipe(path, recipe)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|error| failed("write", path, &error))?;
        lock(&file, path)?;
        let (games, whole, cut) = whole_games(&file, path)?;
        file.set_len(whole)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(|error| failed("write", path, &error))?;
        Ok(GameFile {
            path: path.to_owned(),
            file: BufWriter::new(file),
            games,
            cut,
            synced: Instant::now(),
        })
    }

    /// Games in the file.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Bytes of a torn game that were cut off.
    pub(super) fn cut(&self) -> Option<u64> {
        self.cut
    }

    /// Appends a game.
    pub(super) fn append(&mut self, finished: &Finished) -> Result<(), Failure> {
        let written = self.file.write_all(&finished.bytes).and_then(|()| {
            if self.synced.elapsed() < SYNC {
                return Ok(());
            }
            self.synced = Instant::now();
            self.sync()
        });
        written.map_err(|error| self.failed(&error))?;
        self.games += 1;
        Ok(())
    }

    /// Presses everything onto the disk.
    pub(super) fn close(&mut self) -> Result<(), Failure> {
        self.sync().map_err(|error| self.failed(&error))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_data()
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::work(format!(
            "cannot write {}: {error}; what the file holds is good, and the same command goes on \
             with it once that is mended",
            self.path.display()
        ))
    }
}

/// Writes the recipe of a file that begins; another one must be of the same.
fn settle_recipe(path: &Path, recipe: &Recipe) -> Result<(), Failure> {
    let recipe_path = Recipe::path(path);
    let found = fs::metadata(path);
    if found.as_ref().is_ok_and(|found| !found.is_file()) {
        return Err(Failure::usage(format!(
            "{} is a folder or a device; name a file",
            path.display()
        )));
    }
    let has_games = found.is_ok_and(|found| found.len() > 0);
    match fs::read_to_string(&recipe_path) {
        Ok(text) if !text.is_empty() => check(path, &recipe_path, &text, recipe),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(failed("read", &recipe_path, &error))
        }
        // A full disk may have left a recipe without a word.
        _ if has_games => Err(Failure::usage(format!(
            "{} holds something, but {} is not there or empty, so nobody knows how it was made; \
             name another file",
            path.display(),
            recipe_path.display()
        ))),
        _ => whole_file::write(&recipe_path, recipe.to_toml()?.as_bytes())
            .map_err(|error| failed("write", &recipe_path, &error)),
    }
}

fn failed(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("cannot {what} {}: {error}", path.display()))
}

/// Two runs that append to one file would mix their games.
fn lock(file: &File, path: &Path) -> Result<(), Failure> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(Failure::usage(format!(
            "another sextant-tune is writing {}; name another file and another --seed, or stop it",
            path.display()
        ))),
        Err(TryLockError::Error(error)) => Err(failed("lock", path, &error)),
    }
}

/// Is the written recipe the one of now?
fn check(path: &Path, recipe_path: &Path, text: &str, recipe: &Recipe) -> Result<(), Failure> {
    let written: Recipe = toml::from_str(text).map_err(|error| {
        Failure::usage(format!(
            "{} is no recipe of games, name another file: {error}",
            recipe_path.display()
        ))
    })?;
    let differences = recipe.differences(&written)?;
    if differences.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{} was made in another way: {}; take the same options and engine as before, or name \
         another file (`sextant-tune data merge` joins them)",
        path.display(),
        differences.join("; ")
    )))
}

/// How many whole games there are, how many bytes they have, and how many more there are.
fn whole_games(file: &File, path: &Path) -> Result<(u64, u64, Option<u64>), Failure> {
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, file), path);
    let mut games = 0;
    loop {
        match reader.next_game() {
            Ok(Some(_)) => games += 1,
            Ok(None) => return Ok((games, reader.whole(), None)),
            Err(ReadError::Torn { whole, bytes, .. }) => return Ok((games, whole, Some(bytes))),
            Err(error) => return Err(Failure::usage(error)),
        }
    }
}
