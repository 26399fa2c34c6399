//! Several files of games as one, with a bar of how much has been read; and a new file of games,
//! which appears whole or not at all.

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
    slice,
};

use sextant_cli::{
    failure::Failure,
    files::{self, FileError, NewFile},
    output::{self, counted},
    progress::Progress,
    signals,
};

use crate::viriformat::{Game, Reader};

const BUFFER: usize = 1 << 20;

/// The files that a subcommand reads.
#[derive(clap::Args, Debug)]
pub(super) struct Inputs {
    /// Files of games; what is torn at the end of one is left out.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Inputs {
    /// Checks that all files can be read; `what` names the work in the bar.
    pub(super) fn open(&self, what: &str) -> Result<Input<'_>, Failure> {
        Input::open(&self.files, what)
    }
}

/// The games of all files, one after the other.
pub(crate) struct Input<'a> {
    files: slice::Iter<'a, PathBuf>,
    reader: Option<Reader<BufReader<File>>>,
    /// Bytes of the files before the one that is being read, and of all.
    before: u64,
    total: u64,
    progress: Progress,
}

impl<'a> Input<'a> {
    /// Checks that all files can be read; `what` names the work in the bar.
    pub(crate) fn open(files: &'a [PathBuf], what: &str) -> Result<Input<'a>, Failure> {
        let size = |path: &PathBuf| {
            let found = files::open(path)?.metadata();
            Ok(found.map_err(FileError::of("read", path))?.len())
        };
        let total = files.iter().map(size).sum::<Result<u64, FileError>>()?;
        Ok(Input {
            files: files.iter(),
            reader: None,
            before: 0,
            total,
            progress: Progress::new(what, Some(total)).in_bytes(),
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.total
    }

    /// The next game; `None` after the last of the last file. What is torn at the end of a file is
    /// left out with a note: the file may still be growing. Ctrl-C is an error.
    pub(crate) fn next_game(&mut self) -> Result<Option<Game>, Failure> {
        loop {
            check_interrupt()?;
            let Some(reader) = &mut self.reader else {
                let Some(path) = self.files.next() else {
                    self.progress.finish();
                    return Ok(None);
                };
                let file = BufReader::with_capacity(BUFFER, files::open(path)?);
                self.reader = Some(Reader::new(file, path));
                continue;
            };
            if let Some(game) = reader.next_game()? {
                self.progress.set(self.before + reader.whole(), "");
                return Ok(Some(game));
            }
            if let Some(torn) = reader.torn() {
                let note = format_args!("note: {torn}; these bytes are left out");
                self.progress.note(note);
            }
            self.before += reader.whole();
            self.reader = None;
        }
    }
}

pub(super) fn check_interrupt() -> Result<(), Failure> {
    if signals::is_interrupted() {
        return Err(Failure::interrupted("stopped; nothing was written"));
    }
    Ok(())
}

/// The files that a subcommand reads, and the one that it writes.
#[derive(clap::Args, Debug)]
pub(crate) struct Files {
    #[command(flatten)]
    pub(super) inputs: Inputs,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
}

pub(super) struct Output<'a> {
    path: &'a Path,
    file: NewFile,
    games: u64,
}

impl Files {
    /// Begins the file to write; one that is there already is not overwritten.
    pub(super) fn create(&self) -> Result<Output<'_>, Failure> {
        Ok(Output {
            path: &self.out,
            file: NewFile::new(&self.out)?,
            games: 0,
        })
    }
}

impl Output<'_> {
    pub(super) fn write(&mut self, game: &[u8]) -> Result<(), Failure> {
        self.games += 1;
        Ok(self.file.write(game)?)
    }

    /// Gives the file its name and tells what is in it.
    pub(super) fn finish(self) -> Result<(), Failure> {
        self.file.finish()?;
        let games = counted(self.games, "game");
        output::print(format_args!("{games} in {}\n", self.path.display()))
    }
}
