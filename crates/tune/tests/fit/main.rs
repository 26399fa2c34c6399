//! `fit` from outside: fits that can be repeated, killed and gone on with, and mistakes that are
//! explained.

mod ends;
mod inputs;
mod mistakes;
mod repeats;
mod report;
#[path = "../util/mod.rs"]
mod util;

use std::{fs, path::Path, process::Child, time::Duration};

use sextant_config::{Config, diff};
use util::{run_in, start_in};

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

const PGN: &str = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n";
const EPD: &str = "\
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - id \"one\";
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -

# a comment
r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10
";

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

/// Fails for a wrong argument, with `word` among its words, and writes no `out.toml`.
fn fails(folder: &Path, args: &[&str], word: &str) {
    let (code, out, err) = run(folder, args);
    assert_eq!(code, Some(2), "{args:?}: {err}");
    assert!(
        out.is_empty() && err.contains(word),
        "no {word:?} for {args:?}: {err}"
    );
    assert!(!folder.join("out.toml").exists(), "{args:?}");
}

/// The arguments with those of a quick fit behind.
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
