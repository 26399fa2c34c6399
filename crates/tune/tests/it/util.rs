//! Runs of the real binary on next to nothing.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use sextant_config::Config;
use tempfile::TempDir;
use viriformat::dataformat::Game;

/// Exit code, standard output, standard error.
pub(crate) fn told(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Options of games that are over in no time.
pub(crate) const QUICK: &str = "--soft-nodes 60 --hash 1 --chess960 0.3";

/// Tables of three and four men.
pub(crate) const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/testdata");

/// Positions with few men: some that the tables cover, one of them mate in one, and some that they
/// cover after captures only.
pub(crate) const FEW: &str = "\
7k/8/5KQ1/8/8/8/8/8 w - -
8/8/8/3q4/8/1k6/8/6KR b - -
8/4p3/8/2k5/8/4K3/3P4/8 w - -
8/8/2k5/4p3/3P4/3K4/8/8 b - -
8/3k4/8/2rpP3/8/3K4/4R3/8 w - -
3r4/2k5/8/4p3/3P4/3K4/1r6/3R4 w - -
";

/// A folder in which the binary runs. Command lines are split at spaces.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub(crate) fn config(&self, name: &str) -> Config {
        Config::load(self.path(name).to_str().unwrap()).unwrap()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// The names of all files.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        names
    }

    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sextant-tune"));
        command.current_dir(&self.0).args(line.split_whitespace());
        command
    }

    /// Runs a command: exit code, standard output, standard error.
    pub(crate) fn run(&self, line: &str) -> (Option<i32>, String, String) {
        told(self.command(line).output().unwrap())
    }

    /// Runs what must succeed: standard output, standard error.
    pub(crate) fn succeed(&self, line: &str) -> (String, String) {
        let (code, out, err) = self.run(line);
        assert_eq!(code, Some(0), "{line}: {err}");
        (out, err)
    }

    /// Runs what must be refused with this message.
    pub(crate) fn refused(&self, line: &str, message: &str) {
        let (code, out, err) = self.run(line);
        assert!(code == Some(2) && out.is_empty(), "{line}: {err}");
        assert!(err.contains(message), "{line}: no {message:?} in {err}");
    }

    /// Plays quick games into a file; `more` holds `--games N`.
    pub(crate) fn play(&self, name: &str, more: &str) -> Vec<u8> {
        self.succeed(&format!("datagen {name} {QUICK} {more}"));
        self.read(name)
    }

    /// Plays 60 games into `games.vf` from the positions of [`FEW`], to their end.
    pub(crate) fn play_few(&self, more: &str) -> Vec<Game> {
        self.write("few.epd", FEW);
        self.succeed(&format!(
            "datagen games.vf --games 60 --soft-nodes 60 --hash 1 --book few.epd \
             --random-plies-min 0 --most-unequal 32000 --no-adjudication {more}"
        ));
        self.games("games.vf")
    }

    /// The games of a file as the format's own crate reads them.
    pub(crate) fn games(&self, name: &str) -> Vec<Game> {
        let bytes = self.read(name);
        let mut stream = &bytes[..];
        let mut games = Vec::new();
        while !stream.is_empty() {
            games.push(Game::deserialise_from(&mut stream, Vec::new()).unwrap());
        }
        games
    }

    /// Starts a command, and sends it a signal as soon as the file is there and not empty.
    #[cfg(unix)]
    pub(crate) fn signal(&self, line: &str, file: &str, signal: &str) -> Output {
        let is_written = || fs::metadata(self.path(file)).is_ok_and(|found| found.len() > 0);
        self.signal_when(line, is_written, signal)
    }

    /// Starts a command, and sends it a signal as soon as `is_time`.
    #[cfg(unix)]
    pub(crate) fn signal_when(
        &self,
        line: &str,
        is_time: impl Fn() -> bool,
        signal: &str,
    ) -> Output {
        use std::{
            thread,
            time::{Duration, Instant},
        };

        let mut command = self.command(line);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let start = Instant::now();
        while !is_time() {
            let late = start.elapsed() > Duration::from_secs(120);
            assert!(!late, "nothing was written");
            thread::sleep(Duration::from_millis(1));
        }
        let id = child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.unwrap().success());
        child.wait_with_output().unwrap()
    }
}
