//! Every kind of bad folder and bad file gives a clear message, never a crash, never a wrong
//! answer.

use std::{
    fs,
    path::{Path, PathBuf},
};

use cozy_chess::Board;
use sextant_board::Random;
use sextant_syzygy::{
    Backend, Material, ProbeError, SyzygyError, TableError, TableId, TableKind, Tablebase,
};

use crate::common::{PYRRHIC, bundled, folder, native, random_position};

/// White wins with the queen against the bare king.
const KQVK: &str = "8/8/8/8/8/2k5/8/K6Q w - - 0 1";

fn original(name: &str) -> Vec<u8> {
    fs::read(Path::new(&bundled()).join(name)).unwrap()
}

fn id(name: &str, kind: TableKind) -> TableId {
    TableId {
        material: Material::parse(name).unwrap(),
        kind,
    }
}

fn open(path: &Path) -> Tablebase {
    native(path.to_str().unwrap())
}

/// Puts `bytes` in as KQvK.rtbw and returns why they are refused at opening.
fn refused_at_opening(name: &str, bytes: &[u8]) -> TableError {
    let path = folder(name);
    fs::write(path.join("KQvK.rtbw"), bytes).unwrap();
    let tables = open(&path);
    assert_eq!(tables.inventory().wdl_count(), 0);
    let wdl = id("KQvK", TableKind::Wdl);
    // The file is there, so the table is not missing.
    let damaged = Err(ProbeError::Corrupt(wdl));
    assert_eq!(tables.probe_wdl(&KQVK.parse().unwrap()), damaged);
    assert_eq!(
        tables.table_error(wdl),
        Some(&tables.inventory().refused()[0].reason)
    );
    // pyrrhic-rs would open the file by its name.
    let pyrrhic = Tablebase::open(path.to_str().unwrap(), Backend::Pyrrhic);
    assert!(matches!(pyrrhic, Err(SyzygyError::PyrrhicFile { .. })));
    tables.inventory().refused()[0].reason.clone()
}

/// Puts `bytes` in as KQvK.rtbw and returns why they are refused at first use.
fn refused_at_use(name: &str, bytes: &[u8]) -> TableError {
    let path = folder(name);
    fs::write(path.join("KQvK.rtbw"), bytes).unwrap();
    let tables = open(&path);
    let wdl = id("KQvK", TableKind::Wdl);
    assert_eq!(
        tables.probe_wdl(&KQVK.parse().unwrap()),
        Err(ProbeError::Corrupt(wdl))
    );
    assert_eq!(tables.wdl(&KQVK.parse().unwrap()), None);
    tables.table_error(wdl).unwrap().clone()
}

#[test]
fn folders() {
    let error = |paths: &str| {
        Tablebase::open(paths, Backend::Native)
            .err()
            .unwrap()
            .to_string()
    };
    assert!(error("").contains("no tablebase folder given"));
    assert!(error(" : ; ").contains("no tablebase folder given"));
    assert!(error("/nonexistent/tables").contains("/nonexistent/tables"));
    assert!(error("/tmp\0/x").contains("NUL byte (at byte 4)"));
    let empty = folder("empty");
    let tables = open(&empty);
    assert_eq!((tables.max_men(), tables.inventory().wdl_count()), (0, 0));
    assert_eq!(tables.wdl(&KQVK.parse().unwrap()), None);
    // Two kings need no table.
    let bare = "8/8/8/8/8/2k5/8/K7 w - - 0 1".parse().unwrap();
    assert!(tables.probe_wdl(&bare).is_ok());
}

#[test]
fn lists_spaces_letters_and_trailing_separators() {
    let path = folder("with spaces und Ümläuten 棋");
    fs::write(path.join("KQvK.rtbw"), original("KQvK.rtbw")).unwrap();
    for list in [
        "{};",
        "{}:",
        "/nonexistent:{}",
        "/nonexistent;{}",
        ":{}::",
        "{};{}",
    ] {
        let list = list.replace("{}", path.to_str().unwrap());
        let tables = Tablebase::open(&list, Backend::Native).unwrap();
        assert_eq!(tables.inventory().wdl_count(), 1, "{list}");
        assert!(tables.wdl(&KQVK.parse().unwrap()).is_some());
        let unreadable = usize::from(list.contains("nonexistent"));
        assert_eq!(tables.inventory().unreadable_folders().len(), unreadable);
    }
}

#[test]
fn a_folder_named_like_a_table() {
    let path = folder("named");
    fs::create_dir(path.join("KQvK.rtbw")).unwrap();
    assert_eq!(
        open(&path).inventory().refused()[0].reason,
        TableError::NotAFile
    );
}

#[test]
fn wrong_names() {
    let path = folder("names");
    for name in [
        "KRvKQ.rtbw",
        "KNBvK.rtbw",
        "KvK.rtbw",
        "KQQQQQQQvK.rtbw",
        "readme.rtbz",
    ] {
        fs::write(path.join(name), original("KQvK.rtbw")).unwrap();
    }
    let tables = open(&path);
    assert_eq!(tables.inventory().refused().len(), 5);
    let mut reasons = tables
        .inventory()
        .refused()
        .iter()
        .map(|file| file.reason.to_string());
    assert!(reasons.any(|reason| reason.contains("expected KQvKR.rtbw")));
}

#[test]
fn sizes_and_magic() {
    let good = original("KQvK.rtbw");
    for length in [0, 100, 16] {
        let found = length as u64;
        let refused = refused_at_opening("size", &good[..length]);
        assert_eq!(refused, TableError::Size { found });
    }
    let refused = refused_at_opening("magic", &original("KQvK.rtbz"));
    assert!(matches!(refused, TableError::Magic { .. }));
}

#[cfg(unix)]
#[test]
fn an_unreadable_file() {
    use std::os::unix::fs::PermissionsExt;
    let path = folder("unreadable");
    let file = path.join("KQvK.rtbw");
    fs::write(&file, original("KQvK.rtbw")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&file).is_ok() {
        println!("skipped: this user may read everything");
        return;
    }
    assert!(matches!(
        open(&path).inventory().refused()[0].reason,
        TableError::Io(_)
    ));
}

#[test]
fn truncated_by_whole_lines() {
    let good = original("KQvK.rtbw");
    for lines in 1..good.len() / 64 {
        let error = refused_at_use("truncated", &good[..64 * lines + 16]);
        let expected = matches!(error, TableError::Length { .. } | TableError::Header { .. });
        assert!(expected, "{error}");
    }
    let mut longer = good.clone();
    longer.splice(good.len() - 16..good.len() - 16, [0; 64]);
    assert!(matches!(
        refused_at_use("longer", &longer),
        TableError::Length { .. }
    ));
}

#[test]
fn wrong_name_for_the_content() {
    let error = refused_at_use("swapped", &original("KRvK.rtbw"));
    assert!(
        error.to_string().contains("not those of the file's name"),
        "{error}"
    );
}

#[test]
fn random_bytes_behind_a_right_magic() {
    let mut random = Random::new(1);
    for _ in 0..200 {
        let mut bytes = original("KQvK.rtbw");
        bytes[5..].fill_with(|| random.next_u64() as u8);
        refused_at_use("random", &bytes);
    }
}

#[test]
fn only_wdl_ranks_by_wdl_and_says_what_is_missing() {
    let path = folder("wdl-only");
    for name in ["KQvK.rtbw", "KQvKR.rtbw", "KRvK.rtbw"] {
        fs::write(path.join(name), original(name)).unwrap();
    }
    let tables = open(&path);
    let inventory = tables.inventory();
    assert_eq!((inventory.wdl_count(), inventory.dtz_count()), (3, 0));
    let board: Board = "8/3r4/8/8/8/2k5/8/K6Q w - - 0 1".parse().unwrap();
    let dtz = id("KQvKR", TableKind::Dtz);
    assert!(matches!(tables.dtz(&board), Err(ProbeError::Missing(missing)) if missing == dtz));
    let text = ProbeError::Missing(dtz).to_string();
    assert_eq!(text, "KQvKR.rtbz is not installed");
    let moves = tables.probe_root(&board, false, true).unwrap();
    assert!(moves[0].wdl > moves[moves.len() - 1].wdl);
    assert!(inventory.missing(3).contains(&id("KPvK", TableKind::Wdl)));
}

#[test]
fn positions_that_no_table_holds() {
    let tables = native(&bundled());
    let board = |fen: &str| fen.parse::<Board>().unwrap();
    let error = |fen| tables.probe_wdl(&board(fen)).unwrap_err();
    let missing = ProbeError::Missing(id("KQQvKP", TableKind::Wdl));
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ProbeError::Castling),
        ("8/8/8/8/8/8/kK6/7Q w - - 0 1", ProbeError::KingsTouch),
        (
            "4k3/pppp4/8/8/8/8/8/QK5Q w - - 0 1",
            ProbeError::TooManyMen { men: 8 },
        ),
        ("4k3/pp6/8/8/8/8/8/QK5Q w - - 0 1", missing),
    ] {
        assert_eq!(error(fen), expected, "{fen}");
    }
}

const TABLES: [&str; 5] = ["KQvKR", "KPvKP", "KRvKR", "KPvK", "KBvKN"];
const ROUNDS: u64 = 400;

fn copies() -> PathBuf {
    let path = folder("fuzz");
    for entry in fs::read_dir(bundled()).unwrap() {
        let from = entry.unwrap().path();
        fs::copy(&from, path.join(from.file_name().unwrap())).unwrap();
    }
    path
}

/// Changes a few bytes, half of the time in the header, where they do most.
fn mutate(random: &mut Random, bytes: &mut [u8]) {
    let header = random.below(2) == 0;
    let end = bytes.len().min(if header { 400 } else { usize::MAX });
    for _ in 0..1 + random.below(6) {
        let at = 4 + random.below(end - 4);
        bytes[at] = match random.below(3) {
            0 => bytes[at] ^ 1 << random.below(8),
            1 => random.next_u64() as u8,
            _ => [0, 255, 128, 127][random.below(4)],
        };
    }
}

fn probe_all(tables: &Tablebase, random: &mut Random, name: &str) {
    let material = Material::parse(name).unwrap();
    for _ in 0..60 {
        if let Some(board) = random_position(random, material) {
            let _ = tables.probe_wdl(&board);
            let _ = tables.dtz(&board);
        }
    }
    let board = std::iter::repeat_with(|| random_position(random, material))
        .flatten()
        .next()
        .unwrap();
    let _ = tables.probe_root(&board, false, true);
    let _ = tables.main_line(&board, 40);
}

#[test]
fn mutated_tables_crash_nobody() {
    let _turn = PYRRHIC.lock().unwrap();
    let folder = copies();
    let list = folder.to_str().unwrap();
    for round in 0..ROUNDS {
        let mut random = Random::new(round);
        let name = TABLES[random.below(TABLES.len())];
        let path = folder.join(format!("{name}.{}", ["rtbw", "rtbz"][random.below(2)]));
        let original = fs::read(&path).unwrap();
        let mut bytes = original.clone();
        mutate(&mut random, &mut bytes);
        fs::write(&path, &bytes).unwrap();
        println!("seed {round}: {}", path.display());
        probe_all(&native(list), &mut random, name);
        match Tablebase::open(list, Backend::Pyrrhic) {
            Ok(tables) => probe_all(&tables, &mut random, name),
            Err(error) => assert!(matches!(error, SyzygyError::PyrrhicFile { .. }), "{error}"),
        }
        fs::write(&path, &original).unwrap();
    }
}
