//! The real binary: answers, messages and exit codes.

use crate::{TABLES, command, run, run_with};

const WON: &str = "8/3r4/8/8/8/2k5/8/K6Q w - - 0 1";

#[test]
fn probe_tells_the_verdict_in_words() {
    let told = run(&["probe", WON]);
    assert_eq!(told.code, 0, "{}", told.err);
    for part in [
        "White to move wins. DTZ 3 or 4.",
        "Winning moves (15):",
        "Drawing moves (3):",
        "Losing moves (4):",
        "Qd5 (DTZ 1)",
        "Main line (",
        "Ends in checkmate.",
    ] {
        assert!(told.out.contains(part), "{part} in {}", told.out);
    }
    // Unquoted and short FENs are fine.
    let unquoted = run(&["probe", "8/3r4/8/8/8/2k5/8/K6Q", "w"]);
    assert_eq!((unquoted.code, unquoted.out), (0, told.out));
}

#[test]
fn tables_come_from_the_arguments_then_the_environment() {
    let with = |name: &str, value: &str| {
        let output = command()
            .env(name, value)
            .args(["probe", WON])
            .output()
            .unwrap();
        output.status.code().unwrap()
    };
    assert_eq!(with("SYZYGY_PATH", TABLES), 0);
    assert_eq!(with("TB_PATH", &format!("{TABLES}:")), 0);
    assert_eq!(with("TB_PATH", ""), 4);
    let both = command()
        .env("SYZYGY_PATH", "/nonexistent")
        .args(["--path", TABLES, "probe", WON])
        .output()
        .unwrap();
    assert_eq!(both.status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn names_of_folders_and_configs_may_be_in_any_encoding() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join(OsStr::from_bytes(b"t\xFF"));
    std::os::unix::fs::symlink(TABLES, &folder).unwrap();
    let config = place.path().join(OsStr::from_bytes(b"c\xFF.toml"));
    std::fs::write(&config, "syzygy.verify = true\n").unwrap();
    for (arguments, variable) in [(true, false), (false, true)] {
        let mut command = command();
        if arguments {
            command.arg("--path").arg(&folder);
        }
        if variable {
            command.env("SYZYGY_PATH", &folder);
        }
        command.arg("--config").arg(&config);
        let output = command
            .args(["probe", "8/3r4/8/8/8/2k5/8/K6Q w - - 0 1"])
            .output();
        let output = output.unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn exit_codes_and_messages() {
    for (arguments, code, says) in [
        (&["probe"][..], 2, "FEN"),
        (&["probe", "--nonsense", WON], 2, "--nonsense"),
        (&["verify", "KRvQ"], 2, "\"KRvQ\" is no material"),
        (
            &["--wdl-only", "probe", "--pgn", WON],
            2,
            "leave --wdl-only out",
        ),
        (
            &["serve", "--bind", "127.0.0.1:1"],
            2,
            "sextant-web --path DIR",
        ),
        (&["batch", "/nonexistent.epd"], 2, "/nonexistent.epd"),
        (&["probe", "nonsense"], 3, "needs 8 ranks and has 1"),
        (&["probe", "8/8/8/8/8/8/8/8 w"], 3, "White has 0 kings"),
        (
            &["probe", "8/3r4/8/8/8/2k5/8/K6Q w - - 101 1"],
            3,
            "the half-move clock is \"101\"",
        ),
        (
            &["probe", "8/3r4/8/3p4/8/2k5/8/K6Q w - - 0 1"],
            4,
            "KRPvKQ.rtbw is not installed",
        ),
        (
            &["probe", "4k3/pp6/8/8/8/8/PP6/4K2R w K - 0 1"],
            4,
            "castling rights",
        ),
        (
            &[
                "probe",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            ],
            4,
            "32 men",
        ),
        (&["--path", "/nonexistent", "probe", WON], 4, "/nonexistent"),
    ] {
        let told = if arguments[0] == "--path" {
            run_with(arguments, "")
        } else {
            run(arguments)
        };
        assert_eq!(told.code, code, "{arguments:?}: {}", told.err);
        assert!(told.err.contains(says), "{arguments:?}: {}", told.err);
    }
}

#[test]
fn a_damaged_table_is_named() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("damaged");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut bytes = std::fs::read(format!("{TABLES}/KQvK.rtbw")).unwrap();
    bytes[0x20] ^= 0xff;
    std::fs::write(folder.join("KQvK.rtbw"), &bytes).unwrap();
    let folder = folder.to_str().unwrap();
    let probed = run_with(&["--path", folder, "probe", "8/8/8/8/8/2k5/8/K6Q w"], "");
    assert_eq!(probed.code, 5, "{}", probed.out);
    assert!(
        probed
            .err
            .contains("KQvK.rtbw is damaged: invalid header at byte"),
        "{}",
        probed.err
    );
    let verified = run_with(&["--path", folder, "verify"], "");
    assert_eq!(verified.code, 5);
    assert!(
        verified.out.contains("KQvK.rtbw: invalid header"),
        "{}",
        verified.out
    );
}

#[test]
fn a_table_that_was_cut_off_is_damaged_and_not_missing() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = std::fs::read(format!("{TABLES}/KQvK.rtbw")).unwrap();
    std::fs::write(folder.path().join("KQvK.rtbw"), &bytes[1..]).unwrap();
    let here = folder.path().to_str().unwrap();
    let probe = ["--path", here, "probe", "8/8/8/8/8/2k5/8/K6Q w"];
    let told = run_with(&probe, "");
    assert_eq!(told.code, 5, "{}", told.out);
    assert!(told.err.contains("KQvK.rtbw is damaged: "), "{}", told.err);
    for (material, code) in [("KQvK", 5), ("KRvK", 4)] {
        let verified = run_with(&["--path", here, "verify", material], "");
        assert_eq!(verified.code, code, "{material}: {}", verified.out);
    }
}

#[test]
fn a_configuration_asks_for_verified_tables() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = std::fs::read(format!("{TABLES}/KQvK.rtbw")).unwrap();
    // The last byte of the checksum.
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(folder.path().join("KQvK.rtbw"), &bytes).unwrap();
    let config = folder.path().join("verify.toml");
    let here = folder.path().to_str().unwrap();
    for (verify, code) in [(false, 0), (true, 5)] {
        std::fs::write(&config, format!("[syzygy]\nverify = {verify}\n")).unwrap();
        let config = ["--config", config.to_str().unwrap()];
        let probe = ["--path", here, "probe", "8/8/8/8/8/2k5/8/K6Q w"];
        let told = run_with(&[&config[..], &probe].concat(), "");
        assert_eq!(told.code, code, "{}", told.err);
    }
}

#[test]
fn folders_that_give_nothing_are_named() {
    let above = std::path::Path::new(TABLES).parent().unwrap();
    let told = run_with(&["--path", above.to_str().unwrap(), "list"], "");
    let meant = format!("{TABLES}; name these folders");
    assert!(told.code == 4 && told.err.contains(&meant), "{}", told.err);
    for command in ["list", "verify", "batch", "probe"] {
        let told = run_with(
            &[command, WON][..if command == "probe" { 2 } else { 1 }],
            "",
        );
        let told = if command == "batch" {
            run_with(&["batch", "-"], "")
        } else {
            told
        };
        let says = "--path FOLDER, or set SYZYGY_PATH";
        assert!(told.err.contains(says), "{command}: {}", told.err);
    }
    let empty = tempfile::tempdir().unwrap();
    let empty = empty.path().to_str().unwrap();
    let told = run_with(&["--path", empty, "probe", WON], "");
    assert!(told.err.contains("there are no tables in"), "{}", told.err);
    let both = format!("{TABLES}:/nonexistent");
    let told = run_with(&["--path", &both, "verify", "KQvK"], "");
    assert_eq!(told.code, 4, "{}", told.out);
    assert!(
        told.err.contains("cannot read the folder /nonexistent"),
        "{}",
        told.err
    );
}

#[test]
fn a_batch_answers_line_by_line() {
    use std::io::{BufRead, BufReader, Write};

    let mut child = command()
        .args(["--path", TABLES, "batch", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap()).lines();
    for fen in [WON, "7k/8/8/8/8/8/8/KQ6 w - - 0 1"] {
        // The next line is only written when the last one is answered.
        writeln!(to, "{fen}").unwrap();
        let answer = from.next().unwrap().unwrap();
        assert!(answer.contains(fen), "{answer}");
    }
    drop(to);
    assert!(child.wait().unwrap().success());
}

#[test]
fn games_without_a_table_are_still_judged() {
    for (fen, says) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Stalemate"),
        (
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
            "Checkmate: White has won.",
        ),
        ("8/8/8/8/8/2k5/8/K6B w - - 0 1", "Dead position"),
        (
            "8/4K2k/5Q1P/6P1/8/8/q7/8 w - - 99 148",
            "White to move wins. DTZ 1.",
        ),
        (
            "8/4K2k/5Q1P/6P1/8/8/q7/8 w - - 100 148",
            "the 50-move rule makes it a draw",
        ),
    ] {
        let told = run_with(&["probe", fen], "");
        assert_eq!(told.code, 0, "{fen}: {}", told.err);
        assert!(told.out.contains(says), "{fen}: {}", told.out);
    }
}

#[test]
fn castling_rights_do_not_hide_a_winning_capture() {
    let told = run(&["probe", "4k2r/8/8/8/8/8/8/4K2R w K - 0 1"]);
    assert_eq!(told.code, 0);
    assert!(
        told.out.contains("White to move wins") && told.out.contains("Rxh8+"),
        "{}",
        told.out
    );
}

#[test]
fn pgn_has_fathoms_headers() {
    let game = run(&["probe", "--pgn", WON]).out;
    for header in [
        "[Result \"1-0\"]",
        "[WDL \"Win\"]",
        "[DTZ \"3\"]",
        "[WinningMoves \"Qc6+,",
        "[DrawingMoves \"Qb1, Qg2, Qh2\"]",
        "[LosingMoves \"Qd1,",
    ] {
        assert!(game.contains(header), "{header} in {game}");
    }
    assert!(game.trim_end().ends_with("1-0"));
    assert!(
        game.lines()
            .skip_while(|line| line.starts_with('['))
            .all(|line| line.len() <= 80)
    );
}

#[test]
fn batch_keeps_order_and_goes_on_after_bad_lines() {
    let input = format!(
        "{WON}\nnonsense\n\n# comment\n8/8/8/8/8/2k5/8/K6R b - - bm Kb4;\r\n8/3r4/8/3p4/8/2k5/8/K6Q w\n"
    );
    let batch =
        |more: &[&str]| run_with(&[&["--path", TABLES, "batch", "-"], more].concat(), &input);
    let told = batch(&[]);
    let lines: Vec<serde_json::Value> = told
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        lines
            .iter()
            .map(|line| line["line"].as_u64().unwrap())
            .collect::<Vec<_>>(),
        [1, 2, 5, 6]
    );
    assert_eq!(
        (&lines[0]["category"], &lines[2]["category"]),
        (&"win".into(), &"loss".into())
    );
    assert!(
        lines[1]["error"]
            .as_str()
            .unwrap()
            .contains("needs 8 ranks and has 1")
    );
    assert_eq!(
        (&lines[1]["fen"], &lines[0]["operations"]),
        (&"nonsense".into(), &().into())
    );
    let apart = ["fen", "operations"].map(|key| lines[2][key].as_str().unwrap());
    assert_eq!(apart, ["8/8/8/8/8/2k5/8/K6R b - -", "bm Kb4;"]);
    assert_eq!(lines[3]["error"], "KRPvKQ.rtbw is not installed");
    assert_eq!(told.code, 4, "the highest of 3 and 4");
    let strict = batch(&["--strict"]);
    assert_eq!((strict.code, strict.out.lines().count()), (3, 2));
    assert!(
        strict.err.contains("line 2: bad position"),
        "{}",
        strict.err
    );
    let csv = batch(&["--format", "csv"]).out;
    assert!(
        csv.starts_with(
            "line,fen,operations,category,dtz,precise_dtz,error\n1,8/3r4/8/8/8/2k5/8/K6Q w - - 0 1,,win,3,,\n"
        ),
        "{csv}"
    );
    let moves = batch(&["--moves"]).out;
    let first: serde_json::Value = serde_json::from_str(moves.lines().next().unwrap()).unwrap();
    assert_eq!(first["moves"][0]["san"], "Qc6+");
    let rows = batch(&["--moves", "--format", "csv"]).out;
    let mut rows = rows.lines();
    let columns = rows.next().unwrap().split(',').count();
    let first = "1,8/3r4/8/8/8/2k5/8/K6Q w - - 0 1,,win,3,,,h1c6,Qc6+,loss,-2,-2";
    assert_eq!(rows.next(), Some(first));
    let rows: Vec<_> = rows.collect();
    assert!(
        rows.iter().all(|row| row.split(',').count() == columns),
        "{rows:#?}"
    );
    assert_eq!(
        rows.len(),
        21 + 1 + 7 + 1,
        "22 moves, an error, 7 moves, an error"
    );
}

#[test]
fn the_best_move_is_first_and_begins_the_main_line() {
    for (fen, best) in [
        ("8/P7/8/8/8/8/2k5/K7 w", "a8=Q"),
        ("6k1/P7/6K1/8/8/8/8/8 w", "a8=Q#"),
        ("8/8/8/8/8/5k2/2p5/4K3 b", "c1=Q#"),
    ] {
        let told = run(&["probe", fen]).out;
        let (_, moves) = told.split_once("Winning moves").unwrap();
        assert!(
            moves
                .lines()
                .nth(1)
                .unwrap()
                .starts_with(&format!("  {best} ")),
            "{told}"
        );
        let (_, line) = told.split_once("plies): 1.").unwrap();
        assert!(
            line.trim_start_matches(['.', ' ']).starts_with(best),
            "{told}"
        );
    }
}

#[test]
fn tables_of_results_alone_say_who_wins() {
    let told = run(&["--wdl-only", "probe", WON]);
    assert!(
        told.code == 0 && told.out.contains("White to move wins."),
        "{}",
        told.out
    );
    assert!(!told.out.contains("rtbz"), "{}", told.out);
    let listed = run(&["--wdl-only", "list", "--missing", "4"]).out;
    assert!(
        listed.contains("Missing of 4 men (22):") && !listed.contains("rtbz"),
        "{listed}"
    );
}

#[test]
fn batch_of_many_lines_is_complete_with_any_number_of_threads() {
    let input = format!("{WON}\n8/8/8/8/8/2k5/8/K6R b\n").repeat(6_000);
    let run = |threads| {
        run_with(
            &["--path", TABLES, "batch", "-", "--threads", threads],
            &input,
        )
    };
    let (one, three) = (run("1"), run("3"));
    assert_eq!(one.out.lines().count(), 12_000);
    assert_eq!((one.code, one.out), (three.code, three.out));
}

#[test]
fn list_counts_and_names_the_missing() {
    let told = run(&["list", "--missing", "4"]);
    assert_eq!(told.code, 0);
    assert!(
        told.out.contains("5/5") && told.out.contains("8/30"),
        "{}",
        told.out
    );
    assert!(told.out.contains("Missing of 4 men (44):") && told.out.contains("KBNvK.rtbz"));
    assert!(run(&["list"]).out.contains("and 40 more (--missing 4)"));
    let json: serde_json::Value = serde_json::from_str(&run(&["list", "--json"]).out).unwrap();
    assert_eq!(json["sets"][0]["wdl"], 5);
    assert_eq!(run_with(&["list"], "").code, 4);
}

#[test]
fn verify_counts() {
    let told = run(&["verify"]);
    let counted = "26 tables checked, 0 bad\n";
    assert_eq!((told.code, told.out.as_str()), (0, counted));
    assert_eq!(run(&["verify", "qkVkr"]).out, "2 tables checked, 0 bad\n");
    let none = run(&["verify", "KQvKB"]);
    assert_eq!(none.code, 4);
    assert!(none.err.contains("list --missing 5"), "{}", none.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_may_leave_but_a_full_disk_is_a_failure() {
    for command in [&["probe", WON][..], &["batch", "-"]] {
        let shell = |redirect: &str| {
            let program = env!("CARGO_BIN_EXE_sextant-tb");
            let line = format!("\"$0\" --path \"$1\" \"$2\" \"$3\" {redirect}");
            let mut shell = std::process::Command::new("sh");
            let shell = shell.args(["-c", &line, program, TABLES]).args(command);
            let output = shell.stdin(std::fs::File::open(lines()).unwrap()).output();
            output.unwrap()
        };
        let full = shell("> /dev/full");
        assert_eq!(full.status.code(), Some(1), "{command:?}");
        assert!(String::from_utf8_lossy(&full.stderr).contains("cannot write to standard output"));
        let left = shell("| true; exit 0");
        assert!(left.stderr.is_empty(), "{command:?}");
    }
}

/// A file with more lines than a pipe holds answers.
#[cfg(target_os = "linux")]
fn lines() -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("lines.epd");
    std::fs::write(&path, format!("{WON}\n").repeat(5_000)).unwrap();
    path
}

#[test]
fn help_teaches() {
    let help = run_with(&["--help"], "").out;
    for word in [
        "SYZYGY_PATH",
        "TB_PATH",
        "Exit codes",
        "DTZ",
        "Examples",
        "cursed win",
    ] {
        assert!(help.contains(word), "{word}");
    }
    for command in ["probe", "batch", "list", "verify"] {
        let told = run_with(&[command, "--help"], "");
        assert_eq!(told.code, 0);
        assert!(told.out.contains("Usage: sextant-tb"), "{command}");
    }
}
