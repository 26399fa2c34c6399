//! `fit`: fits that can be repeated and resumed, and mistakes that are explained.

use std::{fs, sync::OnceLock};

use sextant_config::{Config, GapSource, diff};

use crate::util::{Place, told};

/// Searches of next to no nodes.
const QUICK: &str = "--search-nodes 400 --label-nodes 300";

const PGN: &str = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n";
const EPD: &str = "\
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - id \"one\";
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -

# a comment
r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10
";

fn line(args: &str) -> String {
    format!("fit {QUICK} {args}")
}

/// A folder with sixty games.
fn with_games() -> Place {
    static GAMES: OnceLock<Vec<u8>> = OnceLock::new();
    let place = Place::new();
    let games = GAMES.get_or_init(|| place.play("games.vf", "--games 60"));
    place.write("games.vf", games);
    place
}

/// The prices before and after of a row of the report's table.
fn row(report: &str, name: &str) -> [f64; 2] {
    let mut lines = report.lines();
    let row = lines.find(|line| line.starts_with(&format!("{name} ")));
    let columns: Vec<_> = row.expect(name).split_whitespace().collect();
    [columns[4], columns[5]].map(|price| price.parse().unwrap())
}

#[test]
fn the_seed_decides_not_the_threads() {
    let place = with_games();
    let fit = |name: &str, more: &str| {
        let files = format!("games.vf --samples {name}.samples --out {name}.toml --count 400");
        place.succeed(&line(&format!("{files} {more}"))).0
    };
    let one = fit("one", "--seed 7");
    let three = fit("three", "--seed 7 --threads 3 --model prices");
    fit("other", "--seed 8");
    assert_eq!(one.replace("one.", "three."), three);
    for name in ["samples", "samples.toml", "toml"] {
        let of = |run: &str| place.read(&format!("{run}.{name}"));
        assert_eq!(of("one"), of("three"), "{name}");
    }
    assert_ne!(place.read("one.samples"), place.read("other.samples"));
    let written = place.config("one.toml");
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
        let args = "--samples one.samples --count 400 --seed 7 --out again.toml";
        place.succeed(&line(&format!("{args} {more}")));
        place.config("again.toml").extensions
    };
    assert_eq!(again(""), written.extensions);
    assert_eq!(again("--gap-source eval").gap_source, GapSource::Eval);
}

#[test]
fn kept_prices_are_reported_and_written() {
    let place = with_games();
    place.write(
        "base.toml",
        "extends = \"default\"\n[extensions]\nquiet_forward = 10.0\ncapture_winning = 6.0\nmate_threat \
         = 7.0\nphase = [1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 1.0]\n",
    );
    let samples = line("games.vf --config base.toml --samples all --count 420 --out out.toml");
    let except = "--except extensions.quiet_forward --except Extensions_Capture_Winning --except \
                  extensions.phase_0 --except extensions.gap_weight";
    let (report, _) = place.succeed(&format!("{samples} {except}"));
    assert_eq!(row(&report, "quiet_forward"), [10.0, 10.0]);
    assert_eq!(row(&report, "capture_winning"), [6.0, 6.0]);
    for part in [
        "gap_weight: 0 -> 0 ",
        "game phases, SX: [1.00, 0.50, 0.00",
        "] -> [1.00, ",
        "kept: extensions.quiet_forward, ",
    ] {
        assert!(report.contains(part), "no {part:?} in\n{report}");
    }
    let written = place.config("out.toml").extensions;
    assert_eq!((written.quiet_forward, written.capture_winning), (160, 96));
    assert_eq!(written.phase[0], 16);
    // Rare moves: which ones is up to the games; the report names them and their price stays.
    let (_, rare) = report.split_once("moves to train on are such: ").unwrap();
    let (rare, _) = rare.split_once('\n').unwrap();
    for named in rare.split(", ") {
        let [before, after] = row(&report, named.split(' ').next().unwrap());
        assert_eq!(before, after, "{report}");
    }

    place.refused(
        &format!("{samples} --except extensions.gap_source --gap-source eval"),
        "--except keeps extensions.gap_source = \"order\", and --gap-source asks for \"eval\"",
    );
    let dear = "extends = \"default\"\n[extensions]\nquiet_forward = 32.0\n";
    place.write("dear.toml", dear);
    place.refused(
        &line("--samples all --count 420 --config dear.toml --except extensions.*"),
        " SX on average whatever the others are, and not 8; keep fewer of them",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_interrupted_goes_on_and_what_was_fitted_is_kept() {
    let place = with_games();
    let fit =
        |count: u32, more: &str| line(&format!("games.vf --per-game 6 --count {count} {more}"));
    let (unbroken, _) = place.succeed(&fit(600, "--samples whole"));
    let ended = place.signal(&fit(100_000, "--samples broken"), "broken", "-INT");
    let (code, out, err) = told(ended);
    let message = "kept in broken; the same command goes on";
    assert_eq!((code, out.is_empty()), (Some(130), true), "{err}");
    assert!(err.contains(message), "{err}");
    // As a lost machine leaves it.
    let (whole, kept) = (place.read("whole"), place.read("broken"));
    assert!(
        kept.len() < whole.len(),
        "it was too quick to be interrupted"
    );
    place.write("broken", &kept[..kept.len() - 5]);
    let goes_on = fit(600, "--samples broken");
    assert_eq!(place.succeed(&goes_on).0, unbroken);
    assert_eq!(place.read("broken"), whole);

    // The config is written before the report, which may go to a full disk.
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = place.command(&format!("{goes_on} --out full.toml"));
    let (code, _, err) = told(command.stdout(full).output().unwrap());
    assert!(code == Some(1) && place.path("full.toml").exists(), "{err}");
}

#[test]
fn positions_come_from_epd_and_pgn_too() {
    let place = Place::new();
    let games: Vec<String> = (0..12).map(|i| PGN.replace('x', &i.to_string())).collect();
    let pgn = format!("; made by hand\n\n{}\u{1a}", games.join("\n"));
    place.write("games.pgn", pgn);
    place.write("some.epd", format!("{EPD}\u{1a}"));
    place.write("again.epd", EPD.replace("one", "two"));
    let (out, err) = place.succeed(&line(
        "games.pgn some.epd again.epd --per-game 3 --samples all",
    ));
    // Twelve games with three positions each, and three lines twice.
    let advice = "note: 42 positions gave ";
    assert!(err.contains(advice), "{err}");
    let advice = "not 200000; more come of more positions or of larger --per-game and --per-search, \
                  into a new file of --samples\n";
    assert!(err.contains(advice), "{err}");
    // A position given twice is one game. A line may have no node that is worth a sample.
    let games = out.split(" samples of ").nth(1).unwrap();
    let games: u32 = games.split(' ').next().unwrap().parse().unwrap();
    assert!((13..=15).contains(&games), "{out}");
}

#[test]
fn mistakes_are_named() {
    let place = Place::new();
    for (name, text) in [
        ("good.epd", EPD),
        ("copy.epd", EPD),
        ("bad.epd", &format!("{EPD}rubbish\n")),
        ("bad.pgn", &PGN.replace("a6", "a9")),
        ("empty.epd", "\n  \n"),
        ("over.epd", "7k/5Q2/6K1/8/8/8/8/8 b - -\n"),
        ("bad.vf", &"\x07".repeat(300)),
        ("foreign", "something else\n"),
    ] {
        place.write(name, text);
    }
    fs::create_dir(place.path("folder")).unwrap();
    for (args, message) in [
        ("", "name positions to search from"),
        ("--samples none", "none holds no samples yet"),
        ("bad.epd", "bad.epd: line 6: "),
        ("bad.pgn", "\"a9\" is not exactly one legal move"),
        ("empty.epd", "empty.epd is empty"),
        ("over.epd", "no position with a legal move"),
        ("bad.vf", "bad.vf is no file of games"),
        ("good.epd --out no/out.toml", "cannot write no/out.toml"),
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
        (
            "good.epd --model both",
            "reductions are not learned any more: in 3,968 games",
        ),
        ("good.epd --model price", "the only model is prices"),
        // Two samples are too few to fit to, but are kept.
        ("good.epd --count 2 --samples two", "are too few"),
        // Names may change, contents may not.
        ("copy.epd --count 2 --samples two", "are too few"),
        (
            "good.epd --count 9 --samples two --seed 5",
            "two was made in another way: seed was \"1\" and is now \"5\"",
        ),
        (
            "over.epd --samples two",
            "made in another way: positions was ",
        ),
    ] {
        place.refused(&line(args), message);
    }
    let mut damaged = place.read("two");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    place.write("damaged", &damaged);
    place.refused(&line("--samples damaged"), " is damaged");
    assert_eq!(place.read("foreign"), b"something else\n");
    assert_eq!(place.read("good.epd"), EPD.as_bytes());
}
