//! `sextant config ...`: the configs, shown, compared and checked.

use std::ffi::{OsStr, OsString};

use clap::Subcommand;
use sextant_config::{Config, report};
use sextant_search::open_tables;

use crate::{error::Failure, options::Setup, output::Output, resources};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the whole config (of `--config`, else the default) as a commented file.
    #[command(after_help = "Example:\n  sextant config dump > my.toml")]
    Dump,
    /// Print values, all or those of one section, or one key with its meaning.
    #[command(after_help = "Example:\n  sextant config show extensions.recapture")]
    Show {
        /// `extensions`, or `extensions.recapture`.
        filter: Option<String>,
    },
    /// Print the keys in which two configs differ.
    #[command(after_help = "Example:\n  sextant config diff default cyrus68k")]
    Diff {
        /// A preset or a file.
        a: OsString,
        /// A preset or a file.
        b: OsString,
    },
    /// Print the presets and what they are for.
    #[command(after_help = "Example:\n  sextant config list")]
    List,
    /// Check files, and print everything that is wrong with them.
    #[command(after_help = "Example:\n  sextant config verify my.toml")]
    Verify {
        /// Presets or files.
        #[arg(required = true)]
        files: Vec<OsString>,
    },
    /// Print the reference page of all keys.
    #[command(after_help = "Example:\n  sextant config reference > keys.md")]
    Reference,
}

pub(crate) fn run(command: &Command, setup: &Setup, output: &Output) -> Result<(), Failure> {
    let text = match command {
        Command::Dump => setup.settings()?.config.to_toml(),
        Command::Show { filter } => report::show(&setup.settings()?.config, filter.as_deref())?,
        Command::Diff { a, b } => report::differences(&Config::load(a)?, &Config::load(b)?),
        Command::List => report::list(),
        Command::Verify { files } => return verify(files, output),
        Command::Reference => report::reference(),
    };
    output.line(text.trim_end());
    Ok(())
}

/// Are there the network and the tables that a valid config names?
fn open_files(file: &OsStr) -> Result<(), Failure> {
    let config = Config::load(file)?;
    resources::network(&config)?;
    open_tables(&config)?;
    Ok(())
}

fn verify(files: &[OsString], output: &Output) -> Result<(), Failure> {
    let mut problems = String::new();
    for file in files {
        match report::verify(file) {
            Ok(text) => match open_files(file) {
                Ok(()) => output.line(text.trim_end()),
                Err(error) => problems.push_str(&format!("{}: {error}\n", file.display())),
            },
            Err(text) => problems.push_str(&text),
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.trim_end().into())
    }
}
