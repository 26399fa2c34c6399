//! Files that grow: journals with their recipes and torn tails, and files that several runs append
//! to.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sextant_cli::{
    append_file::{AppendFile, Mark},
    failure::Failure,
    journal::Journal,
};

#[derive(Clone, Serialize, Deserialize)]
struct Recipe {
    seed: u64,
    config: String,
    #[serde(default)]
    later: u32,
}

/// Opens a journal of lines; returns how many there are and how many bytes were torn.
fn open(path: &Path, seed: u64) -> Result<(Journal, usize, u64), Failure> {
    let recipe = Recipe {
        seed,
        config: "default".to_owned(),
        later: 0,
    };
    let mut journal = Journal::open(path)?;
    journal.settle_recipe(&recipe, "# A test.\n")?;
    let mut text = Vec::new();
    journal.reader()?.read_to_end(&mut text).unwrap();
    let end = text.iter().rposition(|&byte| byte == b'\n');
    let whole = &text[..end.map_or(0, |end| end + 1)];
    let count = whole.iter().filter(|&&byte| byte == b'\n').count();
    let torn = journal.cut_behind(whole.len() as u64)?;
    Ok((journal, count, torn))
}

fn refusal(path: &Path, seed: u64) -> String {
    let error = open(path, seed).err().unwrap();
    assert_eq!(error.code(), Failure::USAGE, "{error}");
    error.to_string()
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    (folder, path)
}

#[test]
fn a_torn_record_is_cut_off_wherever_it_ends() {
    let (_folder, path) = place();
    drop(open(&path, 1).unwrap());
    for (left, lines, cut) in [(8, 2, 0), (7, 1, 3), (5, 1, 1), (4, 1, 0), (2, 0, 2)] {
        fs::write(&path, &b"one\ntwo\n"[..left]).unwrap();
        let (mut journal, found, torn) = open(&path, 1).unwrap();
        assert_eq!((found, torn), (lines, cut), "{left}");
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
    fs::write(&toml, "seed = 2\nconfig = \"default\"\n").unwrap();
    let message = refusal(&path, 1);
    let expected = "was made in another way: seed was 2 and is now 1; take the same options";
    assert!(message.contains(expected), "{message}");
    assert!(!path.exists(), "what was made for nothing is removed");
    fs::remove_file(&toml).unwrap();
    drop(open(&path, 1).unwrap());
    let written = fs::read_to_string(&toml).unwrap();
    assert!(written.starts_with("# A test.\nseed = 1\n"), "{written}");
    fs::write(&path, "one\n").unwrap();
    // An older recipe lacks what was added since; a full disk left one without a word.
    for (recipe, refused) in [
        ("seed = 1\nconfig = \"default\"\n", None),
        ("seed = 1", Some("is no recipe of ours")),
        ("", Some("nobody knows how it was made")),
    ] {
        fs::write(&toml, recipe).unwrap();
        match refused {
            None => drop(open(&path, 1).unwrap()),
            Some(text) => assert!(refusal(&path, 1).contains(text), "{text}"),
        }
        assert_eq!(fs::read(&path).unwrap(), b"one\n");
    }
    fs::write(&path, "").unwrap();
    drop(open(&path, 1).unwrap());
}

/// A file, and the mark of a run that was killed before it could append what comes next.
fn killed(path: &Path, next: impl AsRef<[u8]>) -> Mark {
    let mut file = AppendFile::open(path, None).unwrap();
    file.add("one");
    file.flush().unwrap();
    file.add(next);
    file.mark().unwrap()
}

#[test]
fn what_had_not_arrived_is_appended() {
    let (_folder, path) = place();
    let mark = killed(&path, "t\u{fc}o");
    for (arrived, expected) in [
        (&b"one"[..], "onet\u{fc}o"),
        (b"onet", "onet\u{fc}o"),
        // The first of a letter's two bytes.
        (b"onet\xc3", "onet\u{fc}o"),
        ("onet\u{fc}o".as_bytes(), "onet\u{fc}o"),
        (
            "onet\u{fc}o and others".as_bytes(),
            "onet\u{fc}o and others",
        ),
        (b"one and others", "one and otherst\u{fc}o"),
    ] {
        fs::write(&path, arrived).unwrap();
        let file = AppendFile::open(&path, Some(&mark)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
        let json = serde_json::to_value(file.mark().unwrap()).unwrap();
        assert_eq!(json["length"], expected.len());
    }
}

/// A state keeps marks as text.
#[test]
fn marks_of_text_and_of_other_bytes_come_back() {
    let (folder, path) = place();
    for (next, kept) in [
        (&b"t\xc3\xbco"[..], "\"next\":\"t\u{fc}o\""),
        (b"\xff\x00a", "\"next\":{\"hex\":\"ff0061\"}"),
    ] {
        let mark = killed(&path, next);
        let json = serde_json::to_string(&mark).unwrap();
        assert!(json.contains(kept), "{json}");
        assert_eq!(serde_json::from_str::<Mark>(&json).unwrap(), mark);
        // The file may lie elsewhere meanwhile.
        let moved = folder.path().join("moved");
        fs::rename(&path, &moved).unwrap();
        AppendFile::open(&moved, Some(&mark.at(&moved))).unwrap();
        assert_eq!(fs::read(&moved).unwrap(), [b"one", next].concat());
    }
    for hex in ["f", "fff", "0g", "\u{fc}"] {
        let json = format!("{{\"path\":\"x\",\"length\":1,\"next\":{{\"hex\":\"{hex}\"}}}}");
        assert!(serde_json::from_str::<Mark>(&json).is_err(), "{hex}");
    }
}

#[test]
fn what_lacks_something_is_refused_and_another_file_only_appended_to() {
    let (folder, path) = place();
    let mark = killed(&path, "two");
    fs::write(&path, "o").unwrap();
    let error = AppendFile::open(&path, Some(&mark)).err().unwrap();
    let message = error.to_string();
    assert!(message.contains("has 1 bytes") && message.contains("bring the file back"));
    assert_eq!(Failure::from(error).code(), Failure::USAGE);
    assert_eq!(fs::read_to_string(&path).unwrap(), "o");
    let other = folder.path().join("other");
    fs::write(&other, "precious").unwrap();
    AppendFile::open(&other, Some(&mark)).unwrap();
    assert_eq!(fs::read_to_string(&other).unwrap(), "precious");
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_appended_to_and_a_full_one_is_work_that_failed() {
    for (path, code) in [("/dev/full", Some(Failure::WORK)), ("/dev/null", None)] {
        let mut device = AppendFile::open(Path::new(path), None).unwrap();
        device.add("one");
        device.mark().unwrap();
        let failed = device.flush().err();
        assert_eq!(failed.map(|error| Failure::from(error).code()), code);
    }
    assert!(Journal::open(Path::new("/dev/full")).is_err());
}
