//! Files: written whole or not at all, by one process at a time, and read only if they are files.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufWriter, ErrorKind, Read, Write},
    path::{Path, PathBuf},
};

use tempfile::TempPath;

/// For limits: `64 * MIB`.
pub const MIB: u64 = 1 << 20;

/// What the system says of a file, and what was tried: `cannot read book.epd: no such file`.
#[derive(Debug, thiserror::Error)]
#[error("cannot {tried} {}: {source}", path.display())]
pub struct FileError {
    /// `read`, `write` or another verb.
    pub tried: &'static str,
    /// The file, as the caller named it.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

impl FileError {
    /// For `map_err`: `file.read(..).map_err(FileError::of("read", path))`.
    pub fn of(tried: &'static str, path: &Path) -> impl Fn(io::Error) -> FileError + use<> {
        let path = path.to_owned();
        move |source| FileError {
            tried,
            path: path.clone(),
            source,
        }
    }

    /// Does another process have the file?
    pub fn is_busy(&self) -> bool {
        self.source.kind() == ErrorKind::WouldBlock
    }
}

/// Writes `bytes` beside `path`, presses them onto the disk and moves them over what was there: a
/// full disk, a kill or a power cut leaves either the old file or the new one. Rights stay as they
/// were, and a link goes on leading to its file. A device or a pipe is written to.
///
/// # Errors
/// What the system says; the old file is untouched then.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), FileError> {
    write_whole(path, bytes.as_ref()).map_err(FileError::of("write", path))
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_device(path) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let path = &canonical(path);
    let part = beside(path, ".part");
    let written = (|| {
        let mut file = open_regular(OpenOptions::new().write(true).create(true), &part)?;
        file.set_len(0)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        if let Ok(old) = fs::metadata(path) {
            file.set_permissions(old.permissions())?;
        }
        fs::rename(&part, path)
    })();
    match &written {
        Ok(()) => sync_folder(path),
        // What did not fit is of no use to anyone; what was there before is not ours.
        Err(_) if part.is_file() => drop(fs::remove_file(&part)),
        Err(_) => {}
    }
    written
}

/// Presses a new name in a folder onto the disk. Some systems cannot; the file is in its place all
/// the same.
fn sync_folder(path: &Path) {
    if cfg!(unix)
        && let Some(folder) = path.parent()
    {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Could [`write`] write here? Asked before long work; nothing is left behind.
///
/// # Errors
/// What the system says.
pub fn check_writable(path: &Path) -> Result<(), FileError> {
    let check = || {
        if path.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if is_device(path) {
            return OpenOptions::new().write(true).open(path).map(drop);
        }
        let part = beside(&canonical(path), ".part");
        open_regular(OpenOptions::new().write(true).create(true), &part)?;
        fs::remove_file(&part)
    };
    check().map_err(FileError::of("write", path))
}

/// Opens a file for reading. A pipe or a device is refused without waiting for it.
///
/// # Errors
/// What the system says.
pub fn open(path: &Path) -> Result<File, FileError> {
    open_regular(OpenOptions::new().read(true), path).map_err(FileError::of("read", path))
}

/// Opens a file for appending; it is made if it is not there. A pipe or a device is refused.
///
/// # Errors
/// What the system says.
pub fn open_append(path: &Path) -> Result<File, FileError> {
    open_regular(OpenOptions::new().append(true).create(true), path)
        .map_err(FileError::of("write", path))
}

/// Reads a file of at most `limit` bytes.
///
/// # Errors
/// What the system says; also if `path` is no file or has more bytes.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let file = open(path)?;
    let read = || {
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            let message = format!("it has more than {limit} bytes");
            return Err(io::Error::new(ErrorKind::FileTooLarge, message));
        }
        Ok(bytes)
    };
    read().map_err(FileError::of("read", path))
}

/// Reads a text of at most `limit` bytes in UTF-8.
///
/// # Errors
/// As [`read`], and if the text is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, FileError> {
    String::from_utf8(read(path, limit)?).map_err(|error| {
        let message = format!("it is not UTF-8: {error}");
        FileError::of("read", path)(io::Error::new(ErrorKind::InvalidData, message))
    })
}

/// Opens without waiting, then looks what it is: what is listed as a file may be replaced meanwhile.
pub(crate) fn open_regular(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NONBLOCK);
    }
    // Windows does not open a folder at all; elsewhere only its reading fails.
    if path.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    // An ENXIO is a pipe that nobody reads.
    let file = match options.open(path) {
        Err(_) if is_device(path) => return Err(no_file()),
        file => file?,
    };
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(no_file())
}

fn no_file() -> io::Error {
    io::Error::new(
        ErrorKind::InvalidInput,
        "it is a pipe or a device, not a file",
    )
}

/// The right to write a file, which one process at a time has. It ends with the process, even if
/// that is killed.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("state.toml");
/// use sextant_cli::files::{self, Claim};
///
/// let claim = Claim::new(&path)?;
/// assert!(Claim::new(&path).unwrap_err().is_busy());
/// files::write(&path, "games = 2\n")?;
/// drop(claim);
/// # Ok::<(), sextant_cli::files::FileError>(())
/// ```
#[derive(Debug)]
pub struct Claim {
    /// `None` for a device, which has no owner.
    locked: Option<(PathBuf, File)>,
}

impl Claim {
    /// Claims `path` by a lock on a file beside it: the file itself is replaced again and again. All
    /// names of one file are one claim.
    ///
    /// # Errors
    /// One that [`FileError::is_busy`] if another process has it; else what the system says.
    pub fn new(path: &Path) -> Result<Claim, FileError> {
        if is_device(path) {
            return Ok(Claim { locked: None });
        }
        let lock_path = beside(&canonical(path), ".lock");
        let claim = || loop {
            let mut options = OpenOptions::new();
            let file = open_regular(options.write(true).create(true), &lock_path)?;
            lock_file(&file)?;
            // The last holder may have removed the file between these two steps.
            if is_at(&file, &lock_path) {
                return Ok(file);
            }
        };
        let file = claim().map_err(FileError::of("write", path))?;
        Ok(Claim {
            locked: Some((lock_path, file)),
        })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some((path, _)) = &self.locked {
            // A lock that stays behind hinders nobody.
            let _ = fs::remove_file(path);
        }
    }
}

/// Is the open file the one that has this name now?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |found: fs::Metadata| (found.dev(), found.ino());
    let named = fs::metadata(path).map(id);
    named.is_ok_and(|named| file.metadata().is_ok_and(|file| id(file) == named))
}

/// An open file cannot be removed there.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// Locks a file until it is closed. Where there are no locks, as on some network disks, it is as if
/// nobody else were there.
///
/// # Errors
/// [`ErrorKind::WouldBlock`] if another process has it.
pub(crate) fn lock_file(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(io::Error::new(
            ErrorKind::WouldBlock,
            "another process is working on it",
        )),
    }
}

/// A large new file that appears under its name only when it is whole. Dropping it before
/// [`NewFile::finish`] leaves nothing behind.
pub struct NewFile {
    path: PathBuf,
    part: TempPath,
    file: BufWriter<File>,
}

impl NewFile {
    /// Begins a file. One that is there already is not overwritten, and neither is `PATH.part`, under
    /// whose name it is written.
    ///
    /// # Errors
    /// If one of them is there, or it cannot be written.
    pub fn new(path: &Path) -> Result<NewFile, FileError> {
        let begin = || {
            // A link that leads nowhere is there too.
            if fs::symlink_metadata(path).is_ok() {
                return Err(already(
                    "it is there already; name another file or remove it",
                ));
            }
            let part = beside(path, ".part");
            let file = File::create_new(&part).map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => already(
                    "its .part is there already: another process is writing it, or one that was \
                     killed has left it; name another file or remove that",
                ),
                _ => error,
            })?;
            // An absolute path, or it would be looked for in another folder if that changes.
            let part = TempPath::try_from_path(std::path::absolute(part)?)?;
            Ok((part, BufWriter::with_capacity(1 << 20, file)))
        };
        let (part, file) = begin().map_err(FileError::of("write", path))?;
        Ok(NewFile {
            path: path.to_owned(),
            part,
            file,
        })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// If the disk takes no more.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let written = self.file.write_all(bytes);
        written.map_err(FileError::of("write", &self.path))
    }

    /// Presses the file onto the disk and gives it its name, if nothing else has got it since.
    ///
    /// # Errors
    /// If the disk takes no more, or there is something of that name.
    pub fn finish(mut self) -> Result<(), FileError> {
        let (path, part, file) = (&self.path, self.part, &mut self.file);
        let finished = file
            .flush()
            .and_then(|()| file.get_ref().sync_all())
            .and_then(|()| Ok(part.persist_noclobber(path)?));
        finished.map_err(FileError::of("write", path))?;
        sync_folder(&canonical(path));
        Ok(())
    }
}

fn already(message: &str) -> io::Error {
    io::Error::new(ErrorKind::AlreadyExists, message)
}

/// Do both paths lead to the same place, whether there is a file or not?
pub fn is_same(a: &Path, b: &Path) -> bool {
    canonical(a) == canonical(b)
}

/// The path without links and dots. The file need not be there, and a link may lead nowhere yet.
pub fn canonical(path: &Path) -> PathBuf {
    /// As many links in a row as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for _ in 0..MOST_LINKS {
        if let Ok(found) = fs::canonicalize(&path) {
            return found;
        }
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            break;
        };
        match fs::read_link(&path) {
            Ok(target) => path = folder.join(target),
            Err(_) => match fs::canonicalize(folder) {
                Ok(folder) => return folder.join(name),
                Err(_) => break,
            },
        }
    }
    path
}

/// The path of a file beside another: `state.toml` and `.lock` make `state.toml.lock`.
pub fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(end);
    path.with_file_name(name)
}

/// Is there something that is neither a file nor a folder?
pub(crate) fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}
