//! The command line: every subcommand ends well, and mistakes end with a word and a status.

use crate::util::run;

const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn works(args: &[&str]) -> String {
    let (status, out, err) = run(args);
    assert!(status.success(), "{args:?}: {err}");
    out
}

fn fails(args: &[&str], word: &str) {
    let (status, _, err) = run(args);
    assert_eq!(status.code(), Some(2), "{args:?}");
    assert!(err.contains(word), "{args:?}: {err}");
}

#[test]
fn the_benchmark_ends_with_the_line_that_tools_read() {
    let nodes = |args: &[&str]| -> u64 {
        let out = works(args);
        let line = out.lines().last().unwrap().to_owned();
        let words: Vec<_> = line.split(' ').collect();
        assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{line}");
        assert!(words[2].parse::<u64>().is_ok(), "{line}");
        words[0].parse().unwrap()
    };
    let signature = nodes(&["bench", "16", "1", "5"]);
    assert_eq!(
        signature,
        nodes(&["bench", "16", "1", "5"]),
        "the same every time"
    );
    assert_eq!(
        signature,
        nodes(&["--option", "Threads=4", "bench", "16", "1", "5"]),
        "always one thread"
    );
    assert_ne!(
        signature,
        nodes(&["--config", "cyrus68k", "bench", "16", "1", "5"]),
        "another search"
    );
}

#[test]
fn uci_commands_can_be_arguments() {
    assert!(works(&["uci"]).ends_with("uciok\n"));
    assert!(works(&["go", "depth", "3"]).contains("\nbestmove "));
    let out = works(&["position startpos moves e2e4", "go nodes 100", "d", "quit"]);
    assert!(
        out.contains("bestmove ") && out.contains("4P3/8/PPPP1PPP/RNBQKBNR b"),
        "{out}"
    );
    assert!(works(&["isready"]).contains("readyok"));
    assert!(works(&["d"]).contains("Fen: "));
    assert!(works(&["go", "perft", "3"]).contains("Nodes searched: 8902"));
    fails(&["xyzzy"], "unknown command");
}

#[test]
fn openings_for_data_generation_depend_on_the_seed_alone() {
    let fens = |seed: &str| works(&[&format!("genfens 4 seed {seed} book None extra"), "quit"]);
    let found = fens("42");
    assert_eq!(found.lines().count(), 4);
    assert!(
        found
            .lines()
            .all(|line| line.starts_with("info string genfens ")),
        "{found}"
    );
    assert_eq!(found, fens("42"));
    assert_ne!(found, fens("43"));
    fails(&["genfens x", "quit"], "genfens N seed S");
}

#[test]
fn perft_eval_and_compiler_answer() {
    assert!(works(&["perft", "3"]).contains("Nodes searched: 8902"));
    assert!(works(&["perft", "2", FEN]).contains("Nodes searched: 2039"));
    assert!(works(&["perft", "0"]).contains("Nodes searched: 1"));
    assert!(works(&["eval"]).contains("Static evaluation: "));
    assert!(works(&["eval", FEN]).contains("Static evaluation: "));
    assert!(works(&["compiler"]).contains("Target: "));
    assert!(works(&["speedtest", "1"]).trim_end().ends_with("nps"));
    assert!(works(&["--version"]).starts_with("sextant "));
    assert!(works(&["--help"]).contains("analyse"));
    fails(&["perft", "3", "8/8/8/8/8/8/8/8 w - - 0 1"], "king");
    fails(&["perft", "x"], "x");
    fails(&["eval", "nonsense"], "fields");
}

#[test]
fn an_analysis_is_for_people_or_for_programs() {
    let out = works(&["analyse", FEN, "--depth", "5"]);
    assert!(
        out.contains("Fen: ") && out.contains("Best move: "),
        "{out}"
    );
    let out = works(&["analyse", FEN, "--depth", "5", "--multipv", "3", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["lines"].as_array().unwrap().len(), 3);
    assert_eq!(report["lines"][0]["pv"][0], report["bestmove"]);
    let out = works(&["analyse", "startpos", "--nodes", "2000", "--stats"]);
    assert!(
        out.contains("table hits") && out.contains("Iteration"),
        "{out}"
    );
    let out = works(&[
        "analyse", "startpos", "--nodes", "2000", "--stats", "--json",
    ]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(report["stats"]["events"]["table hits"].as_u64().is_some());
    fails(&["analyse", "nonsense"], "fields");
    fails(&["analyse", FEN, "--depth", "0"], "0");
}

#[test]
fn the_costs_of_the_root_moves_are_explained() {
    let out = works(&[
        "analyse",
        FEN,
        "--depth",
        "6",
        "--explain",
        "--json",
        "--config",
        "cyrus68k",
    ]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let costs = report["explain"].as_array().unwrap();
    assert_eq!(costs.len(), 48, "every root move");
    for cost in costs {
        let price = cost["weight"].as_f64().unwrap() + cost["other_terms"].as_f64().unwrap();
        assert_eq!(cost["price"].as_f64().unwrap(), price);
    }
    let out = works(&["analyse", FEN, "--depth", "6", "--explain"]);
    assert!(out.contains("category") && out.contains("first"), "{out}");
}

#[test]
fn the_root_bonuses_are_shown() {
    let args = [
        "analyse",
        "startpos",
        "--depth",
        "3",
        "--bonus",
        "--option",
        "Root_Bonus_Development=50",
    ];
    let out = works(&args);
    assert!(
        out.contains("Nf3 +50 cp") && out.contains("a3 +0 cp"),
        "{out}"
    );
}

#[test]
fn games_and_suites_are_the_work_of_sextant_tune() {
    fails(
        &["match", "a", "b", "--sprt", "0", "5"],
        "use `sextant-tune match a b --sprt 0 5`",
    );
    fails(&["suite", "wac.epd"], "use `sextant-tune suite wac.epd`");
}

#[test]
fn configs_are_shown_compared_and_checked() {
    assert!(works(&["config", "dump"]).contains("[extensions]"));
    assert!(works(&["config", "dump", "--config", "cyrus68k"]).contains("coupling = 1.0"));
    assert!(works(&["config", "dump", "-o", "Hash=77"]).contains("hash = 77"));
    assert!(works(&["config", "show", "extensions.recapture"]).contains("allowed"));
    assert!(works(&["config", "show", "time"]).contains("time."));
    assert!(works(&["config", "list"]).contains("cyrus68k"));
    assert!(works(&["config", "diff", "default", "bebe"]).contains("iteration_step"));
    assert!(works(&["config", "verify", "default", "bebe"]).contains("valid"));
    assert!(works(&["config", "reference"]).contains("# Configuration reference"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.toml");
    std::fs::write(&path, "[extensions]\nrecaptur = 5.0\nfirst = 99.0\n").unwrap();
    let path = path.to_str().unwrap();
    fails(&["config", "verify", path], "extensions.recapture");
    let missing = folder.path().join("missing.toml");
    std::fs::write(&missing, "[eval]\nfile = \"no.nnue\"\n").unwrap();
    fails(&["config", "verify", missing.to_str().unwrap()], "no.nnue");
    fails(&["config", "show", "nonsense"], "nonsense");
    fails(&["--config", path, "bench", "1"], "recaptur");
    fails(&["--config", "nonsense", "bench", "1"], "presets");
    fails(&["--option", "Hash", "bench", "1"], "NAME=VALUE");
    fails(&["--option", "Hash=x", "bench", "1"], "Hash");
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_written_is_a_failure() {
    for words in [
        "config dump",
        "perft 2",
        "eval",
        "compiler",
        "bench 16 1 1",
        "d",
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let ran = crate::util::binary()
            .args(words.split(' '))
            .stdout(full.unwrap())
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(1), "{words}");
        assert!(
            err.contains("cannot write to standard output: "),
            "{words}: {err}"
        );
    }
}

#[test]
fn a_uci_command_that_fails_ends_the_program() {
    fails(
        &["genfens 2 seed 3 book missing.epd", "quit"],
        "missing.epd",
    );
    fails(
        &["setoption name ConfigFile value nope.toml", "go depth 1"],
        "nope.toml",
    );
    fails(
        &["position fen rubbish", "go depth 1"],
        "the FEN has 1 fields",
    );
}
