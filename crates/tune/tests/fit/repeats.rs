//! Fits that can be repeated.

use sextant_config::GapSource;

use crate::{bytes, load, quick, sections, succeed, util::play};

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
