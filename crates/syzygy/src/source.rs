//! Where a table's bytes come from, a file read at positions or memory, and how they are kept.
//!
//! Nothing is mapped, so whatever happens to a file, a read of it gives its bytes or an error.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
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

    /// Opens the file, without waiting for anybody as for a named pipe, and looks whether it still
    /// is the same; gives its length, too.
    fn open(&self) -> io::Result<(File, u64)> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
        let file = options.open(&self.path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        let seen = (metadata.len(), metadata.modified().ok());
        if *self.first_seen.get_or_init(|| seen) == seen {
            Ok((file, seen.0))
        } else {
            Err(io::Error::other("the file changed while it was in use"))
        }
    }
}

impl TableSource for FileSource {
    fn size(&self) -> io::Result<u64> {
        self.open().map(|(_, length)| length)
    }

    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        let (mut file, _) = self.open()?;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(buffer)
    }
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

/// What [`crate::Tablebase::open_with`] may be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Who decodes WDL tables.
    pub backend: Backend,
    /// Checks the checksum of each table at its first use, for which all of it is read once; a
    /// table that does not carry the right one is refused.
    pub verify: bool,
    /// Leaves DTZ tables alone, so that who wins is known, but not how soon.
    pub wdl_only: bool,
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
            wdl_only: false,
            whole_bytes: 256 << 20,
            page_bytes: 64 << 20,
        }
    }
}
