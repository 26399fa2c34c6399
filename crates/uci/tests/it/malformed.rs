//! Bad input through the pipes of the real binary: it lives, says what was wrong and what was kept,
//! and the next command works.

use crate::util::{Engine, best_move, infos, number};

/// The line is answered by an info string that holds `word`, and the engine goes on.
fn is_refused(engine: &mut Engine, line: &str, word: &str) {
    let answer = engine.tell(line);
    let told = answer
        .iter()
        .any(|line| line.starts_with("info string ") && line.contains(word));
    assert!(told, "{line:?}: no word about {word:?} in {answer:?}");
    assert!(
        answer.iter().all(|line| line.len() < 1_200),
        "{line:?} floods"
    );
}

fn plays(engine: &mut Engine) {
    let answer = engine.go("nodes 500");
    assert_ne!(best_move(&answer), "(none)");
    assert!(!infos(&answer).is_empty());
}

#[test]
fn impossible_positions_leave_the_old_one_whole() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4 e7e5");
    let before = engine.fen();
    // The board crate tests the whole table.
    for (fen, word) in [
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("4k3/8/8/8/8/8/8/4KR2 w K - 0 1x", "number"),
        (
            "4k3/8/8/8/8/8/8/4K\u{e9}\u{1f600}2 w - - 0 1",
            "not a piece",
        ),
        ("hello world", "fields"),
    ] {
        is_refused(&mut engine, &format!("position fen {fen}"), word);
        assert_eq!(engine.fen(), before, "{fen}");
    }
    for line in [
        "position",
        "position fen",
        "position nonsense",
        "position startpos e2e4",
    ] {
        is_refused(&mut engine, line, "");
        assert_eq!(engine.fen(), before, "{line}");
    }
    // No move comes from another position than the one that was sent.
    let answer = engine.go("nodes 500");
    assert_eq!(best_move(&answer), "0000");
    assert!(answer[0].contains("refused"), "{answer:?}");
    engine.send("position startpos moves e2e4 e7e5");
    plays(&mut engine);
    engine.quit();
}

#[test]
fn illegal_moves_leave_the_old_position_whole() {
    let mut engine = Engine::start();
    engine.send("position startpos moves d2d4");
    let before = engine.fen();
    for (moves, word) in [
        ("e2e5", "e2e5"),
        ("e2e4 e7e5 e4e5", "move 3"),
        ("e2e4 0000", "0000"),
        ("e2e4 e7e5 g1f3 e8e7q", "e8e7q"),
        ("xyz", "xyz"),
        ("e2e4e7e5", "e2e4e7e5"),
        ("\u{e9}2e4", "move 1"),
        ("e1g1", "e1g1"),
    ] {
        is_refused(
            &mut engine,
            &format!("position startpos moves {moves}"),
            word,
        );
        assert_eq!(engine.fen(), before, "{moves}");
    }
    // An illegal move behind another FEN does not bring that FEN in.
    is_refused(
        &mut engine,
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e8",
        "e1e8",
    );
    assert_eq!(engine.fen(), before);
    engine.send("position startpos");
    plays(&mut engine);
    engine.quit();
}

#[test]
fn odd_but_legal_positions_are_searched() {
    let mut engine = Engine::start();
    for fen in [
        // More than 256 legal moves.
        "QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/8/7Q/K7 w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        // Clocks out of range, four fields, upper-case side, clocks as dashes.
        "4k3/8/8/8/8/8/4P3/4K3 w - - 99 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 9999999999999999999999 70000",
        "4k3/8/8/8/8/8/4P3/4K3 w - -",
        "4k3/8/8/8/8/8/4P3/4K3 W - - - -",
        // An absurd en-passant square is dropped.
        "4k3/8/8/8/8/8/4P3/4K3 w - a6 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - e4 0 1",
        // Only moves.
        "7k/8/8/8/8/8/1r6/K7 w - - 0 1",
    ] {
        let answer = engine.tell(&format!("position fen {fen}"));
        if let Some(refused) = answer.first() {
            // Seventeen pieces of a side or more.
            assert!(
                fen.starts_with("QQQQQQ") || fen.starts_with("R6R"),
                "{refused}"
            );
            assert!(refused.contains("pieces"), "{refused}");
            continue;
        }
        plays(&mut engine);
    }
    engine.quit();
}

#[test]
fn an_en_passant_square_counts_only_if_a_capture_is_legal() {
    let mut engine = Engine::start();
    for (fen, kept) in [
        (
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            true,
        ),
        (
            "rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq d6 0 2",
            false,
        ),
        (
            "rnbqkbnr/pppp1ppp/8/8/4pP2/8/PPPPP1PP/RNBQKBNR b KQkq f3 0 2",
            true,
        ),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", true),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", false),
        // Pinned to the king along the file, the rank and the diagonal.
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", false),
        ("8/8/8/K2pP2r/8/8/8/6k1 w - d6 0 1", false),
        ("7k/b7/8/2Pp4/8/4K3/8/8 w - d6 0 1", false),
    ] {
        engine.send(&format!("position fen {fen}"));
        let square = fen.split(' ').nth(3).unwrap();
        let shown = engine.fen();
        let found = shown.split(' ').nth(3).unwrap();
        assert_eq!(found == square, kept, "{fen}: {shown}");
    }
    engine.quit();
}

#[test]
fn a_very_long_game_is_accepted() {
    let mut engine = Engine::start();
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(4_000);
    engine.send(&format!("position startpos moves {moves}e2e4"));
    assert!(engine.fen().starts_with("rnbqkbnr/pppppppp/8/8/4P3"));
    plays(&mut engine);
    // Longer than any game.
    let line = format!("position startpos moves {}", "e2e4 ".repeat(1_000_000));
    is_refused(&mut engine, &line, "bytes");
    assert_eq!(best_move(&engine.go("nodes 500")), "0000");
    engine.quit();
}

#[test]
fn bad_option_values_keep_the_old_ones() {
    let mut engine = Engine::start();
    engine
        .send("setoption name Hash value 4")
        .send("setoption name MultiPV value 2");
    for name in [
        "Hash",
        "Threads",
        "MultiPV",
        "Move Overhead",
        "nodestime",
        "Skill Level",
        "UCI_Elo",
    ] {
        for value in [
            "abc",
            "-1",
            "99999999999999999999",
            "1.5",
            "0x10",
            "",
            "1 2",
            "\u{221e}",
        ] {
            is_refused(
                &mut engine,
                &format!("setoption name {name} value {value}"),
                "kept",
            );
        }
        is_refused(&mut engine, &format!("setoption name {name}"), "kept");
    }
    for name in [
        "Ponder",
        "UCI_Chess960",
        "UCI_ShowWDL",
        "UCI_LimitStrength",
        "Syzygy50MoveRule",
    ] {
        is_refused(
            &mut engine,
            &format!("setoption name {name} value maybe"),
            "kept",
        );
    }
    is_refused(&mut engine, "setoption name Preset value nonsense", "kept");
    is_refused(
        &mut engine,
        "setoption name ConfigFile value /nonexistent/file.toml",
        "kept",
    );
    is_refused(
        &mut engine,
        "setoption name EvalFile value /nonexistent.nnue",
        "kept",
    );
    is_refused(
        &mut engine,
        "setoption name Debug Log File value /nonexistent/log.txt",
        "kept",
    );
    #[cfg(unix)]
    {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let log = format!("setoption name Debug Log File value {}", pipe.display());
        is_refused(&mut engine, &log, "it is a pipe or a device");
    }
    is_refused(
        &mut engine,
        "setoption name Extensions_Recapture value 999999",
        "kept",
    );
    is_refused(
        &mut engine,
        "setoption name Hahs value 5",
        "did you mean `Hash`",
    );
    is_refused(&mut engine, "setoption Hash value 5", "setoption");
    is_refused(&mut engine, "setoption name", "setoption");
    // Names have no case, blanks do not count.
    assert!(
        engine
            .tell("setoption  name  move   OVERHEAD  value  20 ")
            .is_empty()
    );
    let answer = engine.go("depth 2");
    assert!(
        infos(&answer)
            .iter()
            .any(|line| number(line, "multipv") == 2),
        "MultiPV was kept"
    );
    engine.quit();
}

#[test]
fn a_table_that_cannot_be_had_is_refused() {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 8");
    // 32 TB: more than the address space of most machines will back.
    is_refused(&mut engine, "setoption name Hash value 33554432", "kept");
    plays(&mut engine);
    engine.quit();
}

#[test]
fn a_bad_config_file_keeps_the_old_config() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my config.toml");
    std::fs::write(&path, "[extensions]\nrecaptur = 5.0\n").unwrap();
    let mut engine = Engine::start();
    let line = format!("setoption name ConfigFile value {}", path.display());
    is_refused(&mut engine, &line, "recaptur");
    std::fs::write(&path, "[extensions]\nrecapture = 5.0\n").unwrap();
    assert!(engine.tell(&line).is_empty());
    plays(&mut engine);
    engine.quit();
}

#[test]
fn bad_tablebase_paths_keep_the_old_tables() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/testdata");
    let folder = tempfile::tempdir().unwrap();
    let spaced = folder.path().join("end games \u{e9}");
    std::fs::create_dir(&spaced).unwrap();
    std::fs::copy(format!("{tables}/KRvK.rtbw"), spaced.join("KRvK.rtbw")).unwrap();
    std::fs::write(spaced.join("KQvK.rtbw"), b"short").unwrap();
    std::fs::write(spaced.join("KRvKR.rtbw"), b"").unwrap();
    std::fs::create_dir(spaced.join("KBvK.rtbw")).unwrap();
    let spaced = spaced.display();
    let empty = tempfile::tempdir().unwrap();
    let mut engine = Engine::start();
    // The other backend trusts what it maps, and refuses such a folder as a whole.
    let broken = format!("setoption name SyzygyPath value {spaced}");
    engine.send("setoption name Syzygy_Backend value pyrrhic");
    is_refused(&mut engine, &broken, "kept");
    engine.send("setoption name Syzygy_Backend value native");
    is_refused(
        &mut engine,
        "setoption name SyzygyPath value /nonexistent",
        "kept",
    );
    is_refused(
        &mut engine,
        &format!("setoption name SyzygyPath value {tables}"),
        "WDL",
    );
    is_refused(
        &mut engine,
        "setoption name SyzygyPath value /nonexistent",
        "kept",
    );
    is_refused(&mut engine, "setoption name SyzygyPath value ;", "kept");
    for path in [
        format!("{spaced}"),
        format!("{spaced};"),
        format!("{tables};{spaced};;/nonexistent;"),
    ] {
        is_refused(
            &mut engine,
            &format!("setoption name SyzygyPath value {path}"),
            "cannot be used",
        );
        engine.send("position fen 8/8/8/8/8/k7/8/K6R w - - 0 1");
        plays(&mut engine);
    }
    let path = empty.path().display();
    is_refused(
        &mut engine,
        &format!("setoption name SyzygyPath value {path}"),
        "0 WDL",
    );
    // Castling rights, and no table at all.
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    plays(&mut engine);
    is_refused(
        &mut engine,
        "setoption name SyzygyPath value <empty>",
        "no tables",
    );
    is_refused(&mut engine, "setoption name SyzygyPath", "kept");
    plays(&mut engine);
    engine.quit();
}

#[test]
fn odd_go_commands_end_in_a_move_or_a_word() {
    let mut engine = Engine::start();
    for limits in [
        "depth 0",
        "depth -7",
        "nodes 0",
        "movetime 0",
        "movetime -100",
        "mate -1 depth 2",
        "wtime -1000 btime -1000",
        "wtime 0 btime 0 winc 0 binc 0",
        "wtime 100",
        "btime 100",
        "winc 100",
        "wtime 100 movestogo 0",
        "wtime 100 movestogo 99999999999",
        "wtime 10 winc 1000000",
        "depth 2 nonsense 5 wtime x",
        "depth 3 wtime 99999999999999999999999 btime 1",
        "searchmoves e2e5 depth 2",
        "searchmoves depth 2",
        "movetime 20 nodes 99999999999999999999999999",
        "depth 99999 nodes 1000",
    ] {
        let answer = engine.go(limits);
        assert_ne!(best_move(&answer), "(none)", "{limits}");
        assert!(!infos(&answer).is_empty(), "{limits}");
    }
    for limits in ["depth abc", "depth", "nodes 1e6", "movetime \u{0663}"] {
        engine
            .send(&format!("go {limits}"))
            .until("info string go: no limit is left");
    }
    plays(&mut engine);
    engine.quit();
}

#[test]
fn nonsense_is_answered_with_a_word() {
    let mut engine = Engine::start();
    for line in [
        "xyzzy",
        "UCI",
        "ucinewgame2",
        "go2",
        "bench 0",
        "bench abc",
        "speedtest -1",
        "\u{0}\u{1}\u{2}",
        "\u{feff}uci",
        "setoption value name",
    ] {
        is_refused(&mut engine, line, "");
    }
    is_refused(&mut engine, &"a".repeat(100_000), "unknown command");
    engine.send_bytes(b"\xff\xfe\xfd\nposition \xc3\x28\n");
    engine.send_bytes(&[b'\n'; 10_000]);
    assert!(engine.sync().len() >= 2);
    for line in ["debug on", "register later", "ponderhit", "stop"] {
        assert!(engine.tell(line).is_empty(), "{line}");
    }
    engine.send("position startpos");
    plays(&mut engine);
    engine.quit();
}

#[test]
fn the_table_takes_the_memory_that_was_set() {
    let resident = |pid: u32| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    let mut engine = Engine::start();
    for megabytes in [16, 64, 16] {
        engine.send(&format!("setoption name Hash value {megabytes}"));
        engine.go("nodes 200000");
        let Some(kilobytes) = resident(engine.id()) else {
            eprintln!("skipped: this system does not tell the memory of a process");
            return;
        };
        assert!(
            kilobytes < (megabytes + 40) * 1024,
            "{kilobytes} kB with Hash {megabytes}"
        );
    }
    engine.quit();
}
