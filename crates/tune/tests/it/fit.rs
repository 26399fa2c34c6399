//! `fit`: fits that can be repeated and resumed, and mistakes that are explained.

use std::{fs, sync::OnceLock};

use sextant_config::{Config, GapSource, diff};

use crate::util::{Place, told};

/// Searches of next to no nodes.
const QUICK: &str = "--search-nodes 400 --label-nodes 300";

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
    let three = fit("three", "--seed 7 --threads 3");
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
    let prices = [&Config::default(), &written].map(|config| config.extensions.capture_winning);
    assert_eq!(
        row(&one, "capture_winning"),
        prices.map(|price| f64::from(price) / 16.0)
    );
    let sections = diff(&Config::default(), &written);
    assert!(sections.iter().all(|one| one.spec.section == "extensions"));

    // What was searched once is not searched again.
    let again = |more: &str| {
        let args = "--samples one.samples --count 400 --seed 7 --out again.toml";
        place.succeed(&line(&format!("{args} {more}")));
        place.config("again.toml").extensions
    };
    assert_eq!(again(""), written.extensions);
    let by_eval = "extends = \"default\"\n[extensions]\ngap_source = \"eval\"\n";
    place.write("eval.toml", by_eval);
    let learned = again("--config eval.toml");
    assert_eq!(learned.gap_source, GapSource::Eval);
    assert_ne!(learned.gap_weight, written.extensions.gap_weight);
}

#[test]
fn prices_by_the_worth_of_depth_are_their_own() {
    let place = with_games();
    let fit = |name: &str, more: &str| {
        let args = format!("games.vf --samples {name} --count 300 {more}");
        place.succeed(&line(&args)).0
    };
    let (worth, best) = (fit("worth", "--label worth"), fit("best", ""));
    assert_eq!(worth, fit("again", "--label worth --threads 3"));
    assert_eq!(place.read("worth"), place.read("again"));
    assert_ne!(row(&worth, "first"), row(&best, "first"));
    // One file takes samples of one kind.
    place.refused(
        &line("games.vf --samples worth --count 500"),
        "worth was made in another way: label was ",
    );
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
}

#[test]
fn mistakes_are_named() {
    let place = with_games();
    place.write("copy.vf", place.read("games.vf"));
    place.write("bad.vf", "\x07".repeat(300));
    place.write("foreign", "something else\n");
    fs::create_dir(place.path("folder")).unwrap();
    for (args, message) in [
        ("", "--samples <FILE>"),
        ("--samples none", "none holds no samples yet"),
        ("bad.vf --samples new", "bad.vf is no file of games"),
        (
            "games.vf --samples new --out no/out.toml",
            "cannot write no/out.toml",
        ),
        (
            "games.vf --samples foreign",
            "foreign holds something, but foreign.toml is not there",
        ),
        ("--samples foreign", "foreign is no file of samples"),
        (
            "games.vf --samples new --out ./games.vf",
            "the same file as games.vf, ",
        ),
        (
            "games.vf --samples new --out folder/../new",
            "the same file as new, ",
        ),
        (
            "games.vf --samples new --out new.toml",
            "the same file as new.toml, ",
        ),
        // Two samples are too few to fit to, but are kept.
        ("games.vf --count 2 --samples two", "are too few"),
        // Names may change, contents may not.
        ("copy.vf --count 2 --samples two", "are too few"),
        (
            "games.vf --count 9 --samples two --seed 5",
            "two was made in another way: seed was \"1\" and is now \"5\"",
        ),
        (
            "copy.vf copy.vf --samples two",
            "made in another way: games was ",
        ),
    ] {
        place.refused(&line(args), message);
    }
    let mut damaged = place.read("two");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    place.write("damaged", &damaged);
    place.refused(&line("--samples damaged"), "line 1 is damaged");
    assert_eq!(place.read("foreign"), b"something else\n");
}
