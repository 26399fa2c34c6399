//! What OpenBench, the field's distributed testing and tuning server, asks of an engine.

use std::{collections::BTreeMap, fs, path::Path, process::Command, thread};

use crate::util::{Engine, field, run};
use sextant_config::{Config, parameters};

/// The nodes and the speed of the line that the server's worker reads.
fn bench_line(output: &str) -> (u64, u64) {
    let line = output.lines().last().unwrap();
    let words: Vec<_> = line.split(' ').collect();
    let [nodes, "nodes", nps, "nps"] = words[..] else {
        panic!("{line:?} is no `<nodes> nodes <nps> nps`");
    };
    (nodes.parse().unwrap(), nps.parse().unwrap())
}

#[test]
fn benches_at_the_same_time_end_by_themselves_with_the_same_nodes() {
    let benches: Vec<_> = (0..3).map(|_| thread::spawn(|| run(&["bench"]))).collect();
    let mut found = Vec::new();
    for bench in benches {
        // `run` does not wait longer than the worker does: a minute.
        let (status, out, _) = bench.join().unwrap();
        assert!(status.success());
        let (nodes, nps) = bench_line(&out);
        assert!(nps > 0);
        found.push(nodes);
    }
    assert!(
        found[0] > 0 && found.iter().all(|nodes| *nodes == found[0]),
        "{found:?}"
    );
}

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

    let path = format!(
        "{}:{}",
        here.join("bin").display(),
        std::env::var("PATH").unwrap()
    );
    let make = |more: &[&str]| {
        let mut command = Command::new("make");
        command.arg("-j").args(more).current_dir(here);
        let made = command
            .env("PATH", &path)
            .env_remove("MAKEFLAGS")
            .output()
            .ok()?;
        let error = String::from_utf8_lossy(&made.stderr).into_owned();
        Some((made.status.success(), error))
    };
    let Some(made) = make(&["EXE=Sextant-0123abcd", "EVALFILE=my.nnue"]) else {
        println!("skipped: there is no make");
        return;
    };
    assert!(made.0, "{}", made.1);
    let asked = fs::read_to_string(here.join("asked")).unwrap();
    for part in ["build --profile dist --package sextant", "my.nnue"] {
        assert!(asked.contains(part), "{asked}");
    }
    assert!(!asked.contains("--features tune"));
    let benched = Command::new(here.join("Sextant-0123abcd"))
        .args(["bench", "3"])
        .output();
    bench_line(&String::from_utf8(benched.unwrap().stdout).unwrap());
    assert!(make(&["TUNE=yes"]).unwrap().0);
    assert!(
        fs::read_to_string(here.join("asked"))
            .unwrap()
            .contains("--features tune")
    );
    let (success, error) = make(&["ARCH=pentium"]).unwrap();
    assert!(!success && error.contains("x86-64-v3"), "{error}");
}

#[test]
fn openings_are_generated_as_the_worker_asks_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    fs::write(
        &book,
        "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 3;\n",
    )
    .unwrap();
    let book = book.to_str().unwrap();
    let ask = |seed: u32, book: &str| {
        let (status, out, _) = run(&[
            &format!("genfens 8 seed {seed} book {book} extra words"),
            "quit",
        ]);
        assert!(status.success());
        out
    };
    for book in ["None", book] {
        let out = ask(7, book);
        assert_eq!(out, ask(7, book));
        assert_ne!(out, ask(8, book));
        let mut fens: Vec<_> = out
            .lines()
            .filter_map(|line| line.strip_prefix("info string genfens "))
            .collect();
        assert_eq!(fens.len(), 8, "{out}");
        for fen in &fens {
            // The worker takes the last two of six fields as numbers.
            let fields: Vec<_> = fen.split_whitespace().collect();
            assert_eq!(fields.len(), 6, "{fen}");
            assert!(
                fields[4..]
                    .iter()
                    .all(|number| number.parse::<u32>().is_ok()),
                "{fen}"
            );
            assert!(sextant_board::parse_fen(fen).is_ok(), "{fen}");
        }
        fens.sort_unstable();
        fens.dedup();
        assert_eq!(fens.len(), 8, "{out}");
    }
}

/// The `option` lines of the `uci` command by name.
fn options(args: &[&str]) -> BTreeMap<String, String> {
    let mut engine = Engine::with_args(args);
    let lines = engine.send("uci").until("uciok");
    engine.quit();
    let options = lines.iter().filter_map(|line| {
        let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
        Some((name.to_owned(), rest.to_owned()))
    });
    options.collect()
}

#[test]
fn every_line_of_a_tuning_run_is_an_option_of_the_engine() {
    let plain = options(&[]);
    assert!(plain["Hash"].starts_with("spin ") && plain["Threads"].starts_with("spin "));
    let tuning = options(&["--tune"]);
    let config = Config::default();
    let lines: Vec<_> = parameters()
        .filter_map(|parameter| parameter.spsa_line(&config, 0.002))
        .collect();
    assert!(lines.len() > 50, "{}", lines.len());
    for line in lines {
        let fields: Vec<_> = line.split(", ").collect();
        let [name, "int", value, min, max, c_end, r_end] = fields[..] else {
            panic!("{line}");
        };
        let option = &tuning[name];
        assert_eq!(
            option,
            &format!("spin default {value} min {min} max {max}"),
            "{name}"
        );
        // What the server refuses.
        let number = |text: &str| text.parse::<f64>().unwrap();
        assert!(
            number(min) <= number(value) && number(value) <= number(max),
            "{line}"
        );
        assert!(number(c_end) >= 0.5 && number(r_end) > 0.0, "{line}");
        // The server and its match runner split at commas, blanks and equality signs.
        assert!(
            name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'),
            "{name}"
        );
    }
}

#[test]
fn a_value_that_the_server_sets_is_in_force() {
    let nodes = |option: &str| {
        let (status, out, err) = run(&["--option", option, "bench", "6"]);
        assert!(status.success(), "{err}");
        bench_line(&out).0
    };
    assert_ne!(
        nodes("Pruning_Rfp_Margin=80"),
        nodes("Pruning_Rfp_Margin=20")
    );
    let mut engine = Engine::start();
    let said = engine.tell("setoption name Reductions_Base value 9999");
    assert!(
        said.iter().any(|line| line.contains("-512 to 512")),
        "{said:?}"
    );
    engine.quit();
}

#[test]
fn the_servers_file_about_the_engine_is_as_the_server_reads_it() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scripts/openbench/Sextant.json"
    );
    let file: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert!(file["nps"].as_u64().unwrap() > 0 && file["private"] == false);
    assert!(
        file["source"]
            .as_str()
            .unwrap()
            .starts_with("https://github.com/")
    );
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
            for key in ["both_options", "dev_options"] {
                let Some(options) = preset[key].as_str() else {
                    continue;
                };
                let value = |option| field(&options.replace('=', " "), option).map(str::to_owned);
                assert!(
                    value("Hash").is_some() && value("Threads").is_some(),
                    "{name}: {options}"
                );
            }
        }
    }
}
