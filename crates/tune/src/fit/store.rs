//! The file of samples: a line that says what it is, a line with its recipe, and a block for every
//! search. Blocks are appended as they come, so that whatever ends a run, it goes on from there.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufReader, Read, Write},
    path::{Path, PathBuf},
};

use super::{
    recipe::Recipe,
    sample::{Block, Sample},
};
use crate::hash::fnv;

const MAGIC: &str = "sextant-tune samples 1\n";
/// Longest recipe and largest block that are believed.
const LONGEST: u32 = 1 << 26;

/// Why a file of samples cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum StoreError {
    /// The system says so.
    #[error("cannot {what} {path}: {source}", path = path.display())]
    System {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is something else.
    #[error("{path} is no file of samples of this version: {fault}; name another with --samples", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was found.
        fault: String,
    },
}

fn foreign(path: &Path, fault: &str) -> StoreError {
    StoreError::Foreign {
        path: path.to_owned(),
        fault: fault.to_owned(),
    }
}

/// A file of samples that was read.
pub(super) struct Stored {
    /// How they were made.
    pub(super) recipe: Recipe,
    /// A block for each search so far.
    pub(super) blocks: Vec<Block>,
    /// Length of the whole blocks.
    whole: u64,
}

/// Reads a file of samples; what is torn at its end is left out. `None` if there is nothing yet: no file,
/// or one that ends before its recipe does.
///
/// # Errors
/// [`StoreError`].
pub(super) fn read(path: &Path) -> Result<Option<Stored>, StoreError> {
    let system = |source| StoreError::System {
        what: "read",
        path: path.to_owned(),
        source,
    };
    let foreign = |fault: &str| foreign(path, fault);
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(system)?,
    };
    let mut source = BufReader::with_capacity(1 << 20, file);
    let magic = head(&mut source, MAGIC.len()).map_err(system)?;
    if !MAGIC.as_bytes().starts_with(&magic) {
        return Err(foreign("it begins with something else"));
    }
    let damaged = |part: &str| foreign(&format!("{part} is damaged"));
    let mut next = |part: &str| match payload(&mut source) {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(damaged(part)),
        other => other.map_err(system),
    };
    let Some(recipe) = next("its recipe")? else {
        return Ok(None);
    };
    let length = recipe.len() as u64;
    let recipe: Recipe =
        serde_json::from_slice(&recipe).map_err(|error| foreign(&error.to_string()))?;
    let mut whole = MAGIC.len() as u64 + FRAME + length;
    let mut blocks = Vec::new();
    loop {
        let part = format!("block {}", blocks.len() + 1);
        let Some(bytes) = next(&part)? else { break };
        let block: Block = postcard::from_bytes(&bytes)
            .ok()
            .filter(|block: &Block| block.samples.iter().all(Sample::is_sound))
            .ok_or_else(|| damaged(&part))?;
        whole += FRAME + bytes.len() as u64;
        blocks.push(block);
    }
    Ok(Some(Stored {
        recipe,
        blocks,
        whole,
    }))
}

/// The first bytes, as many as there are.
fn head(source: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length);
    source.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Bytes around a payload: its length before it, its hash behind it.
const FRAME: u64 = 4 + 8;

/// The next payload; `None` at the end, or where the file is torn. What is whole but not what was
/// written is an error of the kind [`io::ErrorKind::InvalidData`].
fn payload(source: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    let mut hash = [0; 8];
    let read = |source: &mut dyn Read, bytes: &mut [u8]| match source.read_exact(bytes) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        other => other.map(|()| true),
    };
    if !read(source, &mut length)? {
        return Ok(None);
    }
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; length as usize];
    if !(read(source, &mut bytes)? && read(source, &mut hash)?) {
        return Ok(None);
    }
    if u64::from_le_bytes(hash) != fnv(&bytes) {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(Some(bytes))
}

/// A file that blocks are appended to.
pub(super) struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// Begins a file. What a full disk left of its first lines is written again; anything else that is
    /// there must not be lost.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be made or stands there already.
    pub(super) fn begin(path: &Path, recipe: &Recipe) -> Result<Writer, StoreError> {
        let system = |source| StoreError::System {
            what: "write",
            path: path.to_owned(),
            source,
        };
        let mut bytes = MAGIC.as_bytes().to_vec();
        let recipe = serde_json::to_vec(recipe).map_err(io::Error::from);
        bytes.extend(framed(&recipe.map_err(system)?));
        let mut options = OpenOptions::new();
        match File::open(path).and_then(|mut file| head(&mut file, bytes.len())) {
            Ok(there) if there.len() < bytes.len() && bytes.starts_with(&there) => {
                options.truncate(true)
            }
            Ok(_) => return Err(foreign(path, "its recipe is damaged or another")),
            Err(_) => options.create_new(true),
        };
        let mut writer = Writer::of(path, options.write(true).open(path))?;
        writer.write(&bytes)?;
        Ok(writer)
    }

    /// Goes on behind the last whole block.
    ///
    /// # Errors
    /// [`StoreError`] if the system does not allow it.
    pub(super) fn resume(path: &Path, stored: &Stored) -> Result<Writer, StoreError> {
        let file = OpenOptions::new().write(true).open(path);
        let mut writer = Writer::of(path, file)?;
        writer
            .file
            .set_len(stored.whole)
            .and_then(|()| io::Seek::seek(&mut writer.file, io::SeekFrom::End(0)))
            .map_err(|source| writer.error(source))?;
        Ok(writer)
    }

    /// Appends a block.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written; what was there before stays.
    pub(super) fn append(&mut self, block: &Block) -> Result<(), StoreError> {
        let bytes =
            postcard::to_stdvec(block).map_err(|error| self.error(io::Error::other(error)))?;
        self.write(&framed(&bytes))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.file
            .write_all(bytes)
            .map_err(|source| self.error(source))
    }

    fn of(path: &Path, file: io::Result<File>) -> Result<Writer, StoreError> {
        let path = path.to_owned();
        match file {
            Ok(file) => Ok(Writer { path, file }),
            Err(source) => Err(StoreError::System {
                what: "write",
                path,
                source,
            }),
        }
    }

    fn error(&self, source: io::Error) -> StoreError {
        StoreError::System {
            what: "write",
            path: self.path.clone(),
            source,
        }
    }
}

fn framed(bytes: &[u8]) -> Vec<u8> {
    let mut framed = Vec::with_capacity(bytes.len() + FRAME as usize);
    framed.extend((bytes.len() as u32).to_le_bytes());
    framed.extend(bytes);
    framed.extend(fnv(bytes).to_le_bytes());
    framed
}
