//! A file that several runs append to one after another, every text or record once, however often a
//! run is killed.
//!
//! A run keeps a state file ([`crate::files::write`]). What is to be appended is first written into
//! that state, with the length that the file has then; only after that it goes into the file. A run
//! that goes on looks how much of it arrived and appends the rest. Nothing is ever cut off.

use std::{
    borrow::Cow,
    fs::{File, OpenOptions},
    io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::files::{self, FileError};

/// What a state knows of one of its files.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    path: PathBuf,
    /// Bytes of the file before `next`.
    length: u64,
    /// What goes to its end next, and may be there already.
    #[serde(serialize_with = "write_next", deserialize_with = "read_next")]
    next: Vec<u8>,
}

impl Mark {
    /// The same mark with another path to its file: a state that can be moved keeps a relative one.
    pub fn at(self, path: &Path) -> Mark {
        let path = path.to_owned();
        Mark { path, ..self }
    }
}

/// How a state keeps what comes next: text stays text, so that a person can read it; other bytes
/// become hexadecimal digits.
#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Next<'a> {
    Text(Cow<'a, str>),
    Bytes { hex: String },
}

fn write_next<S: Serializer>(next: &[u8], to: S) -> Result<S::Ok, S::Error> {
    let digits = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let next = match str::from_utf8(next) {
        Ok(text) => Next::Text(text.into()),
        Err(_) => Next::Bytes { hex: digits(next) },
    };
    next.serialize(to)
}

fn read_next<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    let hex = match Next::deserialize(from)? {
        Next::Text(text) => return Ok(text.into_owned().into_bytes()),
        Next::Bytes { hex } => hex,
    };
    let byte = |pair: &[u8]| {
        let digits = str::from_utf8(pair).ok().filter(|_| pair.len() == 2)?;
        u8::from_str_radix(digits, 16).ok()
    };
    let bytes = hex.as_bytes().chunks(2).map(byte).collect::<Option<_>>();
    bytes.ok_or_else(|| D::Error::custom("what comes next is not in hexadecimal digits"))
}

/// The open file, and what has not gone into it yet.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let (path, state) = (folder.path().join("games.pgn"), folder.path().join("state"));
/// use sextant_cli::{append_file::AppendFile, files};
///
/// let mut games = AppendFile::open(&path, None)?;
/// games.add("1. e4 e5 *\n");
/// files::write(&state, serde_json::to_vec(&games.mark()?).unwrap())?;
/// games.flush()?;
/// # assert_eq!(std::fs::read_to_string(&path).unwrap(), "1. e4 e5 *\n");
/// # Ok::<(), files::FileError>(())
/// ```
pub struct AppendFile {
    file: File,
    /// Else a device, which is appended to as well, but has neither a length nor an owner.
    is_file: bool,
    mark: Mark,
}

impl AppendFile {
    /// Opens a file, and appends what a run that goes on had still to append.
    ///
    /// # Errors
    /// What the system says; also if another run is writing to the file, or if the file lacks what
    /// this run has written to it.
    pub fn open(path: &Path, known: Option<&Mark>) -> Result<AppendFile, FileError> {
        let is_file = !files::is_device(path);
        let open = || {
            if !is_file {
                return OpenOptions::new().append(true).open(path);
            }
            let file = files::open_regular(OpenOptions::new().append(true).create(true), path)?;
            files::lock_file(&file)?;
            Ok(file)
        };
        let file = open().map_err(FileError::of("write", path))?;
        let found = file.metadata().map_err(FileError::of("read", path))?;
        if is_file && found.len() == 0 {
            // It may be new, in another folder than the state that will count on it.
            files::sync_folder(&files::canonical(path));
        }
        let mut opened = AppendFile {
            file,
            is_file,
            mark: Mark {
                path: files::canonical(path),
                length: found.len(),
                next: Vec::new(),
            },
        };
        // A state of an older version has the path as it was named.
        let known = known.filter(|known| is_file && files::is_same(&known.path, path));
        if let Some(known) = known {
            opened.catch_up(known)?;
        }
        Ok(opened)
    }

    fn catch_up(&mut self, known: &Mark) -> Result<(), FileError> {
        let found = self.mark.length;
        if found < known.length {
            let message = format!(
                "it has {found} bytes, and this run has written more to it: bring the file back, \
                 name another one, or begin anew with another state"
            );
            let short = io::Error::new(ErrorKind::InvalidData, message);
            return Err(FileError::of("write", &known.path)(short));
        }
        let arrived = read_at(&known.path, known.length, known.next.len() as u64)
            .map_err(FileError::of("read", &known.path))?;
        // What does not begin as ours does was appended by another run, before ours came to it.
        let rest = known.next.strip_prefix(&*arrived);
        self.append(rest.unwrap_or(&known.next))
    }

    /// Takes text or bytes that are to be appended.
    pub fn add(&mut self, more: impl AsRef<[u8]>) {
        self.mark.next.extend_from_slice(more.as_ref());
    }

    /// What the state has to know before [`AppendFile::flush`]. Syncs what was appended so far:
    /// otherwise a power cut could leave a file that is shorter than the state says.
    pub fn mark(&self) -> Result<Mark, FileError> {
        if self.is_file {
            let synced = self.file.sync_data();
            synced.map_err(FileError::of("write", &self.mark.path))?;
        }
        Ok(self.mark.clone())
    }

    /// Appends what was added; it is on its way to the disk when this returns.
    pub fn flush(&mut self) -> Result<(), FileError> {
        let next = std::mem::take(&mut self.mark.next);
        let appended = self.append(&next);
        if appended.is_err() {
            self.mark.next = next;
        }
        appended
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let written = self.file.write_all(bytes);
        written.map_err(FileError::of("write", &self.mark.path))?;
        self.mark.length += bytes.len() as u64;
        Ok(())
    }
}

/// At most `most` bytes from `start` on.
fn read_at(path: &Path, start: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
