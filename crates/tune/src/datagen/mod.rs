//! `datagen`: games of the engine against itself.
//!
//! A game is a function of the seed, its number, the config and the options: it begins with a fresh
//! search state, and everything random in it comes from its number. Games are written in their
//! order, so that a file is the same byte for byte whatever the number of threads, and goes on where
//! it ended.

mod args;
mod file;
mod log;
mod player;
mod recipe;
mod setup;

pub(crate) use args::Args;
use file::GameFile;
use log::Log;
use recipe::Recipe;
use setup::Setup;

use crate::{failure::Failure, in_order, interrupt, say};

/// Plays and writes games until there are enough, or until Ctrl-C.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let setup = Setup::new(args)?;
    let recipe = Recipe::new(args, &setup)?;
    let mut file = GameFile::open(&args.out, &recipe)?;
    let begun_with = file.games();
    if let Some(cut) = file.cut() {
        say::note(format_args!(
            "{}: the last game was not whole; {cut} bytes of it are dropped and it is played again",
            args.out.display()
        ));
    }
    if args.games.is_some_and(|games| begun_with >= games) {
        say::note(format_args!(
            "{}: holds {} already",
            args.out.display(),
            say::counted(begun_with, "game")
        ));
        return Ok(());
    }
    let mut log = Log::new(begun_with, args.games);
    let mut numbers = begun_with..args.games.unwrap_or(u64::MAX);
    let mut jobs = || Ok(numbers.next());
    let played = in_order::run(
        &setup,
        &mut jobs,
        args.threads,
        interrupt::flag(),
        &mut |finished| {
            file.append(&finished)?;
            log.show(&finished);
            Ok(())
        },
    );
    let closed = file.close();
    log.finish();
    played?;
    closed?;
    let games = say::counted(file.games(), "game");
    let path = args.out.display();
    if interrupt::is_set() {
        return Err(Failure::interrupted(format!(
            "{path}: stopped with {games}; the same command goes on from here"
        )));
    }
    say::note(format_args!("{path}: {games}"));
    Ok(())
}
