//! The command line: every subcommand ends well, and mistakes end with a word and a status.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, thread,
};

use serde_json::Value;

use crate::util::{KIWIPETE, binary, cases, run, works};

/// The arguments of a line; one in quotation marks may hold blanks, and `FEN` is a position.
fn arguments(line: &str) -> Vec<&str> {
    let quoted = [false, true].into_iter().cycle();
    let parts = line.split('"').zip(quoted);
    let arguments = parts.flat_map(|(part, is_quoted)| match is_quoted {
        true => vec![part],
        false => part.split_whitespace().collect(),
    });
    arguments
        .map(|word| if word == "FEN" { KIWIPETE } else { word })
        .collect()
}

#[test]
fn the_benchmark_ends_with_the_line_that_tools_read() {
    let nodes = |args: &[&str]| -> u64 {
        let out = works(args);
        let words: Vec<_> = out.lines().last().unwrap().split(' ').collect();
        let [nodes, "nodes", nps, "nps"] = words[..] else {
            panic!("{words:?}");
        };
        assert!(nps.parse::<u64>().unwrap() > 0);
        nodes.parse().unwrap()
    };
    let signature = nodes(&["bench", "16", "1", "5"]);
    assert!(signature > 0);
    // The same in several processes at the same time, with one thread whatever is set.
    thread::scope(|scope| {
        for _ in 0..3 {
            let bench = ["--option", "Threads=4", "bench", "16", "1", "5"];
            scope.spawn(move || assert_eq!(nodes(&bench), signature));
        }
    });
    for other in [
        ["--config", "cyrus68k"],
        ["--option", "Pruning_Rfp_Margin=20"],
    ] {
        let args = [&other[..], &["bench", "16", "1", "5"]].concat();
        assert_ne!(nodes(&args), signature, "{other:?}");
    }
}

#[test]
fn every_subcommand_answers() {
    for (line, text) in cases(
        r#"uci                     => uciok
           --tune uci              => option name Pruning_Rfp_Margin type spin
           isready                 => readyok
           go depth 3              => bestmove
           "position startpos moves e2e4" "go nodes 100" d quit => 4P3/8/PPPP1PPP/RNBQKBNR b
           go perft 3              => Nodes searched: 8902
           perft 3                 => Nodes searched: 8902
           perft 2 FEN             => Nodes searched: 2039
           perft 1 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - => Nodes searched: 14
           eval 8/8/8/8/8/2k5/8/K6R b - -               => Static evaluation:
           completions bash        => complete -F _sextant
           completions powershell  => Register-ArgumentCompleter
           perft 0                 => Nodes searched: 1
           eval                    => Static evaluation:
           eval FEN                => Static evaluation:
           compiler                => Target:
           speedtest 1             => nps
           --version               => sextant
           --help                  => analyse
           analyse FEN --depth 5   => Best move:
           analyze startpos --nodes 2000 --stats => Iteration   1:
           analyse FEN --depth 6 --explain       => move         category  weight
           analyse startpos --depth 3 --bonus -o Root_Bonus_Development=50 => Nf3 +50 cp
           config dump                           => [extensions]
           config dump --config cyrus68k         => coupling = 1.0
           config dump -o Hash=77                => hash = 77
           config show extensions.recapture      => allowed
           config show time                      => time.
           // Positions and limits as people type them.
           analyze 7k/8/5K2/8/8/8/8/6R1 w - - --depth 8  => Best move: Kf7   mate 2 at depth 8
           analyze startpos --nodes 2k --uci --threads 2 --hash 4 => Best move:
           analyze startpos --movetime 0.05s             => White to move.
           config list                           => cyrus68k
           config diff default bebe              => iteration_step
           config verify default bebe            => valid
           config reference                      => # Configuration reference"#,
    ) {
        let out = works(&arguments(line));
        assert!(out.contains(text), "{line}: no {text:?} in {out}");
    }
    let divided = works(&["perft", "2", KIWIPETE]);
    let divided = divided.lines().filter(|line| line.contains(": "));
    assert_eq!(divided.count(), 48 + 1);
}

#[test]
fn mistakes_end_with_a_word_and_a_status() {
    let folder = tempfile::tempdir().unwrap();
    let config = |name, text| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let bad = config("bad.toml", "[extensions]\nrecaptur = 5.0\nfirst = 99.0\n");
    let missing = config("missing.toml", "[eval]\nfile = \"no.nnue\"\n");
    for (line, text) in cases(&format!(
        r#"xyzzy                         => unknown command
           analyz startpos               => did you mean `analyze`?
           ucinewgme                     => did you mean `ucinewgame`?
           analyze nonsense              => allowed are startpos, a FEN, - for standard input
           analyze startpos --nodes 5x   => write 1 or more, such as
           analyze startpos --movetime x => write 500 (milliseconds), 2s, 1m30 or 1h
           perft 3 "8/8/8/8/8/8/8/8 w - - 0 1" => king
           perft x                       => x
           eval nonsense                 => fields
           analyse FEN --depth 0         => 0
           match a b --sprt 0 5          => use `sextant-tune match a b --sprt 0 5`
           suite wac.epd                 => use `sextant-tune suite wac.epd`
           config verify {bad}           => extensions.recapture
           config verify {missing}       => no.nnue
           config show nonsense          => nonsense
           --config {bad} bench 1        => recaptur
           --config nonsense bench 1     => presets
           --option Hash bench 1         => NAME=VALUE
           --option Hash=x bench 1       => Hash
           -o Root_Bonus_Underpromotion=5 bench 1 => is gone: write underpromoting
           // A UCI command that fails ends the program.
           "genfens 2 seed 3 book missing.epd" quit                => missing.epd
           "setoption name ConfigFile value nope.toml" "go depth 1" => nope.toml
           "position fen rubbish" "go depth 1"                     => the FEN has 1 fields"#
    )) {
        let (code, _, err) = run(&arguments(line));
        assert_eq!(code, Some(2), "{line}");
        assert!(err.contains(text), "{line}: {err}");
    }
}

#[test]
fn a_position_comes_from_a_file_or_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my game.pgn");
    fs::write(&path, "[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 *\n").unwrap();
    let name = path.to_str().unwrap();
    let out = works(&["analyze", name, "--depth", "3"]);
    let note =
        format!("The last position of A - B; for every move of it: sextant annotate \"{name}\"");
    assert!(
        out.starts_with(&note) && out.contains("Best move: Qh4#"),
        "{out}"
    );
    assert!(!out.contains("Key:") && !out.contains('\x1b'), "{out}");

    let mut command = binary();
    command.args(["analyze", "-", "--depth", "3"]);
    command.stdin(fs::File::open(&path).unwrap());
    let out = command.output().unwrap();
    let out = String::from_utf8(out.stdout).unwrap();
    assert!(out.contains("Best move: Qh4#"), "{out}");
}

#[test]
fn a_count_for_people_is_no_uci() {
    assert!(!works(&["perft", "3"]).contains("info string"));
    assert!(works(&["go", "perft", "3"]).contains("info string"));
}

#[test]
fn man_pages_are_written() {
    let folder = tempfile::tempdir().unwrap();
    works(&["man", folder.path().join("man").to_str().unwrap()]);
    let page = fs::read_to_string(folder.path().join("man/sextant-analyse.1")).unwrap();
    assert!(
        page.contains(".TH sextant-analyse 1") && page.contains("Examples"),
        "{page}"
    );
}

#[test]
fn an_analysis_for_programs_is_json() {
    let json = |args: &[&str]| -> Value {
        let args = [&["analyse", KIWIPETE, "--depth", "6", "--json"], args].concat();
        serde_json::from_str(&works(&args)).unwrap()
    };
    let report = json(&["--multipv", "3", "--stats"]);
    assert_eq!(report["lines"].as_array().unwrap().len(), 3);
    assert_eq!(report["lines"][0]["pv"][0], report["bestmove"]);
    assert_eq!(report["fen"], KIWIPETE);
    assert!(report["nodes"].as_u64() > Some(0) && report["nps"].as_u64() > Some(0));
    assert!(report["stats"]["events"]["table hits"].as_u64().is_some());
    let report = json(&["--explain", "--config", "cyrus68k"]);
    let costs = report["explain"].as_array().unwrap();
    assert_eq!(costs.len(), 48, "every root move");
    for cost in costs {
        let price = cost["weight"].as_f64().unwrap() + cost["other_terms"].as_f64().unwrap();
        assert_eq!(cost["price"].as_f64().unwrap(), price);
    }
}

/// By default moves of different kinds cost different amounts.
#[test]
fn the_explanation_shows_what_kinds_of_moves_cost() {
    let fen = "r1b1k1nr/pp3pQp/4pq2/3pn3/8/P1P5/2P2PPP/R1B1KBNR w KQkq - 0 1";
    let text = works(&["analyse", fen, "--depth", "8", "--explain", "--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let costs = report["explain"].as_array().unwrap();
    let price = |cost: &Value| cost["price"].as_f64().unwrap().to_string();
    let kinds: BTreeMap<&str, String> = costs
        .iter()
        .map(|cost| (cost["category"].as_str().unwrap(), price(cost)))
        .collect();
    let prices: BTreeSet<&String> = kinds.values().collect();
    assert!(prices.len() >= 4, "{kinds:?}");
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
        let full = fs::File::options().write(true).open("/dev/full");
        let mut command = binary();
        let ran = command
            .args(words.split(' '))
            .stdout(full.unwrap())
            .output();
        let ran = ran.unwrap();
        let err = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(1), "{words}");
        assert!(
            err.contains("cannot write to standard output: "),
            "{words}: {err}"
        );
    }
}

#[cfg(unix)]
#[test]
fn names_of_configs_may_be_in_any_encoding() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join(OsStr::from_bytes(b"c\xFF.toml"));
    fs::write(&config, "extensions.recapture = 5\n").unwrap();
    for words in ["config verify", "config diff default", "eval --config"] {
        let ran = binary()
            .args(words.split(' '))
            .arg(&config)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{words}: {ran:?}");
    }
}

/// A full disk is no wrong use.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_written_is_a_failure() {
    for words in [
        "export_net /dev/full",
        "analyse startpos --depth 2 --tree /dev/full",
    ] {
        let words: Vec<_> = words.split(' ').collect();
        let (code, _, err) = run(&words);
        assert!(
            code == Some(1) && err.contains("/dev/full"),
            "{words:?}: {err}"
        );
    }
    let (code, _, err) = run(&["export_net", "/none/net.nnue"]);
    assert!(code == Some(2) && err.contains("/none"), "{err}");
}

#[test]
fn without_a_network_the_engine_says_how_to_get_one() {
    let (code, out, err) = run(&["eval", "-o", "Eval_Kind=nnue"]);
    match sextant_eval::nnue::Network::embedded() {
        Ok(_) => assert!(out.contains("without each man"), "{out}"),
        Err(_) => assert!(code == Some(2) && err.contains("EvalFile"), "{err}"),
    }
}
