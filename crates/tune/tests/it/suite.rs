//! `suite` from outside.

use crate::util::run;

fn works(args: &[&str]) -> String {
    let (code, out, err) = run(args);
    assert_eq!(code, Some(0), "{args:?}: {err}");
    out
}

fn fails(args: &[&str], word: &str) {
    let (code, out, err) = run(args);
    assert_eq!(code, Some(2), "{args:?}");
    assert!(out.is_empty() && err.contains(word), "{args:?}: {err}");
}

#[test]
fn a_suite_is_solved_and_two_configs_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.epd");
    let text = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8+; id \"back rank\";\n\
                # a comment\n\n\
                7k/8/5K2/8/8/8/8/6R1 w - - bm #2;\n\
                6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Kd2; id \"avoid\";\n";
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let out = works(&["suite", path, "--nodes", "5000"]);
    assert!(
        out.contains("default: 3 of 3 solved; mates: 1 found, 1 best, 1 with the whole line"),
        "{out}"
    );
    assert!(out.contains("\nline 4 "), "the line of the file: {out}");
    let out = works(&[
        "suite",
        path,
        "--nodes",
        "5000",
        "--against",
        "cyrus68k",
        "--threads",
        "2",
        "--json",
    ]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["runs"].as_array().unwrap().len(), 2);
    assert_eq!(report["runs"][0]["totals"]["solved"], 3);
    assert!(report["mcnemar"]["p"].as_f64().unwrap() > 0.0);
    let out = works(&["suite", path, "--depth", "3", "--against", "integer-ply"]);
    assert!(out.contains("McNemar: only default "), "{out}");
    std::fs::write(path, "nonsense\n").unwrap();
    fails(&["suite", path], "suite.epd:1:");
    fails(&["suite", "/nonexistent.epd"], "/nonexistent.epd");
    fails(&["suite", path, "--set", "search.irr=false"], "unknown key");
}
