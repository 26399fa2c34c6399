//! The real binary, run from outside.
#![allow(dead_code, reason = "each test file uses its own share")]

pub(crate) mod training;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use viriformat::dataformat::Game;

/// The binary under test.
pub(crate) fn binary() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sextant-tune"))
}

/// Runs the binary: exit code, standard output, standard error.
pub(crate) fn run(args: &[&str]) -> (Option<i32>, String, String) {
    told(binary().args(args).output().unwrap())
}

/// Starts the binary in `folder`.
pub(crate) fn start_in(folder: &Path, args: &[&str]) -> Child {
    let mut command = binary();
    command.current_dir(folder).args(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Runs the binary in `folder`: exit code, standard output, standard error.
pub(crate) fn run_in(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    told(start_in(folder, args).wait_with_output().unwrap())
}

/// Exit code, standard output, standard error.
pub(crate) fn told(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Arguments of games that are over in no time.
pub(crate) const QUICK: [&str; 6] = ["--soft-nodes", "60", "--hash", "1", "--chess960", "0.3"];

/// Plays `games` games into `folder/name`.
pub(crate) fn play(folder: &Path, name: &str, games: &str, more: &[&str]) -> PathBuf {
    let path = folder.join(name);
    let mut args = vec!["datagen", path.to_str().unwrap(), "--games", games];
    args.extend(QUICK);
    args.extend(more);
    let (code, _, err) = run(&args);
    assert_eq!(code, Some(0), "{args:?}: {err}");
    path
}

/// The games of a file as the format's own crate reads them.
pub(crate) fn games(path: &Path) -> Vec<Game> {
    let bytes = fs::read(path).unwrap();
    let mut stream = &bytes[..];
    let mut games = Vec::new();
    while !stream.is_empty() {
        games.push(Game::deserialise_from(&mut stream, Vec::new()).unwrap());
    }
    games
}

/// Removes the file and its recipe.
pub(crate) fn remove(path: &Path) {
    fs::remove_file(path).unwrap();
    fs::remove_file(recipe(path)).unwrap();
}

/// The recipe beside a file of games.
pub(crate) fn recipe(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.toml", path.display()))
}
