//! Journals: recipes, torn tails, locks and kills.

use std::{
    fs,
    io::BufRead as _,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use sextant_cli::{
    failure::Failure,
    frames::{self, Frames},
    journal::{Journal, JournalError},
};

use crate::{child, child_folder, wait_for_line};

#[derive(Clone, Serialize, Deserialize)]
struct Recipe {
    seed: u64,
    config: String,
    #[serde(default)]
    later: u32,
}

fn recipe(seed: u64) -> Recipe {
    Recipe {
        seed,
        config: "default".to_owned(),
        later: 0,
    }
}

/// Opens a journal of lines; returns how many there are and how many bytes were torn.
fn open(path: &Path, recipe: &Recipe) -> Result<(Journal, usize, u64), JournalError> {
    let mut journal = Journal::open(path)?;
    journal.settle_recipe(recipe, "# A test.\n")?;
    let mut lines = Vec::new();
    let mut reader = journal.reader()?;
    loop {
        let mut line = Vec::new();
        if reader.read_until(b'\n', &mut line).unwrap() == 0 || !line.ends_with(b"\n") {
            break;
        }
        lines.push(line);
    }
    drop(reader);
    let whole = lines.iter().map(|line| line.len() as u64).sum();
    let torn = journal.cut_behind(whole)?;
    Ok((journal, lines.len(), torn))
}

fn refusal(path: &Path, seed: u64) -> String {
    let error = open(path, &recipe(seed)).err().unwrap();
    let message = error.to_string();
    assert_eq!(Failure::from(error).code(), Failure::USAGE, "{message}");
    message
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    (folder, path)
}

#[test]
fn a_torn_record_is_cut_off_wherever_it_ends() {
    let (_folder, path) = place();
    let (mut journal, ..) = open(&path, &recipe(1)).unwrap();
    journal.append(b"one\n").unwrap();
    journal.append(b"two\n").unwrap();
    journal.sync().unwrap();
    drop(journal);
    for (left, lines, cut) in [(8, 2, 0), (7, 1, 3), (5, 1, 1), (4, 1, 0), (2, 0, 2)] {
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &b"one\ntwo\n"[..left]).unwrap();
        let (mut journal, found, torn) = open(&path, &recipe(1)).unwrap();
        assert_eq!((found, torn), (lines, cut), "{left} of {bytes:?}");
        journal.append(b"new\n").unwrap();
        journal.sync().unwrap();
        let now = fs::read(&path).unwrap();
        assert_eq!(now, [&b"one\ntwo\n"[..4 * lines], b"new\n"].concat());
    }
}

#[test]
fn a_journal_goes_on_only_with_its_recipe() {
    let (folder, path) = place();
    let toml = folder.path().join("games.toml");
    drop(open(&path, &recipe(1)).unwrap());
    assert!(
        fs::read_to_string(&toml)
            .unwrap()
            .starts_with("# A test.\n")
    );
    fs::write(&path, "one\n").unwrap();
    let message = refusal(&path, 2);
    assert!(
        message.contains("seed was 1 and is now 2; take"),
        "{message}"
    );
    assert_eq!(fs::read(&path).unwrap(), b"one\n");
    // An older recipe lacks what was added since.
    fs::write(&toml, "seed = 1\nconfig = \"default\"\n").unwrap();
    drop(open(&path, &recipe(1)).unwrap());
    fs::write(&toml, "seed = 1").unwrap();
    assert!(refusal(&path, 1).contains("is no recipe of ours"));
    // A full disk left a recipe without a word.
    fs::write(&toml, "").unwrap();
    assert!(refusal(&path, 1).contains("nobody knows how it was made"));
    fs::write(&path, "").unwrap();
    drop(open(&path, &recipe(1)).unwrap());
}

#[test]
fn a_refused_journal_leaves_no_file() {
    let (folder, path) = place();
    fs::write(
        folder.path().join("games.toml"),
        "seed = 1\nconfig = \"\"\n",
    )
    .unwrap();
    assert!(refusal(&path, 1).contains("config was"));
    assert!(!path.exists());
}

#[test]
fn a_journal_has_one_writer_and_is_a_file() {
    let (folder, path) = place();
    let first = Journal::open(&path).unwrap();
    assert!(Journal::open(&path).err().unwrap().is_busy());
    drop(first);
    assert!(Journal::open(&path).is_ok());
    assert!(Journal::open(folder.path()).is_err());
    #[cfg(target_os = "linux")]
    assert!(Journal::open(Path::new("/dev/full")).is_err());
}

#[test]
fn what_is_killed_goes_on_without_a_gap() {
    if let Some(folder) = child_folder() {
        return count_for_ever(&folder.join("numbers"));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("numbers");
    let mut last = 0;
    for round in 0..4 {
        let name = "journal::what_is_killed_goes_on_without_a_gap";
        let mut writer = child(name, folder.path()).spawn().unwrap();
        wait_for_line(&mut writer, "begun");
        thread::sleep(Duration::from_millis(20 + 13 * round));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let numbers = numbers(&fs::read(&path).unwrap()).0;
        assert!(numbers.len() >= last, "what was shown as written stays");
        assert!(numbers.iter().copied().eq(0..numbers.len()));
        last = numbers.len();
    }
    assert!(last > 0);
}

/// The numbers in the whole records, and the length of these.
fn numbers(file: &[u8]) -> (Vec<usize>, u64) {
    let mut frames = Frames::new(file);
    let mut numbers = Vec::new();
    while let Some(record) = frames.next().unwrap() {
        let number = String::from_utf8(record).unwrap();
        numbers.push(number.trim_end_matches('.').parse().unwrap());
    }
    (numbers, frames.whole())
}

fn count_for_ever(path: &Path) {
    let mut journal = Journal::open(path).unwrap();
    let (numbers, whole) = numbers(&fs::read(path).unwrap());
    journal.cut_behind(whole).unwrap();
    println!("begun");
    for number in numbers.len().. {
        // Long records, so that a kill hits within one.
        let record = format!("{number}{}", ".".repeat(40_000));
        journal.append(&frames::frame(record.as_bytes())).unwrap();
    }
}
