//! Several files of games as one, with a bar that says how far the reading is.

use std::{
    fs::{self, File},
    io::{self, BufReader, IsTerminal},
    path::{Path, PathBuf},
    slice,
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    failure::Failure,
    games::{Game, ReadError, Reader},
    interrupt, say,
};

const BUFFER: usize = 1 << 20;

/// The games of files, in order.
pub(super) struct Input<'a> {
    files: slice::Iter<'a, PathBuf>,
    reader: Option<Reader<BufReader<File>>>,
    /// Bytes of the files before the one that is being read, and of all.
    before: u64,
    total: u64,
    bar: ProgressBar,
}

impl<'a> Input<'a> {
    /// Opens nothing yet, but every file must be there.
    ///
    /// # Errors
    /// [`Failure`] for the first file that is not.
    pub(super) fn new(files: &'a [PathBuf], what: &'static str) -> Result<Input<'a>, Failure> {
        let sizes = files.iter().map(|path| {
            fs::metadata(path)
                .map(|meta| meta.len())
                .map_err(|error| unreadable(path, error))
        });
        let total = sizes.sum::<Result<u64, Failure>>()?;
        Ok(Input {
            files: files.iter(),
            reader: None,
            before: 0,
            total,
            bar: bar(total, what),
        })
    }

    /// Bytes of all files.
    pub(super) fn bytes(&self) -> u64 {
        self.total
    }

    /// The next game; `None` after the last of the last file. What is torn at the end of a file is
    /// left out with a word: the file may still be growing.
    ///
    /// # Errors
    /// [`Failure`] if a file cannot be read or is none of games, or after Ctrl-C.
    pub(super) fn next_game(&mut self) -> Result<Option<Game>, Failure> {
        loop {
            if interrupt::is_set() {
                return Err(stopped());
            }
            let Some(reader) = &mut self.reader else {
                let Some(path) = self.files.next() else {
                    self.bar.finish_and_clear();
                    return Ok(None);
                };
                let file = File::open(path).map_err(|error| unreadable(path, error))?;
                self.reader = Some(Reader::new(BufReader::with_capacity(BUFFER, file), path));
                continue;
            };
            match reader.next_game() {
                Ok(Some(game)) => {
                    self.bar.set_position(self.before + reader.whole());
                    return Ok(Some(game));
                }
                Ok(None) => {}
                Err(torn @ ReadError::Torn { .. }) => {
                    self.bar.suspend(|| {
                        say::note(format_args!("note: {torn}; these bytes are left out"))
                    });
                }
                Err(error) => return Err(Failure::usage(error)),
            }
            self.before += reader.whole();
            self.reader = None;
        }
    }
}

/// What is said after Ctrl-C.
pub(super) fn stopped() -> Failure {
    Failure::interrupted("stopped; nothing was written")
}

fn unreadable(path: &Path, error: io::Error) -> Failure {
    Failure::usage(format!("cannot read {}: {error}", path.display()))
}

/// A bar of bytes; silent where standard error is no terminal.
pub(super) fn bar(bytes: u64, what: &'static str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = "{msg:10} [{bar:30}] {bytes}/{total_bytes}, {elapsed}, {eta} left";
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    ProgressBar::new(bytes).with_style(style).with_message(what)
}
