//! Mistakes that are explained.

use std::fs;

use crate::{EPD, PGN, bytes, fails, quick};

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
    let fails = |args: &[&str], word: &str| fails(here, args, word);
    fails(&[], "name positions to search from");
    fails(&["--samples", "none"], "none holds no samples yet");
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
    for (args, words) in [
        (
            ["good.epd", "--samples", "./good.epd"],
            "--samples ./good.epd",
        ),
        (["good.epd", "--out", "good.epd"], "--out good.epd"),
    ] {
        let told = format!("{words} is the same file as the positions, good.epd, ");
        fails(&args, &told);
    }
    fails(
        &["good.epd", "--samples", "new", "--out", "folder/../new"],
        "--out folder/../new is the same file as --samples, new, ",
    );
    for number in ["0", "1001", "18446744073709551615"] {
        for option in ["--per-search", "--per-game"] {
            fails(&["good.epd", option, number], "is not in 1..=1000");
        }
    }
    assert_eq!(bytes(here, "good.epd"), EPD.as_bytes());
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
        "samples that were made otherwise: --seed (now 5, there 1)",
    );
    fails(
        &quick(&["good.epd", "--samples", "two", "--config", "cyrus68k"]),
        "samples that were made otherwise: --config (now cyrus68k, there default)",
    );
    fails(
        &quick(&["over.epd", "--samples", "two"]),
        "samples that were made otherwise: the positions (now over.epd, there good.epd)",
    );
    let mut damaged = bytes(here, "two");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    fs::write(here.join("damaged"), &damaged).unwrap();
    fails(&["--samples", "damaged"], " is damaged");
    assert_eq!(bytes(here, "foreign"), b"something else\n");
}
