//! Files that are replaced whole or not at all.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Writes `bytes` beside `path` and moves them over what was there: a full disk or a lost machine
/// never leaves less than there was. Who may read the file stays as it was, and a link goes on
/// leading to it. A device or a pipe, which nothing can be moved over, is written to.
///
/// # Errors
/// What the system says; the old file is untouched then.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_device(path) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    // There may be no file yet.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let part = part(path, ".part");
    let written = File::create(&part)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| match fs::metadata(path) {
            Ok(old) => fs::set_permissions(&part, old.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // What did not fit is of no use to anyone.
        let _ = fs::remove_file(&part);
    }
    written
}

/// Could [`write`] write here? Asked before long work.
///
/// # Errors
/// What the system says.
pub fn check(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    if is_device(path) {
        return OpenOptions::new().write(true).open(path).map(drop);
    }
    let part = part(path, ".part");
    let trial = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&part);
    trial.and_then(|_| fs::remove_file(&part))
}

/// Reads a file that [`write`] wrote.
///
/// # Errors
/// What the system says; also if `path` is a device, which may never end.
pub fn read(path: &Path) -> io::Result<String> {
    if is_device(path) {
        return Err(io::Error::other("it is a device, not a file"));
    }
    fs::read_to_string(path)
}

/// The right to write a file, which one process at a time has.
#[derive(Debug)]
pub struct Claim {
    lock: PathBuf,
    /// Closing it gives the right back, also when the process is killed.
    file: Option<File>,
}

impl Claim {
    /// Claims `path`, by a lock on a file beside it: the file itself is replaced again and again.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if another process has it; else what the system says.
    pub fn new(path: &Path) -> io::Result<Claim> {
        let lock = part(path, ".lock");
        if is_device(path) {
            return Ok(Claim { lock, file: None });
        }
        let file = File::create(&lock)?;
        self::lock(&file)?;
        Ok(Claim {
            lock,
            file: Some(file),
        })
    }
}

/// Locks a file until it is closed. Where there are no locks, as on some network disks, it is as if
/// nobody else were there.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] if another process has it.
pub(crate) fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(io::Error::new(
            io::ErrorKind::WouldBlock,
            "another process is working on it",
        )),
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if self.file.is_some() {
            // A lock that stays behind hinders nobody.
            let _ = fs::remove_file(&self.lock);
        }
    }
}

/// A file beside another, for as long as that is being written.
fn part(path: &Path, end: &str) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(end);
    path.with_file_name(name)
}

/// Is there something that is neither a file nor a folder?
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        write(&path, b"old").unwrap();
        // A folder stands where the new file would have to be written first.
        fs::create_dir(folder.path().join("state.part")).unwrap();
        assert!(write(&path, b"new").is_err());
        assert!(check(&path).is_err());
        assert_eq!(read(&path).unwrap(), "old");
        fs::remove_dir(folder.path().join("state.part")).unwrap();
        check(&path).unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(read(&path).unwrap(), "new");
        assert!(check(folder.path()).is_err());
    }

    #[test]
    fn a_claim_is_one_holders() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let first = Claim::new(&path).unwrap();
        let error = Claim::new(&path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        write(&path, b"new").unwrap();
        drop(first);
        drop(Claim::new(&path).unwrap());
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no lock stays"
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_and_rights_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_and_never_read() {
        let full = Path::new("/dev/full");
        let error = write(full, b"new").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(is_device(full), "nothing was moved over it");
        check(Path::new("/dev/null")).unwrap();
        write(Path::new("/dev/null"), b"new").unwrap();
        assert!(read(Path::new("/dev/zero")).is_err());
    }
}
