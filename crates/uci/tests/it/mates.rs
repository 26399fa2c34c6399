//! Mates through the real binary: how they are announced, and `go mate`.

use crate::util::{
    Engine,
    game::{Game, check_lines},
    infos, number,
};
use sextant_board::parse_fen;

#[test]
fn mates_are_announced_with_their_whole_line() {
    let mut engine = Engine::start();
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2),
        ("8/8/8/8/8/6k1/7q/7K w - - 0 1", 0),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1),
    ] {
        engine.send(&format!("position fen {fen}"));
        let answer = engine.go("depth 8");
        let found = infos(&answer).last().unwrap().to_string();
        assert_eq!(number(&found, "mate"), mate, "{found}");
        if mate != 0 {
            check_lines(&Game::new(parse_fen(fen).unwrap()), &answer, false);
        }
    }
    engine.send("position fen 7k/8/5K2/8/8/8/8/6R1 w - - 0 1");
    let answer = engine.go("mate 2");
    assert_eq!(number(infos(&answer).last().unwrap(), "mate"), 2);
    engine.quit();
}

/// `go mate` thinks with the preset of that name, and the next search does not.
#[test]
fn a_search_for_mate_uses_its_preset_and_only_that_search_does() {
    const PROBLEM: &str = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1";
    let tree = |args: &[&str], goes: &[&str]| {
        let mut engine = Engine::with_args(args);
        engine.send(&format!("position fen {PROBLEM}"));
        let mut sizes = Vec::new();
        for go in goes {
            engine.send("ucinewgame");
            let answer = engine.go(go);
            let depths = infos(&answer).into_iter().map(|line| number(line, "nodes"));
            sizes.push(depths.collect::<Vec<_>>());
        }
        engine.quit();
        sizes
    };
    let by_default = tree(&[], &["depth 7", "mate 1 depth 7", "depth 7"]);
    let by_preset = tree(&["--config", "mate"], &["depth 7"]);
    assert_eq!(by_default[1], by_preset[0]);
    assert_eq!(by_default[0], by_default[2]);
    assert_ne!(by_default[0], by_default[1]);
}
