//! `fit` from outside: fits that can be repeated, killed and gone on with, and mistakes that are
//! explained.

mod util;

use std::{
    fs,
    path::Path,
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use sextant_config::{Config, GapSource, diff};
use util::{play, run_in, start_in, told};

/// Far longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);
/// Searches of next to no nodes.
const QUICK: [&str; 6] = [
    "--search-nodes",
    "400",
    "--label-nodes",
    "300",
    "--bootstrap",
    "100",
];

fn fit<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&["fit"], args].concat()
}

fn start(folder: &Path, args: &[&str]) -> Child {
    start_in(folder, &fit(args))
}

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    run_in(folder, &fit(args))
}

fn succeed(folder: &Path, args: &[&str]) -> String {
    let (code, out, err) = run(folder, args);
    assert_eq!(code, Some(0), "{args:?}: {err}");
    out
}

/// Runs with the arguments of a quick fit behind.
fn quick<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [args, &QUICK].concat()
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn load(folder: &Path, name: &str) -> Config {
    Config::load(folder.join(name).to_str().unwrap()).unwrap()
}

fn sections(folder: &Path, name: &str) -> Vec<&'static str> {
    let differences = diff(&Config::default(), &load(folder, name));
    let mut sections: Vec<_> = differences.iter().map(|one| one.spec.section).collect();
    sections.dedup();
    sections
}

#[test]
fn the_seed_decides_not_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "games.vf", "60", &[]);
    let fit = |name: &str, seed: &str, threads: &str| {
        let (samples, out, report) = (
            format!("{name}.samples"),
            format!("{name}.toml"),
            format!("{name}.report"),
        );
        let args = [
            "games.vf",
            "--samples",
            &samples,
            "--out",
            &out,
            "--report",
            &report,
            "--count",
            "400",
            "--seed",
            seed,
            "--threads",
            threads,
        ];
        succeed(here, &quick(&args))
    };
    let one = fit("one", "7", "1");
    let three = fit("three", "7", "3");
    fit("other", "8", "1");
    assert_eq!(one.replace("one.", "three."), three);
    for name in [
        "samples",
        "toml",
        "report/report.json",
        "report/prices-calibration.svg",
    ] {
        let of = |run: &str| bytes(here, &format!("{run}.{name}"));
        assert_eq!(of("one"), of("three"), "{name}");
    }
    assert_ne!(bytes(here, "one.samples"), bytes(here, "other.samples"));

    for part in [
        "400 samples of ",
        "capture_winning ",
        "up to 24",
        "kappa ",
        "uniform ",
        "prices of default ",
        "prices of cyrus68k ",
        "ln index + history ",
        "REDUCTIONS",
        "written: one.toml",
    ] {
        assert!(one.contains(part), "no {part:?} in\n{one}");
    }
    for name in [
        "report.txt",
        "categories.csv",
        "prices-rivals.csv",
        "reductions-calibration.svg",
    ] {
        assert!(
            !bytes(here, &format!("one.report/{name}")).is_empty(),
            "{name}"
        );
    }
    assert_eq!(sections(here, "one.toml"), ["extensions", "reductions"]);

    // What was searched once is not searched again, and either model can be had alone.
    let again = ["--samples", "one.samples", "--count", "400", "--seed", "7"];
    succeed(
        here,
        &[&again[..], &["--out", "again.toml", "--bootstrap", "100"]].concat(),
    );
    assert_eq!(bytes(here, "one.toml"), bytes(here, "again.toml"));
    let kept = ["--except", "reductions.*", "--except", "extensions.phase"];
    succeed(
        here,
        &[
            &again[..],
            &kept,
            &["--out", "kept.toml", "--bootstrap", "100"],
        ]
        .concat(),
    );
    assert_eq!(sections(here, "kept.toml"), ["extensions"]);
    assert_eq!(load(here, "kept.toml").extensions.phase, [0; 8]);
    assert_eq!(
        load(here, "kept.toml").extensions.recapture,
        load(here, "one.toml").extensions.recapture
    );
    let by_eval = [
        "--gap-source",
        "eval",
        "--out",
        "eval.toml",
        "--bootstrap",
        "100",
    ];
    succeed(here, &[&again[..], &by_eval].concat());
    assert_eq!(
        load(here, "eval.toml").extensions.gap_source,
        GapSource::Eval
    );
    for (model, section) in [("prices", "extensions"), ("reductions", "reductions")] {
        let args = ["--out", "part.toml", "--model", model, "--bootstrap", "100"];
        succeed(here, &[&again[..], &args].concat());
        assert_eq!(sections(here, "part.toml"), [section]);
    }
}

#[test]
fn killed_and_gone_on_with_is_unbroken() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "games.vf", "60", &[]);
    let args = |name: &'static str| {
        quick(&[
            "games.vf",
            "--samples",
            name,
            "--count",
            "420",
            "--model",
            "prices",
        ])
    };
    let unbroken = succeed(here, &args("whole"));
    for least in [3_000, 30_000] {
        let mut child = start(here, &args("broken"));
        let begun = Instant::now();
        let length = || fs::metadata(here.join("broken")).map_or(0, |meta| meta.len());
        while length() < least {
            assert!(begun.elapsed() < PATIENCE, "no {least} bytes");
            thread::sleep(Duration::from_millis(2));
        }
        // Child::kill is SIGKILL on Unix: nothing can be put in order.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // As a lost machine leaves it.
    let torn = bytes(here, "broken");
    assert!(
        torn.len() < bytes(here, "whole").len(),
        "it was too quick to be killed"
    );
    fs::write(here.join("broken"), &torn[..torn.len() - 5]).unwrap();
    assert_eq!(succeed(here, &args("broken")), unbroken);
    assert_eq!(bytes(here, "whole"), bytes(here, "broken"));
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "games.vf", "60", &[]);
    let args = quick(&[
        "games.vf",
        "--samples",
        "all",
        "--count",
        "420",
        "--model",
        "prices",
    ]);
    // A limit of 20 blocks of 512 bytes; without the trap the signal would end the program unheard.
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 20; exec \"$0\" fit \"$@\""])
        .arg(env!("CARGO_BIN_EXE_sextant-tune"))
        .args(&args)
        .current_dir(here)
        .output();
    let (code, _, err) = told(limited.unwrap());
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("cannot write all: File too large"), "{err}");
    let kept = bytes(here, "all").len();
    assert!(kept > 1_000, "{kept}");
    succeed(here, &args);
    let mut fresh = args.clone();
    fresh[2] = "fresh";
    succeed(here, &fresh);
    assert_eq!(bytes(here, "all"), bytes(here, "fresh"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "games.vf", "60", &[]);
    let child = start(folder.path(), &["games.vf", "--samples", "kept"]);
    let begun = Instant::now();
    while !folder.path().join("kept").exists() {
        assert!(begun.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(2));
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let (code, out, err) = told(child.wait_with_output().unwrap());
    assert_eq!(code, Some(130), "{err}");
    assert!(
        out.is_empty() && err.contains("which are in kept; the same command goes on"),
        "{err}"
    );
}

const PGN: &str = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n";
const EPD: &str = "\
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - id \"one\";
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -

# a comment
r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10
";

#[test]
fn positions_come_from_epd_and_pgn_too() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let games: Vec<String> = (0..12).map(|i| PGN.replace('x', &i.to_string())).collect();
    fs::write(here.join("games.pgn"), games.join("\n")).unwrap();
    fs::write(here.join("some.epd"), EPD).unwrap();
    let args = [
        "games.pgn",
        "some.epd",
        "--model",
        "prices",
        "--per-game",
        "3",
    ];
    let (code, out, err) = run(here, &quick(&args));
    assert_eq!(code, Some(0), "{err}");
    // Twelve games with three positions each, and three lines.
    assert!(err.contains("all 39 positions gave "), "{err}");
    assert!(
        err.contains("not 200000; more come of more positions"),
        "{err}"
    );
    // A line may have no node that is worth a sample.
    let games = out.split(" samples of ").nth(1);
    let games = games.and_then(|rest| rest.split(' ').next()?.parse().ok());
    assert!(
        games.is_some_and(|games: u32| (13..=15).contains(&games)),
        "{out}"
    );
}

#[test]
fn mistakes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let write = |name: &str, text: &str| fs::write(here.join(name), text).unwrap();
    write("good.epd", EPD);
    write("bad.epd", &format!("{EPD}rubbish\n"));
    write("bad.pgn", &PGN.replace("a6", "a9"));
    write("empty.epd", "\n  \n");
    write("over.epd", "7k/5Q2/6K1/8/8/8/8/8 b - -\n");
    write("wrong.toml", "[extensions]\nrecaptur = 5.0\n");
    write("foreign", "something else\n");
    fs::write(here.join("bad.vf"), [7_u8; 300]).unwrap();
    fs::create_dir(here.join("folder")).unwrap();
    let fails = |args: &[&str], word: &str| {
        let (code, out, err) = run(here, args);
        assert_eq!(code, Some(2), "{args:?}: {err}");
        assert!(
            out.is_empty() && err.contains(word),
            "no {word:?} for {args:?}: {err}"
        );
        assert!(!here.join("out.toml").exists(), "{args:?}");
    };
    fails(&[], "name positions to search from");
    fails(&["--samples", "none"], "cannot read none");
    fails(&["none.epd"], "cannot read none.epd");
    fails(&["bad.epd"], "bad.epd: line 6: ");
    fails(
        &["bad.pgn"],
        "bad.pgn: line 3: game 1: \"a9\" is not exactly one legal move",
    );
    fails(&["empty.epd"], "empty.epd is empty");
    fails(&["over.epd"], "no position with a legal move");
    fails(&["bad.vf"], "bad.vf is no file of games");
    fails(&["folder"], "cannot read folder");
    fails(
        &["good.epd", "--config", "defualt"],
        "did you mean \"default\"?",
    );
    fails(
        &["good.epd", "--config", "wrong.toml"],
        "wrong.toml:2:1: unknown key extensions.recaptur",
    );
    fails(&["good.epd", "--compare", "nothing"], "nothing");
    fails(
        &["good.epd", "--out", "no/out.toml"],
        "cannot write no/out.toml",
    );
    fails(&["good.epd", "--out", "folder"], "cannot write folder");
    fails(
        &["good.epd", "--report", "good.epd"],
        "cannot make good.epd",
    );
    fails(
        &["good.epd", "--samples", "no/samples"],
        "cannot write no/samples",
    );
    fails(
        &["good.epd", "--samples", "foreign"],
        "foreign is no file of samples",
    );
    fails(&["good.epd", "--model", "price"], "--model");
    fails(
        &["good.epd", "--except", "extensions.phse"],
        "extensions.phse: no key matches",
    );
    fails(
        &quick(&[
            "good.epd",
            "--count",
            "2",
            "--samples",
            "two",
            "--out",
            "out.toml",
        ]),
        "are too few",
    );
    // These samples are not those of another seed or of fewer nodes.
    fails(
        &quick(&[
            "good.epd",
            "--count",
            "9",
            "--samples",
            "two",
            "--seed",
            "5",
        ]),
        "samples that were made otherwise: seed (now 5, there 1)",
    );
    let mut damaged = bytes(here, "two");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    fs::write(here.join("damaged"), &damaged).unwrap();
    fails(&["--samples", "damaged"], " is damaged");
    assert_eq!(bytes(here, "foreign"), b"something else\n");
}
