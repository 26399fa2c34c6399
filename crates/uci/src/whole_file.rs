//! Files that are replaced whole or not at all.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Writes `bytes` beside `path` and moves them over what was there: a full disk or a lost machine
/// never leaves less than there was. A device or a pipe, which nothing can be moved over, is
/// written to.
///
/// # Errors
/// What the system says; the old file is untouched then.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_device(path) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let part = part(path);
    let written = File::create(&part)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
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
    let part = part(path);
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

/// Where the bytes lie until all are there.
fn part(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".part");
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
