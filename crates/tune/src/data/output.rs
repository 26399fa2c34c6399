//! A new file of games, which appears whole or not at all.

use std::path::PathBuf;

use sextant_cli::{
    failure::Failure,
    files::NewFile,
    output::{self, counted},
};

/// The file that a subcommand writes.
#[derive(clap::Args, Debug)]
pub(super) struct OutputArgs {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
}

/// The file while it is being written.
pub(super) struct Output<'a> {
    args: &'a OutputArgs,
    file: NewFile,
    games: u64,
}

impl OutputArgs {
    /// Begins the file; one that is there already is not overwritten.
    pub(super) fn create(&self) -> Result<Output<'_>, Failure> {
        Ok(Output {
            args: self,
            file: NewFile::new(&self.out)?,
            games: 0,
        })
    }
}

impl Output<'_> {
    /// Appends a game in its bytes.
    pub(super) fn write(&mut self, game: &[u8]) -> Result<(), Failure> {
        self.games += 1;
        Ok(self.file.write(game)?)
    }

    /// Gives the file its name and tells what is in it.
    pub(super) fn finish(self) -> Result<(), Failure> {
        self.file.finish()?;
        let games = counted(self.games, "game");
        output::print(format_args!("{games} in {}\n", self.args.out.display()))
    }
}
