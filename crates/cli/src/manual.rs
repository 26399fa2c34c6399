//! What a program says of itself in other forms than `--help`: completions for shells, man pages.

use std::{fs, path::PathBuf};

use clap::Command;
use clap_complete::Shell;

use crate::{failure::Failure, files::FileError, output};

/// The arguments of `completions`.
#[derive(clap::Args, Debug)]
pub struct Completions {
    /// The shell that is to complete the program's arguments.
    shell: Shell,
}

impl Completions {
    /// Prints the script that the shell reads.
    ///
    /// # Errors
    /// [`Failure`] if standard output takes no more.
    pub fn print(&self, mut program: Command) -> Result<(), Failure> {
        let (name, mut script) = (program.get_name().to_owned(), Vec::new());
        clap_complete::generate(self.shell, &mut program, name, &mut script);
        output::print(String::from_utf8_lossy(&script))
    }
}

/// The names of the visible commands, `program` and all below it, whose `--help` shows no example:
/// every program's test asks that there is none.
pub fn without_example(program: &Command) -> Vec<String> {
    let help = program.clone().render_long_help().to_string();
    let own = (!help.contains("Example")).then(|| program.get_name().to_owned());
    let below = program.get_subcommands().filter(|it| !it.is_hide_set());
    own.into_iter()
        .chain(below.flat_map(without_example))
        .collect()
}

/// The arguments of `man`, which is hidden: packagers need it, once.
#[derive(clap::Args, Debug)]
pub struct ManPages {
    /// The folder that the pages go to; it is made if it is not there.
    folder: PathBuf,
}

impl ManPages {
    /// Writes a page for the program and one for each subcommand.
    ///
    /// # Errors
    /// [`Failure`] if the folder or a page cannot be written.
    pub fn write(&self, program: Command) -> Result<(), Failure> {
        let written = fs::create_dir_all(&self.folder)
            .and_then(|()| clap_mangen::generate_to(program, &self.folder));
        Ok(written.map_err(FileError::of("write", &self.folder))?)
    }
}
