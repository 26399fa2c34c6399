//! Files that several runs append to.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sextant_cli::{
    append_file::{AppendFile, Mark},
    failure::Failure,
};

/// A file, and the mark of a run that was killed before it could append "two".
fn killed(folder: &Path) -> (PathBuf, Mark) {
    let path = folder.join("games");
    let mut file = AppendFile::open(&path, None).unwrap();
    file.add("one");
    file.flush().unwrap();
    file.add("two");
    let mark = file.mark().unwrap();
    (path, mark)
}

#[test]
fn what_had_not_arrived_is_appended() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mark) = killed(folder.path());
    for (arrived, expected) in [
        ("one", "onetwo"),
        ("onet", "onetwo"),
        ("onetwo", "onetwo"),
        ("onetwo and others", "onetwo and others"),
        ("one and others", "one and otherstwo"),
    ] {
        fs::write(&path, arrived).unwrap();
        let file = AppendFile::open(&path, Some(&mark)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), expected, "{arrived}");
        let json = serde_json::to_value(file.mark().unwrap()).unwrap();
        assert_eq!(json["length"], expected.len());
    }
}

#[test]
fn a_letter_that_was_torn_becomes_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let mut file = AppendFile::open(&path, None).unwrap();
    file.add("J\u{fc}rgen");
    let mark = file.mark().unwrap();
    drop(file);
    // The first of the letter's two bytes.
    fs::write(&path, &"J\u{fc}".as_bytes()[..2]).unwrap();
    drop(AppendFile::open(&path, Some(&mark)).unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), "J\u{fc}rgen");
}

#[test]
fn a_file_that_lacks_what_was_written_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mark) = killed(folder.path());
    fs::write(&path, "o").unwrap();
    let error = AppendFile::open(&path, Some(&mark)).err().unwrap();
    let message = error.to_string();
    assert!(message.contains("has 1 bytes") && message.contains("bring the file back"));
    assert_eq!(Failure::from(error).code(), Failure::USAGE);
    assert_eq!(fs::read_to_string(&path).unwrap(), "o");
}

#[test]
fn another_file_is_only_appended_to() {
    let folder = tempfile::tempdir().unwrap();
    let (_, mark) = killed(folder.path());
    let other = folder.path().join("other");
    fs::write(&other, "precious").unwrap();
    AppendFile::open(&other, Some(&mark)).unwrap();
    assert_eq!(fs::read_to_string(&other).unwrap(), "precious");
}

#[test]
fn a_file_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let first = AppendFile::open(&path, None).unwrap();
    let error = AppendFile::open(&path, None).err().unwrap();
    assert!(error.to_string().contains("another process"), "{error}");
    drop(first);
    AppendFile::open(&path, None).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_appended_to_and_a_full_one_is_work_that_failed() {
    let mut full = AppendFile::open(Path::new("/dev/full"), None).unwrap();
    full.add("one");
    full.mark().unwrap();
    let error = full.flush().unwrap_err();
    assert_eq!(Failure::from(error).code(), Failure::WORK);
    let mut null = AppendFile::open(Path::new("/dev/null"), None).unwrap();
    null.add("one");
    null.flush().unwrap();
    null.mark().unwrap();
}
