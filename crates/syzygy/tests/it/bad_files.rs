//! Every kind of bad folder and bad file gives a clear message, never a crash, never a wrong
//! answer.

use std::{fs, path::Path};

use cozy_chess::Board;
use sextant_board::Random;
use sextant_syzygy::{Backend, ProbeError, SyzygyError, TableError, TableKind, Tablebase};

use crate::common::{PYRRHIC, bundled, folder, id, material, native, original, random_positions};

/// White wins with the queen against the bare king.
const KQVK: &str = "8/8/8/8/8/2k5/8/K6Q w - - 0 1";

fn open(path: &Path) -> Tablebase {
    native(path.to_str().unwrap())
}

/// Puts `bytes` in as KQvK.rtbw and returns why they are refused, at opening or at first use.
fn refused(at_opening: bool, bytes: &[u8]) -> TableError {
    let path = folder("refused");
    fs::write(path.join("KQvK.rtbw"), bytes).unwrap();
    let tables = open(&path);
    assert_eq!(tables.inventory().wdl_count() == 0, at_opening);
    let (wdl, board) = (id("KQvK", TableKind::Wdl), KQVK.parse().unwrap());
    // The file is there, so the table is not missing.
    assert_eq!(tables.probe_wdl(&board), Err(ProbeError::Corrupt(wdl)));
    assert_eq!(tables.wdl(&board), None);
    let reason = tables.table_error(wdl).unwrap().clone();
    if at_opening {
        assert_eq!(tables.inventory().refused()[0].reason, reason);
        // pyrrhic-rs would open the file by its name.
        let pyrrhic = Tablebase::open(path.to_str().unwrap(), Backend::Pyrrhic);
        assert!(matches!(pyrrhic, Err(SyzygyError::PyrrhicFile { .. })));
    }
    reason
}

#[test]
fn damaged_tables() {
    let good = original("KQvK.rtbw");
    for length in [0, 16, 100] {
        let found = length as u64;
        assert_eq!(refused(true, &good[..length]), TableError::Size { found });
    }
    let error = refused(true, &original("KQvK.rtbz"));
    assert!(matches!(error, TableError::Magic { .. }), "{error}");
    for lines in 1..good.len() / 64 {
        let error = refused(false, &good[..64 * lines + 16]);
        let expected = matches!(error, TableError::Length { .. } | TableError::Header { .. });
        assert!(expected, "{error}");
    }
    let mut longer = good.clone();
    longer.splice(good.len() - 16..good.len() - 16, [0; 64]);
    let error = refused(false, &longer);
    assert!(matches!(error, TableError::Length { .. }), "{error}");
    let error = refused(false, &original("KRvK.rtbw")).to_string();
    assert!(error.contains("not those of the file's name"), "{error}");
    let mut random = Random::new(1);
    for _ in 0..200 {
        let mut bytes = good.clone();
        bytes[5..].fill_with(|| random.next_u64() as u8);
        refused(false, &bytes);
    }
}

#[test]
fn folders() {
    for (paths, says) in [
        ("", "no tablebase folder given"),
        (" : ; ", "no tablebase folder given"),
        ("/nonexistent/tables", "/nonexistent/tables"),
        ("/tmp\0/x", "NUL byte (at byte 4)"),
    ] {
        let error = Tablebase::open(paths, Backend::Native).err().unwrap();
        assert!(error.to_string().contains(says), "{error}");
    }
    let tables = open(&folder("empty"));
    assert_eq!((tables.max_men(), tables.inventory().wdl_count()), (0, 0));
    assert_eq!(tables.wdl(&KQVK.parse().unwrap()), None);
    // Two kings need no table.
    let bare = "8/8/8/8/8/2k5/8/K7 w - - 0 1".parse().unwrap();
    assert!(tables.probe_wdl(&bare).is_ok());
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
        let tables = native(&list.replace("{}", path.to_str().unwrap()));
        assert_eq!(tables.inventory().wdl_count(), 1, "{list}");
        assert!(tables.wdl(&KQVK.parse().unwrap()).is_some());
        let unreadable = usize::from(list.contains("nonexistent"));
        assert_eq!(tables.inventory().unreadable_folders().len(), unreadable);
    }
}

#[test]
fn names_and_kinds_of_files() {
    let path = folder("names");
    let names = [
        "KRvKQ.rtbw",
        "KNBvK.rtbw",
        "KvK.rtbw",
        "KQQQQQQQvK.rtbw",
        "readme.rtbz",
    ];
    for name in names {
        fs::write(path.join(name), original("KQvK.rtbw")).unwrap();
    }
    fs::create_dir(path.join("KQvK.rtbw")).unwrap();
    let tables = open(&path);
    let refused = tables.inventory().refused();
    assert_eq!(refused.len(), 6);
    for (name, says) in [
        ("KRvKQ.rtbw", "expected KQvKR.rtbw"),
        ("KQvK.rtbw", "not a regular file"),
    ] {
        let file = refused.iter().find(|file| file.path.ends_with(name));
        let reason = file.unwrap().reason.to_string();
        assert!(reason.contains(says), "{reason}");
    }
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
    let tables = open(&path);
    let reason = &tables.inventory().refused()[0].reason;
    assert!(matches!(reason, TableError::Io(_)), "{reason}");
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
    let missing = ProbeError::Missing(id("KQvKR", TableKind::Dtz));
    assert_eq!(tables.dtz(&board), Err(missing));
    assert_eq!(missing.to_string(), "KQvKR.rtbz is not installed");
    let moves = tables.probe_root(&board, false, true).unwrap();
    assert!(moves[0].wdl > moves[moves.len() - 1].wdl);
    assert!(inventory.missing(3).contains(&id("KPvK", TableKind::Wdl)));
}

#[test]
fn positions_that_no_table_holds() {
    let tables = native(&bundled());
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
        let found = tables.probe_wdl(&fen.parse().unwrap());
        assert_eq!(found, Err(expected), "{fen}");
    }
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

fn probe_all(tables: &Tablebase, seed: u64, name: &str) {
    let mut boards = random_positions(seed, vec![material(name)]);
    for board in boards.by_ref().take(40) {
        let _ = tables.probe_wdl(&board);
        let _ = tables.dtz(&board);
    }
    let board = boards.next().unwrap();
    let _ = tables.probe_root(&board, false, true);
    let _ = tables.main_line(&board, 40);
}

#[test]
fn mutated_tables_crash_nobody() {
    const TABLES: [&str; 5] = ["KQvKR", "KPvKP", "KRvKR", "KPvK", "KBvKN"];
    let _turn = PYRRHIC.lock().unwrap();
    let folder = folder("fuzz");
    for entry in fs::read_dir(bundled()).unwrap() {
        let from = entry.unwrap().path();
        fs::copy(&from, folder.join(from.file_name().unwrap())).unwrap();
    }
    let list = folder.to_str().unwrap();
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let name = TABLES[random.below(TABLES.len())];
        let file = format!("{name}.{}", ["rtbw", "rtbz"][random.below(2)]);
        let mut bytes = original(&file);
        mutate(&mut random, &mut bytes);
        fs::write(folder.join(&file), &bytes).unwrap();
        println!("seed {seed}: {file}");
        probe_all(&native(list), seed, name);
        match Tablebase::open(list, Backend::Pyrrhic) {
            Ok(tables) => probe_all(&tables, seed, name),
            Err(error) => assert!(matches!(error, SyzygyError::PyrrhicFile { .. }), "{error}"),
        }
        fs::write(folder.join(&file), original(&file)).unwrap();
    }
}
