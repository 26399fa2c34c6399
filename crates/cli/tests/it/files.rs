//! Whole files, claims, and what is no file.

use std::{fs, io::ErrorKind, path::Path};

use sextant_cli::{
    append_file::AppendFile,
    failure::Failure,
    files::{self, Claim, FileError, MIB, NewFile},
    journal::Journal,
};

fn kind<T>(result: Result<T, FileError>) -> ErrorKind {
    result.err().unwrap().source.kind()
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn a_failure_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let [path, part] = ["state", "state.part"].map(|name| folder.path().join(name));
    files::write(&path, "old").unwrap();
    // A folder stands where the new file would have to be written first.
    fs::create_dir(&part).unwrap();
    assert!(files::write(&path, "new").is_err());
    assert!(files::check_writable(&path).is_err());
    assert_eq!(files::read_text(&path, MIB).unwrap(), "old");
    fs::remove_dir(&part).unwrap();
    // What a run that was killed has left is in nobody's way.
    fs::write(&part, "torn and longer").unwrap();
    files::check_writable(&path).unwrap();
    fs::write(&part, "torn and longer").unwrap();
    files::write(&path, "new").unwrap();
    assert_eq!(files::read(&path, MIB).unwrap(), b"new");
    assert_eq!(names(folder.path()), ["state"]);
    let missing = files::check_writable(&folder.path().join("none/state"));
    assert_eq!(kind(missing), ErrorKind::NotFound);
    let error = files::check_writable(folder.path()).unwrap_err();
    assert_eq!(Failure::from(error).code(), Failure::USAGE);
}

#[test]
fn a_limit_is_kept_and_text_is_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    fs::write(&path, b"ab\xff").unwrap();
    assert_eq!(files::read(&path, 3).unwrap().len(), 3);
    assert_eq!(kind(files::read(&path, 2)), ErrorKind::FileTooLarge);
    assert_eq!(kind(files::read_text(&path, 3)), ErrorKind::InvalidData);
    assert_eq!(files::read_positions(&path, 3).unwrap(), "ab\u{FFFD}");
    assert_eq!(kind(files::read(folder.path(), 3)), ErrorKind::IsADirectory);
    let error = files::read(&folder.path().join("none"), 3).unwrap_err();
    assert!(error.to_string().starts_with("cannot read "), "{error}");
    assert_eq!(Failure::from(error).code(), Failure::USAGE);
}

#[test]
fn a_file_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    fn claims<T>(path: &Path, claim: impl Fn(&Path) -> Result<T, FileError>) {
        let first = claim(path).unwrap();
        let dotted = path.parent().unwrap().join("./state");
        assert!(files::is_same(path, &dotted));
        for path in [path, &dotted] {
            let error = claim(path).err().unwrap();
            assert!(error.to_string().contains("another process"), "{error}");
        }
        drop(first);
        drop(claim(path).unwrap());
    }
    claims(&path, Claim::new);
    assert_eq!(names(folder.path()), [""; 0], "no lock stays");
    claims(&path, |path| AppendFile::open(path, None));
    claims(&path, Journal::open);
    claims(&path, |path| {
        let claim = Claim::new(path);
        files::write(path, "replaced").unwrap();
        claim
    });
    assert_eq!(kind(Journal::open(folder.path())), ErrorKind::IsADirectory);
}

#[test]
fn a_new_file_appears_whole_and_replaces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let mut file = NewFile::new(&path).unwrap();
    file.write(b"one").unwrap();
    assert!(!path.exists());
    let second = NewFile::new(&path).err().unwrap();
    assert!(second.to_string().contains(".part is there already"));
    file.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"one");
    assert_eq!(kind(NewFile::new(&path)), ErrorKind::AlreadyExists);
    let other = folder.path().join("other");
    drop(NewFile::new(&other).unwrap());
    let late = NewFile::new(&other).unwrap();
    fs::write(&other, "precious").unwrap();
    assert_eq!(kind(late.finish()), ErrorKind::AlreadyExists);
    assert_eq!(fs::read(&other).unwrap(), b"precious");
    assert_eq!(names(folder.path()), ["games", "other"]);
}

#[cfg(unix)]
mod unix {
    use std::{
        os::unix::fs::{PermissionsExt, symlink},
        process::Command,
    };

    use super::*;

    #[test]
    fn links_and_rights_stay_and_all_names_are_one_claim() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        symlink("file", &link).unwrap();
        // The link leads nowhere yet.
        let claim = Claim::new(&link).unwrap();
        assert_eq!(kind(Claim::new(&file)), ErrorKind::WouldBlock);
        files::write(&link, "old").unwrap();
        assert_eq!(kind(Claim::new(&file)), ErrorKind::WouldBlock);
        drop(claim);
        let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_ne!(mode(&file), 0o600, "a new file has the rights of any other");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        files::write(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(mode(&file), 0o600);
        let first = AppendFile::open(&file, None).unwrap();
        assert!(AppendFile::open(&link, None).is_err());
        drop(first);
    }

    #[test]
    fn a_pipe_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let invalid = ErrorKind::InvalidInput;
        assert_eq!(kind(files::open(&pipe)), invalid);
        assert_eq!(kind(files::read(&pipe, 1)), invalid);
        assert_eq!(kind(files::open_append(&pipe)), invalid);
        fs::rename(&pipe, folder.path().join("state.part")).unwrap();
        let written = files::write(&folder.path().join("state"), "new");
        assert_eq!(
            kind(written),
            ErrorKind::AlreadyExists,
            "no part goes into a pipe"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_and_never_read() {
        let full = Path::new("/dev/full");
        let error = files::write(full, "new").unwrap_err();
        assert_eq!(error.source.kind(), ErrorKind::StorageFull);
        assert_eq!(Failure::from(error).code(), Failure::WORK);
        let found = fs::metadata(full).unwrap();
        assert!(!found.is_file(), "nothing was moved over it");
        let null = Path::new("/dev/null");
        files::check_writable(null).unwrap();
        files::write(null, "new").unwrap();
        assert!(Claim::new(null).is_ok() && Claim::new(null).is_ok());
        let zero = files::read(Path::new("/dev/zero"), MIB);
        assert_eq!(kind(zero), ErrorKind::InvalidInput);
    }
}
