//! What OpenBench, the field's distributed testing and tuning server, asks of an engine.

use std::{fs, path::Path, process::Command};

use crate::util::{field, works};

/// The makefile in a folder of its own, with a cargo that hands over the binary under test: what is
/// tested is what make asks of cargo, and where the binary comes to lie.
#[cfg(target_os = "linux")]
#[test]
fn make_leaves_a_binary_of_the_name_that_was_asked_for() {
    use std::os::unix::fs::PermissionsExt;

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::copy(root.join("Makefile"), here.join("Makefile")).unwrap();
    let cargo = here.join("bin/cargo");
    fs::create_dir_all(here.join("bin")).unwrap();
    let script = format!(
        "#!/bin/sh\nmkdir -p target/dist && cp '{}' target/dist/sextant\n\
         echo \"$@\" >>asked\necho \"net $EVALFILE\" >>asked\n",
        env!("CARGO_BIN_EXE_sextant")
    );
    fs::write(&cargo, script).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(here.join("my.nnue"), "a network").unwrap();

    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", here.join("bin").display());
    let make = |more: &[&str]| {
        let mut command = Command::new("make");
        command.arg("-j").args(more).current_dir(here);
        command.env("PATH", &path).env_remove("MAKEFLAGS");
        let made = command.output().ok()?;
        let error = String::from_utf8_lossy(&made.stderr).into_owned();
        Some((made.status.success(), error))
    };
    let Some((success, error)) = make(&["EXE=Sextant-0123abcd", "EVALFILE=my.nnue"]) else {
        println!("skipped: there is no make");
        return;
    };
    assert!(success, "{error}");
    let asked = || fs::read_to_string(here.join("asked")).unwrap();
    for part in ["build --profile dist --package sextant", "my.nnue"] {
        assert!(asked().contains(part), "{}", asked());
    }
    assert!(!asked().contains("--features tune"));
    let named = Command::new(here.join("Sextant-0123abcd"))
        .arg("isready")
        .output();
    assert_eq!(named.unwrap().stdout, b"readyok\n");
    assert!(make(&["TUNE=yes"]).unwrap().0);
    assert!(asked().contains("--features tune"));
    let (success, error) = make(&["ARCH=pentium"]).unwrap();
    assert!(!success && error.contains("x86-64-v3"), "{error}");
}

#[test]
fn openings_are_generated_as_the_worker_asks_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    // Some books name their openings in Latin-1.
    let opening =
        b"rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - hmvc 0; c0 \"Gr\xFCn\";\n";
    fs::write(&book, opening).unwrap();
    for book in ["None", book.to_str().unwrap()] {
        let ask = |seed: u32| {
            let line = format!("genfens 8 seed {seed} book {book} extra words");
            works(&[&line, "quit"])
        };
        let out = ask(7);
        assert_eq!(out, ask(7));
        assert_ne!(out, ask(8));
        let lines = out.lines();
        let mut fens: Vec<_> = lines
            .map(|line| line.strip_prefix("info string genfens ").unwrap())
            .collect();
        for fen in &fens {
            // The worker takes the last two of six fields as numbers.
            let fields: Vec<_> = fen.split(' ').collect();
            let mut clocks = fields[4..].iter();
            assert!(
                fields.len() == 6 && clocks.all(|clock| clock.parse::<u32>().is_ok()),
                "{fen}"
            );
            assert!(sextant_board::parse_fen(fen).is_ok(), "{fen}");
        }
        fens.sort_unstable();
        fens.dedup();
        assert_eq!(fens.len(), 8, "{out}");
    }
}

#[test]
fn the_servers_file_about_the_engine_is_as_the_server_reads_it() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scripts/openbench/Sextant.json"
    );
    let file: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert!(file["nps"].as_u64().unwrap() > 0 && file["private"] == false);
    let source = file["source"].as_str().unwrap();
    assert!(source.starts_with("https://github.com/"));
    assert_eq!(file["build"]["path"], "", "the makefile is in the root");
    let compilers = file["build"]["compilers"].as_array().unwrap();
    let cargo = format!("cargo>={}.0", env!("CARGO_PKG_RUST_VERSION"));
    assert!(
        compilers.iter().any(|compiler| *compiler == cargo),
        "{compilers:?}"
    );
    for kind in ["test_presets", "tune_presets", "datagen_presets"] {
        assert!(file[kind]["default"].is_object(), "{kind}");
        for (name, preset) in file[kind].as_object().unwrap() {
            let keys = ["both_options", "dev_options"];
            for options in keys.iter().filter_map(|key| preset[key].as_str()) {
                let words = options.replace('=', " ");
                let mut needed = ["Hash", "Threads"].iter();
                assert!(
                    needed.all(|key| field(&words, key).is_some()),
                    "{name}: {options}"
                );
            }
        }
    }
}
