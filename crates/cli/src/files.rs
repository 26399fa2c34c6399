//! Files: written whole or not at all, by one process at a time, and read only if they are files.
//! Whatever the system says is a [`FileError`].

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufWriter, ErrorKind, Read, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use tempfile::{NamedTempFile, TempPath};

/// How long a lock is waited for: a process that was killed holds its own until it is gone, and a
/// process that is just being started those of its parent.
const LOCK_PATIENCE: Duration = Duration::from_millis(100);

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
}

/// Writes `bytes` beside `path`, syncs them and moves them over what was there: a full disk, a kill
/// or a power cut leaves either the old file or the new one. Rights stay as they were, and a link
/// goes on leading to its file. A device or a pipe is written to.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), FileError> {
    write_whole(path, bytes.as_ref()).map_err(FileError::of("write", path))
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_device(path) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let path = &canonical(path);
    let mut part = replace_part(path)?;
    part.write_all(bytes)?;
    if let Ok(old) = fs::metadata(path) {
        part.as_file().set_permissions(old.permissions())?;
    }
    part.as_file().sync_all()?;
    part.persist(path)?;
    sync_folder(path);
    Ok(())
}

/// `PATH.part`, which is removed unless it is moved in time.
fn create_part(path: &Path) -> io::Result<NamedTempFile> {
    let part = beside(path, ".part");
    let file = File::create_new(&part)?;
    // An absolute path, or it would be looked for in another folder if that changes.
    let part = TempPath::try_from_path(std::path::absolute(part)?)?;
    Ok(NamedTempFile::from_parts(file, part))
}

/// `PATH.part` in place of what a run that was killed has left of it.
fn replace_part(path: &Path) -> io::Result<NamedTempFile> {
    let part = beside(path, ".part");
    if part.is_file() {
        fs::remove_file(part)?;
    }
    create_part(path)
}

/// Syncs a new name in a folder. Some systems cannot; the file is in its place all the same.
pub(crate) fn sync_folder(path: &Path) {
    if cfg!(unix)
        && let Some(folder) = path.parent()
    {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Could [`write()`] write here? Asked before long work; nothing is left behind.
pub fn check_writable(path: &Path) -> Result<(), FileError> {
    let checked = if path.is_dir() {
        Err(ErrorKind::IsADirectory.into())
    } else if is_device(path) {
        OpenOptions::new().write(true).open(path).map(drop)
    } else {
        replace_part(&canonical(path)).map(drop)
    };
    checked.map_err(FileError::of("write", path))
}

/// Opens a file for reading. A pipe or a device is refused without waiting for it.
pub fn open(path: &Path) -> Result<File, FileError> {
    open_regular(OpenOptions::new().read(true), path).map_err(FileError::of("read", path))
}

/// Opens a file for appending; it is created if it is not there. A pipe or a device is refused.
pub fn open_append(path: &Path) -> Result<File, FileError> {
    open_regular(OpenOptions::new().append(true).create(true), path)
        .map_err(FileError::of("write", path))
}

/// Reads a file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let failed = FileError::of("read", path);
    let mut file = open(path)?.take(limit.saturating_add(1));
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(&failed)?;
    if bytes.len() as u64 > limit {
        let message = format!("it has more than {limit} bytes");
        return Err(failed(io::Error::new(ErrorKind::FileTooLarge, message)));
    }
    Ok(bytes)
}

/// No network that could be run has more bytes.
pub const LARGEST_NETWORK: u64 = 64 * MIB;

/// Reads the file of a network, for whatever builds an engine of a config.
pub fn read_network(path: &str) -> io::Result<Vec<u8>> {
    read(path.as_ref(), LARGEST_NETWORK).map_err(|error| error.source)
}

/// Reads a text in UTF-8 of at most `limit` bytes.
pub fn read_text(path: &Path, limit: u64) -> Result<String, FileError> {
    String::from_utf8(read(path, limit)?).map_err(|error| {
        let message = format!("it is not UTF-8: {error}");
        FileError::of("read", path)(io::Error::new(ErrorKind::InvalidData, message))
    })
}

/// Reads positions or other text in ASCII of at most `limit` bytes. Comments may be in any encoding:
/// what is not UTF-8 in them becomes the replacement character.
pub fn read_positions(path: &Path, limit: u64) -> Result<String, FileError> {
    Ok(String::from_utf8_lossy(&read(path, limit)?).into_owned())
}

/// Opens without waiting, then looks what it is: what is listed as a file may be replaced
/// meanwhile.
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
    match options.open(path) {
        Ok(file) if file.metadata()?.is_file() => Ok(file),
        // A pipe that nobody reads does not even open for writing.
        Err(error) if !is_device(path) => Err(error),
        _ => Err(io::Error::new(
            ErrorKind::InvalidInput,
            "it is a pipe or a device, not a file",
        )),
    }
}

/// The right to write a file, which one process at a time has. It ends with the process, even if
/// that is killed.
#[derive(Debug)]
pub struct Claim {
    /// `None` for a device, which has no owner.
    locked: Option<(PathBuf, File)>,
}

impl Claim {
    /// Claims `path` by a lock on a file beside it: the file itself is replaced again and again.
    /// All names of one file are one claim.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] if another process has it; else what the system says.
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
/// [`ErrorKind::WouldBlock`] if another process has it, for a tenth of a second at least.
pub(crate) fn lock_file(file: &File) -> io::Result<()> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
            Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_PATIENCE => {
                thread::sleep(LOCK_PATIENCE / 20);
            }
            Err(TryLockError::WouldBlock) => {
                let error = "another process is working on it";
                return Err(io::Error::new(ErrorKind::WouldBlock, error));
            }
        }
    }
}

/// A large new file that appears under its name only when it is whole. Dropping it before
/// [`NewFile::finish`] leaves nothing behind.
pub struct NewFile {
    path: PathBuf,
    part: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// Begins a file. One that is there already is not overwritten, and neither is `PATH.part`,
    /// under whose name it is written.
    pub fn new(path: &Path) -> Result<NewFile, FileError> {
        // A link that leads nowhere is there too.
        let part = match fs::symlink_metadata(path) {
            Ok(_) => Err(already(
                "it is there already; name another file or remove it",
            )),
            Err(_) => create_part(path).map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => already(
                    "its .part is there already: another process is writing it, or one that was \
                     killed has left it; name another file or remove that",
                ),
                _ => error,
            }),
        };
        Ok(NewFile {
            path: path.to_owned(),
            part: BufWriter::with_capacity(1 << 20, part.map_err(FileError::of("write", path))?),
        })
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let written = self.part.write_all(bytes);
        written.map_err(FileError::of("write", &self.path))
    }

    /// Syncs the file and gives it its name, if nothing else has got it since.
    pub fn finish(self) -> Result<(), FileError> {
        let NewFile { path, part } = self;
        let finish = || {
            let part = part.into_inner()?;
            part.as_file().sync_all()?;
            part.persist_noclobber(&path)?;
            sync_folder(&canonical(&path));
            Ok(())
        };
        finish().map_err(FileError::of("write", &path))
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
pub(crate) fn canonical(path: &Path) -> PathBuf {
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
            Err(_) => return fs::canonicalize(folder).map_or(path.clone(), |to| to.join(name)),
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
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}
