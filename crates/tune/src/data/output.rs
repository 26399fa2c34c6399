//! A file that appears whole or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::TempPath;

use crate::failure::Failure;

/// A file under another name until it is finished.
pub(super) struct Output {
    path: PathBuf,
    /// Dropping it removes what was not finished.
    part: TempPath,
    file: BufWriter<File>,
}

impl Output {
    /// Begins a file; one that is there already is not overwritten, and neither is OUT.part, under
    /// whose name it is written.
    ///
    /// # Errors
    /// [`Failure`] if one of them is there or cannot be written.
    pub(super) fn new(path: &Path) -> Result<Output, Failure> {
        // A link that leads nowhere is there too.
        if fs::symlink_metadata(path).is_ok() {
            return Err(Failure::usage(format!(
                "{} is there already; name another file or remove it",
                path.display()
            )));
        }
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = File::create_new(&part).map_err(|error| refused(path, &part, &error))?;
        Ok(Output {
            path: path.to_owned(),
            part: TempPath::try_from_path(part).map_err(|error| failed(path, &error))?,
            file: BufWriter::with_capacity(1 << 20, file),
        })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// [`Failure`] if the disk takes no more.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| failed(&self.path, &error))
    }

    /// Gives the file its name, if nothing else has got it since.
    ///
    /// # Errors
    /// [`Failure`] if the disk takes no more, or there is something of that name.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let Output {
            path,
            part,
            mut file,
        } = self;
        let finished = file
            .flush()
            .and_then(|()| file.get_ref().sync_all())
            .and_then(|()| Ok(part.persist_noclobber(&path)?));
        finished.map_err(|error| failed(&path, &error))
    }
}

fn refused(path: &Path, part: &Path, error: &io::Error) -> Failure {
    if error.kind() != io::ErrorKind::AlreadyExists {
        return Failure::usage(format!("cannot write {}: {error}", path.display()));
    }
    Failure::usage(format!(
        "{} is there already, and {} would be written under that name first: either another \
         process is writing it, or one that was killed has left it; name another file or remove it",
        part.display(),
        path.display()
    ))
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::work(format!("cannot write {}: {error}", path.display()))
}
