//! A file that a match appends to, every game once, however often the match is killed.
//!
//! What is to be appended is first written into the state of the match, with the length that the
//! file has then; only after that it goes into the file. A match that goes on looks how much of it
//! arrived and appends the rest. Nothing is ever cut off: other matches may append to the same file.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::whole_file::lock;

/// What the state of a match knows of one of its files.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mark {
    path: PathBuf,
    /// Bytes of the file before `next`.
    length: u64,
    /// What goes to its end next, and may be there already.
    next: String,
}

/// An open file, and what has not gone into it yet.
pub(super) struct Sink {
    file: File,
    mark: Mark,
}

impl Sink {
    /// Opens a file, and appends what a match that goes on had still to append.
    ///
    /// # Errors
    /// What the system says; also if another match is writing to the file, or if the file lacks
    /// what this match has written to it.
    pub(super) fn open(path: &str, mark: Option<&Mark>) -> Result<Sink, String> {
        let failed = |error: io::Error| failure(Path::new(path), &error);
        let whole_path = std::path::absolute(path).map_err(failed)?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(failed)?;
        let found = file.metadata().map_err(failed)?;
        // A device has neither a length nor an owner.
        if found.is_file() {
            // Two matches that append at the same time would mix their games.
            lock(&file).map_err(|_| {
                format!("another match is writing {path}; name another file, or wait for its end")
            })?;
        }
        let mut sink = Sink {
            file,
            mark: Mark {
                path: whole_path,
                length: found.len(),
                next: String::new(),
            },
        };
        if let Some(mark) = mark.filter(|mark| found.is_file() && mark.path == sink.mark.path) {
            sink.catch_up(mark)?;
        }
        Ok(sink)
    }

    fn catch_up(&mut self, mark: &Mark) -> Result<(), String> {
        if self.mark.length < mark.length {
            return Err(format!(
                "{} has {} bytes, and this match has written more to it: bring the file back, name \
                 another one, or begin anew with another --state",
                mark.path.display(),
                self.mark.length
            ));
        }
        let arrived = read_at(&mark.path, mark.length, mark.next.len() as u64)
            .map_err(|error| format!("cannot read {}: {error}", mark.path.display()))?;
        // What does not begin as ours does was appended by another match, before ours came to it.
        let rest = mark.next.as_bytes().strip_prefix(&*arrived);
        // Bytes and not text: what was torn off may begin within a letter.
        let rest = rest.unwrap_or(mark.next.as_bytes());
        self.mark.length += append(&mut self.file, &mark.path, rest)?;
        Ok(())
    }

    /// Takes text that is to be appended.
    pub(super) fn add(&mut self, text: &str) {
        self.mark.next.push_str(text);
    }

    /// What a state has to know before [`Sink::flush`].
    pub(super) fn mark(&self) -> &Mark {
        &self.mark
    }

    /// Appends what was added; it is on its way to the disk when this returns.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn flush(&mut self) -> Result<(), String> {
        let next = self.mark.next.as_bytes();
        self.mark.length += append(&mut self.file, &self.mark.path, next)?;
        self.mark.next.clear();
        Ok(())
    }
}

/// Appends bytes, and says how many.
fn append(file: &mut File, path: &Path, bytes: &[u8]) -> Result<u64, String> {
    let written = file.write_all(bytes);
    written.map_err(|error| failure(path, &error))?;
    Ok(bytes.len() as u64)
}

/// At most `most` bytes from `start` on.
fn read_at(path: &Path, start: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn failure(path: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A file, and the mark of a match that was killed before it could append "two".
    fn killed(folder: &Path) -> (String, Mark) {
        let path = folder.join("games").to_str().unwrap().to_owned();
        let mut sink = Sink::open(&path, None).unwrap();
        sink.add("one");
        sink.flush().unwrap();
        sink.add("two");
        let mark = sink.mark().clone();
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
            let sink = Sink::open(&path, Some(&mark)).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), expected, "{arrived}");
            assert_eq!(sink.mark().length, expected.len() as u64);
        }
    }

    #[test]
    fn a_letter_that_was_torn_becomes_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let path = path.to_str().unwrap();
        let mut sink = Sink::open(path, None).unwrap();
        sink.add("J\u{fc}rgen");
        let mark = sink.mark().clone();
        drop(sink);
        // The first of the letter's two bytes.
        fs::write(path, &mark.next.as_bytes()[..2]).unwrap();
        Sink::open(path, Some(&mark)).unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), mark.next);
    }

    #[test]
    fn a_file_that_lacks_games_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (path, mark) = killed(folder.path());
        fs::write(&path, "o").unwrap();
        let error = Sink::open(&path, Some(&mark)).err().unwrap();
        assert!(error.contains("has 1 bytes") && error.contains("bring the file back"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "o");
    }

    #[test]
    fn another_file_is_only_appended_to() {
        let folder = tempfile::tempdir().unwrap();
        let (_, mark) = killed(folder.path());
        let other = folder.path().join("other");
        fs::write(&other, "precious").unwrap();
        Sink::open(other.to_str().unwrap(), Some(&mark)).unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "precious");
    }

    #[test]
    fn a_file_has_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let path = path.to_str().unwrap();
        let first = Sink::open(path, None).unwrap();
        let error = Sink::open(path, None).err().unwrap();
        assert!(error.contains("another match is writing"), "{error}");
        drop(first);
        Sink::open(path, None).unwrap();
    }
}
