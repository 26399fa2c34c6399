//! What the report says is what was written.

use std::{fs, path::Path};

use serde_json::{Value, json};
use sextant_config::Config;

use crate::{fails, load, quick, succeed, util::play};

/// The report that lies in a folder.
fn report(here: &Path, name: &str) -> Value {
    let text = fs::read_to_string(here.join(name).join("report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// A column of the table of categories.
fn column<'a>(report: &'a Value, name: &str) -> Vec<&'a Value> {
    let rows = report["prices"]["categories"].as_array().unwrap();
    rows.iter().map(|row| &row[name]).collect()
}

#[test]
fn what_the_report_says_of_kept_prices_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "games.vf", "60", &[]);
    fs::write(
        here.join("base.toml"),
        "extends = \"default\"\n[extensions]\nquiet_forward = 10.0\ncapture_winning = 6.0\nphase = [1.0, \
         0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 1.0]\n",
    )
    .unwrap();
    let args = ["games.vf", "--samples", "all", "--count", "420"];
    let prices = ["--model", "prices", "--config", "base.toml"];
    let kept = [
        "--except",
        "extensions.quiet_forward",
        "--except",
        "Extensions_Capture_Winning",
        "--except",
        "extensions.phase_0",
        "--except",
        "extensions.gap_weight",
        "--out",
        "kept.toml",
        "--report",
        "kept",
    ];
    succeed(here, &quick(&[&args[..], &prices, &kept].concat()));
    let again = ["--samples", "all", "--count", "420", "--bootstrap", "100"];
    let prices = ["--model", "prices", "--config", "kept.toml"];
    succeed(
        here,
        &[&again[..], &prices, &["--report", "again"]].concat(),
    );

    let (then, now) = (report(here, "kept"), report(here, "again"));
    assert_eq!(column(&then, "after"), column(&now, "before"));
    assert_ne!(column(&then, "before"), column(&then, "after"));
    assert_eq!(then["prices"]["mean"][1], now["prices"]["mean"][0]);
    assert_eq!(then["prices"]["phases"][1], now["prices"]["phases"][0]);
    assert_eq!(then["prices"]["phases"][1][0], 1.0);
    let gap = then["prices"]["gap"]["name"].as_str().unwrap();
    assert_eq!(gap, "gap_weight 0 -> 0");
    let written = load(here, "kept.toml").extensions;
    assert_eq!(written.quiet_forward, 160);
    assert_eq!(written.capture_winning, 96);
    // Which categories no move belongs to is up to the games; these say so.
    let names = column(&then, "name").into_iter();
    let unseen: Vec<_> = names
        .zip(column(&then, "applies"))
        .filter(|(_, applies)| **applies == 0)
        .map(|(name, _)| name.as_str().unwrap())
        .collect();
    let text = fs::read_to_string(here.join("kept/report.txt")).unwrap();
    let told = format!("teach was {}: prices kept\n", unseen.join(", "));
    assert_eq!(text.contains(&told), !unseen.is_empty(), "{text}");
    let written = column(&then, "after").into_iter();
    let rows = written
        .zip(column(&then, "before"))
        .zip(column(&then, "applies"));
    for ((after, before), applies) in rows {
        assert!(*applies != 0 || after == before, "{text}");
    }
}

#[test]
fn the_report_says_what_was_fitted_in_plain_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "games.vf", "60", &[]);
    let more = [
        "games.vf",
        "--samples",
        "all",
        "--count",
        "420",
        "--seed",
        "3",
        "--except",
        "extensions.phase_3",
        "--except",
        "reductions.pv",
        "--out",
        "new.toml",
        "--report",
        "report",
    ];
    succeed(here, &quick(&more));
    let report = report(here, "report");
    let hash = |config: Config| format!("{:016x}", config.hash());
    let fit = json!({
        "config": "default",
        "config_hash": hash(Config::default()),
        "fitted_hash": hash(load(here, "new.toml")),
        "model": "both",
        "gap_source": "order",
        "split_seed": 3,
        "bootstrap": 100,
        "except": ["extensions.phase_3", "reductions.pv"],
    });
    assert_eq!(report["fit"], fit);
    let read = |name: &str| fs::read_to_string(here.join("report").join(name)).unwrap();
    let text = read("report.txt");
    assert!(text.starts_with("fitted: default (hash "), "{text}");
    assert!(
        text.contains("kept: extensions.phase_3, reductions.pv\n"),
        "{text}"
    );
    // A zero has no sign, and the share of a category is in the table.
    let csv = read("categories.csv") + &read("prices-rivals.csv") + &read("reductions-rivals.csv");
    let numbers = |text: &str| {
        let words = text.split(|c: char| c.is_whitespace() || "[],".contains(c));
        let zeros = words.filter(|word| word.starts_with('-') && word.parse() == Ok(0.0));
        zeros.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(
        numbers(&text).is_empty() && numbers(&csv).is_empty(),
        "{text}"
    );
    assert!(csv.starts_with("category,applies,counts,best,utility,error,bits,percent,"));
    for row in report["prices"]["categories"].as_array().unwrap() {
        let Some(bits) = row["bits"].as_f64() else {
            continue;
        };
        let line = text
            .lines()
            .find(|line| line.split(' ').next() == row["name"].as_str());
        let percent = format!(" {:.2}% ", 100.0 * (-bits).exp2().min(1.0));
        assert!(line.is_some_and(|line| line.contains(&percent)), "{text}");
    }
}

#[test]
fn contradictions_about_kept_prices_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "games.vf", "60", &[]);
    let args = ["games.vf", "--samples", "all", "--count", "420"];
    let with = |more: &[&'static str]| quick(&[&args[..], &["--out", "out.toml"], more].concat());
    fails(
        here,
        &with(&["--except", "extensions.gap_source", "--gap-source", "eval"]),
        "--except keeps extensions.gap_source = \"order\", and --gap-source asks for \"eval\"",
    );
    let dear = "extends = \"default\"\n[extensions]\nquiet_forward = 32.0\n";
    fs::write(here.join("dear.toml"), dear).unwrap();
    fails(
        here,
        &with(&["--config", "dear.toml", "--except", "extensions.*"]),
        " SX on average whatever the others are, and not 8; keep fewer of them",
    );
}

#[test]
fn reductions_are_learned_from_late_moves_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "games.vf", "60", &[]);
    let args = ["games.vf", "--samples", "all", "--count", "420"];
    succeed(here, &quick(&[&args[..], &["--model", "prices"]].concat()));
    let write = |name: &str, line: &str| {
        let text = format!("extends = \"default\"\n[reductions]\n{line}\n");
        fs::write(here.join(name), text).unwrap();
    };
    write("off.toml", "enabled = false");
    write("none.toml", "min_depth = 16");
    let with = |config: &'static str| {
        let samples = ["--samples", "all", "--count", "420", "--bootstrap", "100"];
        [&samples[..], &["--config", config]].concat()
    };
    let told = succeed(here, &with("off.toml"));
    assert!(
        told.contains("[reductions] enabled = false in the config"),
        "{told}"
    );
    assert!(!succeed(here, &with("default")).contains("enabled = false"));
    fails(
        here,
        &[&with("none.toml")[..], &["--out", "out.toml"]].concat(),
        "the samples to learn from hold 0 late moves that none.toml reduces, and none",
    );
}
