//! `fit`: fits that can be repeated, killed and resumed, and mistakes that are explained.

use std::{
    fs,
    path::Path,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use crate::util::{binary, play, run_in, start_in, told};
use sextant_config::{Config, GapSource, diff};

/// Far longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);
/// Searches of next to no nodes.
const QUICK: [&str; 4] = ["--search-nodes", "400", "--label-nodes", "300"];

const PGN: &str = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n";
const EPD: &str = "\
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - id \"one\";
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -

# a comment
r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10
";

/// The words of a command line with those of quick searches.
fn quick(args: &str) -> Vec<&str> {
    let args = args.split_whitespace();
    ["fit"].into_iter().chain(args).chain(QUICK).collect()
}

/// Exit code, standard output, standard error.
fn run(folder: &Path, args: &str) -> (Option<i32>, String, String) {
    run_in(folder, &quick(args))
}

fn succeed(folder: &Path, args: &str) -> String {
    let (code, out, err) = run(folder, args);
    assert_eq!(code, Some(0), "{args}: {err}");
    out
}

/// Fails for a wrong argument, with `message` among its words, and writes no `out.toml`.
fn fails(folder: &Path, args: &str, message: &str) {
    let (code, out, err) = run(folder, args);
    assert_eq!(code, Some(2), "{args}: {err}");
    assert!(
        out.is_empty() && err.contains(message),
        "no {message:?} for {args}: {err}"
    );
    assert!(!folder.join("out.toml").exists(), "{args}");
}

/// A folder with sixty games.
fn with_games() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "games.vf", "60", &[]);
    folder
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn load(folder: &Path, name: &str) -> Config {
    Config::load(folder.join(name).to_str().unwrap()).unwrap()
}

/// The prices before and after of a row of the report's table.
fn row(report: &str, name: &str) -> [f64; 2] {
    let row = report
        .lines()
        .find(|line| line.starts_with(&format!("{name} ")));
    let columns: Vec<_> = row.expect(name).split_whitespace().collect();
    [columns[4], columns[5]].map(|price| price.parse().unwrap())
}

#[test]
fn the_seed_decides_not_the_threads() {
    let folder = with_games();
    let here = folder.path();
    let fit = |name: &str, more: &str| {
        let files = format!("games.vf --samples {name}.samples --out {name}.toml --count 400");
        succeed(here, &format!("{files} {more}"))
    };
    let one = fit("one", "--seed 7");
    let three = fit("three", "--seed 7 --threads 3 --model prices");
    fit("other", "--seed 8");
    assert_eq!(one.replace("one.", "three."), three);
    for name in ["samples", "samples.toml", "toml"] {
        let of = |run: &str| bytes(here, &format!("{run}.{name}"));
        assert_eq!(of("one"), of("three"), "{name}");
    }
    assert_ne!(bytes(here, "one.samples"), bytes(here, "other.samples"));
    let written = load(here, "one.toml");
    let hash = |config: &Config| format!("{:016x}", config.hash());
    let hashes = format!("{} -> {}", hash(&Config::default()), hash(&written));
    for part in [
        &format!("fitted: default (hash {hashes}), gap source order, split seed 7"),
        "400 samples of ",
        "kappa ",
        "uniform ",
        "prices of default ",
        "written: one.toml",
    ] {
        assert!(one.contains(part), "no {part:?} in\n{one}");
    }
    let price = f64::from(written.extensions.capture_winning) / 16.0;
    assert_eq!(row(&one, "capture_winning"), [8.0, price]);
    let sections = diff(&Config::default(), &written);
    assert!(sections.iter().all(|one| one.spec.section == "extensions"));

    // What was searched once is not searched again.
    let again = |more: &str| {
        succeed(
            here,
            &format!("--samples one.samples --count 400 --seed 7 --out again.toml {more}"),
        );
        load(here, "again.toml").extensions
    };
    assert_eq!(again(""), written.extensions);
    let kept = again("--except reductions.* --except extensions.phase");
    assert_eq!(kept.phase, [0; 8]);
    assert_eq!(kept.recapture, written.extensions.recapture);
    assert_eq!(again("--gap-source eval").gap_source, GapSource::Eval);
}

#[test]
fn kept_prices_are_reported_and_written() {
    let folder = with_games();
    let here = folder.path();
    fs::write(
        here.join("base.toml"),
        "extends = \"default\"\n[extensions]\nquiet_forward = 10.0\ncapture_winning = 6.0\nmate_threat \
         = 7.0\nphase = [1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 1.0]\n",
    )
    .unwrap();
    let samples = "games.vf --config base.toml --samples all --count 420";
    let except = "--except extensions.quiet_forward --except Extensions_Capture_Winning --except \
                  extensions.phase_0 --except extensions.gap_weight";
    let report = succeed(here, &format!("{samples} {except} --out kept.toml"));
    assert_eq!(row(&report, "quiet_forward"), [10.0, 10.0]);
    assert_eq!(row(&report, "capture_winning"), [6.0, 6.0]);
    assert!(report.contains("gap_weight: 0 -> 0 "), "{report}");
    assert!(
        report.contains("game phases, SX: [1.00, 0.50, 0.00"),
        "{report}"
    );
    assert!(report.contains("] -> [1.00, "), "{report}");
    assert!(
        report.contains("kept: extensions.quiet_forward, "),
        "{report}"
    );
    let written = load(here, "kept.toml").extensions;
    assert_eq!((written.quiet_forward, written.capture_winning), (160, 96));
    assert_eq!(written.phase[0], 16);
    // Rare moves: which ones is up to the games; the report names them and their price stays.
    let (_, rare) = report.split_once("moves to train on are such: ").unwrap();
    let (rare, _) = rare.split_once('\n').unwrap();
    for named in rare.split(", ") {
        let [before, after] = row(&report, named.split(' ').next().unwrap());
        assert_eq!(before, after, "{report}");
    }

    fails(
        here,
        &format!("{samples} --out out.toml --except extensions.gap_source --gap-source eval"),
        "--except keeps extensions.gap_source = \"order\", and --gap-source asks for \"eval\"",
    );
    let dear = "extends = \"default\"\n[extensions]\nquiet_forward = 32.0\n";
    fs::write(here.join("dear.toml"), dear).unwrap();
    fails(
        here,
        "--samples all --count 420 --out out.toml --config dear.toml --except extensions.*",
        " SX on average whatever the others are, and not 8; keep fewer of them",
    );
}

#[test]
fn killed_and_resumed_is_unbroken() {
    let folder = with_games();
    let here = folder.path();
    let unbroken = succeed(here, "games.vf --samples whole --count 420");
    let mut child = start_in(here, &quick("games.vf --samples broken --count 420"));
    let begun = Instant::now();
    while fs::metadata(here.join("broken")).map_or(0, |found| found.len()) < 20_000 {
        assert!(begun.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(2));
    }
    // Child::kill is SIGKILL on Unix: nothing can be put in order.
    child.kill().unwrap();
    child.wait().unwrap();
    // As a lost machine leaves it.
    let torn = bytes(here, "broken");
    assert!(
        torn.len() < bytes(here, "whole").len(),
        "it was too quick to be killed"
    );
    fs::write(here.join("broken"), &torn[..torn.len() - 5]).unwrap();
    assert_eq!(
        succeed(here, "games.vf --samples broken --count 420"),
        unbroken
    );
    assert_eq!(bytes(here, "whole"), bytes(here, "broken"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_says_how_to_go_on() {
    let folder = with_games();
    let child = start_in(folder.path(), &["fit", "games.vf", "--samples", "kept"]);
    let begun = Instant::now();
    while !folder.path().join("kept.toml").exists() {
        assert!(begun.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(2));
    }
    let id = child.id().to_string();
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args(["-INT", &id]).status().unwrap().success());
    let (code, out, err) = told(child.wait_with_output().unwrap());
    assert_eq!(code, Some(130), "{err}");
    let message = "kept in kept; the same command goes on";
    assert!(out.is_empty() && err.contains(message), "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_fitted_is_kept_though_nobody_reads() {
    let folder = with_games();
    let here = folder.path();
    succeed(here, "games.vf --samples all --count 420 --out out.toml");
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = binary();
    command.args([
        "fit",
        "--samples",
        "all",
        "--count",
        "420",
        "--out",
        "full.toml",
    ]);
    command.current_dir(here).stdout(Stdio::from(full));
    let (code, _, err) = told(command.output().unwrap());
    assert_eq!(code, Some(1), "{err}");
    let message = "cannot write to standard output: No space left";
    assert!(err.contains(message), "{err}");
    assert_eq!(bytes(here, "full.toml"), bytes(here, "out.toml"));
}

/// From how many games samples come, as the report has it.
fn games_of(report: &str) -> u32 {
    let games = report.split(" samples of ").nth(1);
    let games = games.and_then(|rest| rest.split(' ').next()?.parse().ok());
    games.unwrap_or_else(|| panic!("{report}"))
}

#[test]
fn a_position_given_twice_is_one_game() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let files = ["P7", "1P6", "2P5", "3P4", "4P3", "5P2", "6P1", "7P"];
    let lines: Vec<_> = (1..=5)
        .flat_map(|empty| {
            files.map(|pawn| {
                let above = "/8".repeat(empty);
                let below = "8/".repeat(5 - empty);
                format!("k7{above}/{pawn}/{below}7K w - - id \"{empty}{pawn}\";\n")
            })
        })
        .collect();
    fs::write(here.join("once.epd"), lines.concat()).unwrap();
    fs::write(here.join("again.epd"), lines.concat().replace("id", "c0")).unwrap();
    let (code, out, err) = run(here, "once.epd again.epd");
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("note: 80 positions gave "), "{err}");
    assert!((30..=40).contains(&games_of(&out)), "{out}");
}

#[test]
fn positions_come_from_epd_and_pgn_too() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let games: Vec<String> = (0..12).map(|i| PGN.replace('x', &i.to_string())).collect();
    let pgn = format!("; made by hand\n\n{}\u{1a}", games.join("\n"));
    fs::write(here.join("games.pgn"), pgn).unwrap();
    fs::write(here.join("some.epd"), format!("{EPD}\u{1a}")).unwrap();
    let (code, out, err) = run(here, "games.pgn some.epd --per-game 3 --samples all");
    assert_eq!(code, Some(0), "{err}");
    // Twelve games with three positions each, and three lines.
    assert!(err.contains("note: 39 positions gave "), "{err}");
    let advice = "not 200000; more come of more positions or of larger --per-game and --per-search, \
                  into a new file of --samples\n";
    assert!(err.contains(advice), "{err}");
    // A line may have no node that is worth a sample.
    assert!((13..=15).contains(&games_of(&out)), "{out}");
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
    for (args, message) in [
        ("", "name positions to search from"),
        ("--samples none", "none holds no samples yet"),
        ("none.epd", "cannot read none.epd"),
        ("bad.epd", "bad.epd: line 6: "),
        ("bad.pgn", "\"a9\" is not exactly one legal move"),
        ("empty.epd", "empty.epd is empty"),
        ("over.epd", "no position with a legal move"),
        ("bad.vf", "bad.vf is no file of games"),
        ("folder", "cannot read folder"),
        ("good.epd --config defualt", "did you mean \"default\"?"),
        (
            "good.epd --config wrong.toml",
            "wrong.toml:2:1: unknown key extensions.recaptur",
        ),
        ("good.epd --out no/out.toml", "cannot write no/out.toml"),
        ("good.epd --out folder", "cannot write folder"),
        ("good.epd --samples no/samples", "cannot write no/samples"),
        (
            "good.epd --samples foreign",
            "foreign holds something, but foreign.toml is not there",
        ),
        ("--samples foreign", "foreign is no file of samples"),
        (
            "good.epd --samples ./good.epd",
            "--samples ./good.epd is the same file as the positions, good.epd, ",
        ),
        (
            "good.epd --out good.epd",
            "--out good.epd is the same file as the positions, good.epd, ",
        ),
        (
            "good.epd --samples new --out folder/../new",
            "--out folder/../new is the same file as --samples, new, ",
        ),
        (
            "good.epd --samples new --out new.toml",
            "--out new.toml is the same file as the recipe of --samples, new.toml, ",
        ),
        ("good.epd --per-game 1001", "is not in 1..=1000"),
        ("good.epd --per-search 0", "is not in 1..=1000"),
        (
            "good.epd --model both",
            "reductions are not learned any more: in 3,968 games",
        ),
        ("good.epd --model price", "the only model is prices"),
        (
            "good.epd --except extensions.phse",
            "extensions.phse: no key matches",
        ),
        // Two samples are too few to fit to, but are kept.
        (
            "good.epd --count 2 --samples two --out out.toml",
            "are too few",
        ),
        (
            "good.epd --count 9 --samples two --seed 5",
            "two was made in another way: seed was \"1\" and is now \"5\"",
        ),
        (
            "good.epd --samples two --config cyrus68k",
            "made in another way: config was ",
        ),
        (
            "over.epd --samples two",
            "made in another way: positions was ",
        ),
    ] {
        fails(here, args, message);
    }
    // Names may change, contents may not.
    fs::copy(here.join("good.epd"), here.join("copy.epd")).unwrap();
    fails(here, "copy.epd --count 2 --samples two", "are too few");
    let mut damaged = bytes(here, "two");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    fs::write(here.join("damaged"), &damaged).unwrap();
    fails(here, "--samples damaged", " is damaged");
    assert_eq!(bytes(here, "foreign"), b"something else\n");
    assert_eq!(bytes(here, "good.epd"), EPD.as_bytes());
}
