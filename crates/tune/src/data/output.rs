//! A file that appears whole or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use crate::failure::Failure;

/// A file under another name until it is finished.
pub(super) struct Output {
    path: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
}

impl Output {
    /// Begins a file; one that is there already is not overwritten.
    ///
    /// # Errors
    /// [`Failure`] if it is there or cannot be written.
    pub(super) fn new(path: &Path) -> Result<Output, Failure> {
        if path.exists() {
            return Err(Failure::usage(format!(
                "{} is there already; name another file or remove it",
                path.display()
            )));
        }
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = File::create(&part)
            .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))?;
        Ok(Output {
            path: path.to_owned(),
            part,
            file: BufWriter::with_capacity(1 << 20, file),
        })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// [`Failure`] if the disk takes no more.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| self.failed(&error))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// [`Failure`] if the disk takes no more.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let finished = self
            .file
            .flush()
            .and_then(|()| self.file.get_ref().sync_all())
            .and_then(|()| fs::rename(&self.part, &self.path));
        finished.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::work(format!("cannot write {}: {error}", self.path.display()))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // After `finish` there is nothing of this name any more.
        let _ = fs::remove_file(&self.part);
    }
}
