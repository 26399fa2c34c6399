//! Where a table's bytes come from, a file read at positions or memory, and how they are kept.
//!
//! Nothing is mapped, so whatever happens to a file, a read of it gives its bytes or an error.

use std::{
    fs::{File, Metadata, OpenOptions},
    io,
    path::{Path, PathBuf},
    str::FromStr,
    sync::OnceLock,
    time::SystemTime,
};

/// Bytes that can be read at any place, from any number of threads at once.
pub trait TableSource: Send + Sync {
    /// The number of bytes.
    ///
    /// # Errors
    /// What keeps the bytes from being read at all.
    fn size(&self) -> io::Result<u64>;

    /// Fills `buffer` with the bytes from the byte offset `at` on.
    ///
    /// # Errors
    /// If they are not all there, and whatever else keeps them from being read.
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()>;
}

impl<T: AsRef<[u8]> + Send + Sync> TableSource for T {
    fn size(&self) -> io::Result<u64> {
        Ok(self.as_ref().len() as u64)
    }

    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let bytes = self.as_ref().get(at..).unwrap_or_default();
        let bytes = bytes.get(..buffer.len());
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A file that is opened anew for each read, so that thousands of tables take no file handles.
///
/// Once it has been read, it must stay the same: a different length or time of change is an error
/// of every later read.
#[derive(Debug)]
pub struct FileSource {
    path: PathBuf,
    first_seen: OnceLock<(u64, Option<SystemTime>)>,
}

impl FileSource {
    /// The file of this path, which is not opened yet.
    pub fn new(path: &Path) -> FileSource {
        FileSource {
            path: path.to_owned(),
            first_seen: OnceLock::new(),
        }
    }

    fn open(&self) -> io::Result<File> {
        let (file, metadata) = open_regular(&self.path)?;
        let seen = (metadata.len(), metadata.modified().ok());
        if *self.first_seen.get_or_init(|| seen) == seen {
            Ok(file)
        } else {
            Err(io::Error::other("the file changed while it was in use"))
        }
    }
}

impl TableSource for FileSource {
    fn size(&self) -> io::Result<u64> {
        self.open()?.metadata().map(|metadata| metadata.len())
    }

    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        read_exact_at(&self.open()?, buffer, at)
    }
}

/// Opens a file without waiting for anybody (as a named pipe would), then looks whether it is one.
fn open_regular(path: &Path) -> io::Result<(File, Metadata)> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NONBLOCK);
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() {
        Ok((file, metadata))
    } else {
        Err(io::Error::other("it is not a regular file"))
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !buffer.is_empty() {
        match file.seek_read(buffer, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = &mut buffer[read..];
                at += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A system without files, such as WebAssembly.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Who decodes the WDL tables that [`crate::Tablebase::wdl`] reads; everything else is always
/// native.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backend {
    /// This crate's own decoder: every read checked, any number of instances.
    #[default]
    Native,
    /// pyrrhic-rs, one instance a process. It maps files itself.
    Pyrrhic,
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "native" => Ok(Backend::Native),
            "pyrrhic" => Ok(Backend::Pyrrhic),
            other => Err(format!(
                "unknown backend \"{other}\"; allowed: native, pyrrhic"
            )),
        }
    }
}

/// What [`crate::Tablebase::open_with`] may be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Who decodes WDL tables.
    pub backend: Backend,
    /// Checks the checksum of each table at its first use, for which all of it is read once; a
    /// table that does not carry the right one is refused.
    pub verify: bool,
    /// Tables of up to 16 MiB are kept in memory whole, and the indexes of larger ones, as long as
    /// all of them together have no more than this many bytes. Blocks take half as much again.
    pub whole_bytes: u64,
    /// Bytes of memory for the pages of all other tables; the pages least used go first.
    pub page_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            backend: Backend::Native,
            verify: false,
            whole_bytes: 256 << 20,
            page_bytes: 64 << 20,
        }
    }
}
