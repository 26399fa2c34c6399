//! `suite` from outside.

use crate::util::Place;

#[test]
fn a_suite_is_solved_and_two_configs_are_compared() {
    let place = Place::new();
    let text = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8+; id \"back rank\";\n\
                # a comment\n\n\
                7k/8/5K2/8/8/8/8/6R1 w - - bm #2;\n\
                6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Kd2; id \"avoid\";\n";
    let text = text.replace("avoid", "vermeiden: \u{fc}bel");
    // Latin-1: each letter is a byte.
    let latin: Vec<u8> = text.chars().map(|letter| u32::from(letter) as u8).collect();
    place.write("suite.epd", latin);
    let (out, _) = place.succeed("suite suite.epd --nodes 5000");
    let sums = "default: 3 of 3 solved; mates: 1 found, 1 best, 1 with the whole line\n";
    assert!(out.ends_with(sums), "{out}");
    assert!(out.contains("solved Ra8#     bm Ra8# "), "{out}");
    assert!(
        out.contains(" am Kd2 ") && out.contains(" mate in 2 "),
        "{out}"
    );
    assert!(out.contains("\nline 4 "), "the line of the file: {out}");
    let compared = "suite suite.epd --nodes 5000 --against cyrus68k --threads 2 --json";
    let report: serde_json::Value = serde_json::from_str(&place.succeed(compared).0).unwrap();
    assert_eq!(report["runs"].as_array().unwrap().len(), 2);
    assert_eq!(report["runs"][0]["totals"]["solved"], 3);
    assert!(report["mcnemar"]["p"].as_f64().unwrap() > 0.0);
    let (out, _) = place.succeed("suite suite.epd --depth 3 --against integer-ply");
    assert!(out.contains("McNemar: only default "), "{out}");

    place.write("nonsense.epd", "nonsense\n");
    for (line, message) in [
        ("nonsense.epd", "nonsense.epd:1:"),
        ("none.epd", "none.epd"),
        ("suite.epd --set search.irr=false", "unknown key"),
    ] {
        place.refused(&format!("suite {line}"), message);
    }
}
