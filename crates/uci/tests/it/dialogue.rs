//! Whole dialogues with the real binary, as GUIs lead them.

use std::time::Duration;

use crate::util::{
    Engine, best_move,
    game::{Game, check_lines},
    infos, number, pv, run,
};
use sextant_board::{MoveSets, parse_fen, parse_uci_move};

const SHORT: Duration = Duration::from_millis(300);
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn a_game_is_played() {
    let mut engine = Engine::start();
    engine.send("uci").until("uciok");
    engine.send("ucinewgame");
    engine.sync();
    let mut moves = Vec::<String>::new();
    let mut game = Game::startpos();
    while moves.len() < 24 {
        let list = if moves.is_empty() {
            String::new()
        } else {
            format!(" moves {}", moves.join(" "))
        };
        engine.send(&format!("position startpos{list}"));
        let answer = engine.go("wtime 1000 btime 1000 winc 10 binc 10");
        check_lines(&game, &answer, false);
        let mv = parse_uci_move(game.position(), best_move(&answer)).unwrap();
        moves.push(best_move(&answer).to_owned());
        game.play(mv);
        if MoveSets::generate(game.position()).is_empty() {
            break;
        }
    }
    engine.quit();
}

#[test]
fn lines_have_one_form() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    let answer = engine.go("depth 7");
    let game = Game::new(parse_fen(KIWIPETE).unwrap());
    check_lines(&game, &answer, false);
    let mut last = 0;
    for line in infos(&answer) {
        let words: Vec<_> = line.split_whitespace().collect();
        let keys = [
            "info", "depth", "#", "seldepth", "#", "multipv", "#", "score", "cp", "#", "nodes",
            "#", "nps", "#", "hashfull", "#", "tbhits", "#", "time", "#", "pv",
        ];
        for (word, key) in words.iter().zip(keys) {
            let fits = if key == "#" {
                word.parse::<i64>().is_ok()
            } else {
                *word == key
            };
            assert!(fits, "{word} where {key} belongs: {line:?}");
        }
        let depth = number(line, "depth");
        assert!(depth > last, "depth {depth} came twice");
        last = depth;
    }
    assert_eq!(last, 7);
    engine.quit();
}

#[test]
fn chances_are_shown_on_demand() {
    let mut engine = Engine::start();
    assert!(
        !engine
            .go("depth 2")
            .iter()
            .any(|line| line.contains(" wdl "))
    );
    engine.send("setoption name UCI_ShowWDL value true");
    let answer = engine.go("depth 9");
    let mut depths: Vec<_> = infos(&answer)
        .iter()
        .map(|line| number(line, "depth"))
        .collect();
    for line in infos(&answer) {
        let words: Vec<_> = line.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "wdl").expect("wdl");
        assert_eq!(words[at - 2], "cp");
        let sum: i64 = words[at + 1..at + 4]
            .iter()
            .map(|n| n.parse::<i64>().unwrap())
            .sum();
        assert_eq!(sum, 1000, "{line}");
    }
    let count = depths.len();
    depths.dedup();
    assert_eq!(depths.len(), count, "each depth is shown once");
    engine.quit();
}

/// Whatever ends a search, the last lines before the move hold the final totals, begin with that move
/// and go on with the one to ponder on, in every line of MultiPV.
#[test]
fn the_last_lines_say_all_that_is_known() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    let commands = [
        ("nodes 12345", ""),
        ("movetime 60", ""),
        ("depth 7", ""),
        ("wtime 400 btime 400", ""),
        ("infinite", "stop"),
        ("ponder wtime 400 btime 400", "ponderhit"),
        ("ponder wtime 400 btime 400", "stop"),
    ];
    for lines in [1, 3] {
        engine.send(&format!("setoption name MultiPV value {lines}"));
        for (go, end) in commands {
            engine.send("ucinewgame").send(&format!("go {go}"));
            if !end.is_empty() {
                assert!(engine.gives_no_move_for(SHORT));
                engine.send(end);
            }
            let answer = engine.until("bestmove");
            let all = infos(&answer);
            let last = &all[all.len() - lines..];
            let ranks: Vec<_> = last.iter().map(|line| number(line, "multipv")).collect();
            assert_eq!(ranks, (1..=lines as i64).collect::<Vec<_>>(), "go {go}");
            let totals = ["nodes", "time", "hashfull", "tbhits"];
            let of = |line: &str| totals.map(|key| number(line, key));
            assert!(last.iter().all(|line| of(line) == of(last[0])), "{last:?}");
            let most = all.iter().map(|line| number(line, "nodes")).max().unwrap();
            assert_eq!(number(last[0], "nodes"), most, "go {go}");
            if go.starts_with("nodes") {
                assert_eq!(number(last[0], "nodes"), 12_345);
            }
            let line = pv(last[0]);
            let mut words = answer.last().unwrap().split_whitespace().skip(1).step_by(2);
            assert_eq!(words.next(), Some(line[0]), "go {go}");
            assert_eq!(words.next(), line.get(1).copied(), "go {go}");
        }
    }
    engine.quit();
}

/// A search that lasts tells once a second how far it is, also within an iteration.
#[test]
fn a_long_search_tells_its_progress() {
    let mut engine = Engine::start();
    let answer = engine.go("movetime 4500");
    let line = |key: &str| {
        let found = answer.iter().find(|line| line.contains(key));
        found.unwrap_or_else(|| panic!("{key}: {answer:?}"))
    };
    let current = line(" currmove ");
    let mv = crate::util::field(current, "currmove").unwrap();
    parse_uci_move(Game::startpos().position(), mv).unwrap();
    assert!(number(current, "currmovenumber") >= 1);
    let totals = answer.iter().find(|line| {
        line.starts_with("info depth") && !line.contains(" pv ") && !line.contains("currmove")
    });
    let totals = totals.expect("a line of totals");
    assert!(number(totals, "nodes") > 0 && number(totals, "time") >= 3_000);
    engine.quit();
}

#[test]
fn several_lines_are_shown_best_first() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 4");
    let answer = engine.go("depth 6");
    check_lines(&Game::startpos(), &answer, false);
    let last: Vec<_> = infos(&answer)
        .into_iter()
        .filter(|line| number(line, "depth") == 6)
        .collect();
    assert_eq!(last.len(), 4);
    let ranks: Vec<_> = last.iter().map(|line| number(line, "multipv")).collect();
    assert_eq!(ranks, [1, 2, 3, 4]);
    let scores: Vec<_> = last.iter().map(|line| number(line, "cp")).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let mut first: Vec<_> = last.iter().map(|line| pv(line)[0]).collect();
    first.sort_unstable();
    first.dedup();
    assert_eq!(first.len(), 4, "four different moves");
    // More lines than moves.
    engine
        .send("setoption name MultiPV value 256")
        .send("position fen 7k/8/8/8/8/8/8/K5R1 w - - 0 1");
    let answer = engine.go("depth 2");
    assert!(infos(&answer).len() > 10);
    engine.quit();
}

/// Whichever of the threads is the first at the depth asked for, its line is shown last.
#[test]
fn several_threads_end_at_the_depth_with_its_line() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 3");
    for depth in [1, 2, 5, 8, 9, 10] {
        engine.send("ucinewgame");
        engine.send("position startpos");
        let answer = engine.go(&format!("depth {depth}"));
        assert_eq!(number(infos(&answer).last().unwrap(), "depth"), depth);
        check_lines(&Game::startpos(), &answer, false);
    }
    engine.quit();
}

#[test]
fn only_the_named_moves_are_searched() {
    let mut engine = Engine::start();
    let answer = engine.go("searchmoves a2a3 h2h4 depth 6");
    check_lines(&Game::startpos(), &answer, false);
    for line in infos(&answer) {
        assert!(["a2a3", "h2h4"].contains(&pv(line)[0]), "{line}");
    }
    engine.quit();
}

#[test]
fn node_limits_are_never_exceeded() {
    let mut engine = Engine::start();
    for nodes in [1, 2, 3, 10, 100, 1_000, 10_000, 54_321] {
        let answer = engine.go(&format!("nodes {nodes}"));
        check_lines(&Game::startpos(), &answer, false);
        for line in infos(&answer) {
            assert!(number(line, "nodes") <= nodes, "{nodes}: {line}");
        }
        let count = nodes.to_string();
        let (status, out, _) = run(&["analyse", "startpos", "--nodes", &count, "--json"]);
        assert!(status.success());
        let report: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert!(report["nodes"].as_i64().unwrap() <= nodes, "{nodes}: {out}");
    }
    engine.quit();
}

#[test]
fn the_same_search_takes_the_same_nodes_after_ucinewgame() {
    let mut engine = Engine::start();
    let mut answers = Vec::new();
    for _ in 0..2 {
        engine
            .send("ucinewgame")
            .send(&format!("position fen {KIWIPETE}"));
        let answer = engine.go("depth 8");
        let line = infos(&answer).last().unwrap().to_string();
        answers.push((number(&line, "nodes"), best_move(&answer).to_owned()));
    }
    assert_eq!(answers[0], answers[1]);
    engine.quit();
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut engine = Engine::start();
    for (fen, score) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0"),
        (
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
            "info depth 0 score mate 0",
        ),
    ] {
        engine.send(&format!("position fen {fen}"));
        for limits in ["depth 5", "movetime 50", "nodes 100", "wtime 100"] {
            assert_eq!(
                engine.go(limits),
                [score, "bestmove (none)"],
                "{fen} {limits}"
            );
        }
    }
    engine.quit();
}

#[test]
fn castling_is_understood_and_written_in_both_ways() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let mut engine = Engine::start();
    for (mode, own) in [("false", ["e1g1", "e1c1"]), ("true", ["e1h1", "e1a1"])] {
        engine.send(&format!("setoption name UCI_Chess960 value {mode}"));
        for text in ["e1g1", "e1h1", "e1c1", "e1a1"] {
            engine.send(&format!("position fen {fen} moves {text}"));
            let kind = if text.ends_with('1') && (text == "e1g1" || text == "e1h1") {
                "4RK1"
            } else {
                "2KR"
            };
            assert!(engine.fen().contains(kind), "{text} in mode {mode}");
            engine.send(&format!("position fen {fen}"));
            let answer = engine.go(&format!("searchmoves {text} depth 2"));
            let expected = if kind == "4RK1" { own[0] } else { own[1] };
            assert_eq!(best_move(&answer), expected, "{text} in mode {mode}");
        }
    }
    engine.quit();
}

#[test]
fn chess960_is_played() {
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let mut engine = Engine::start();
    engine
        .send("setoption name UCI_Chess960 value true")
        .send(&format!("position fen {fen}"));
    let answer = engine.go("depth 6");
    check_lines(&Game::new(parse_fen(fen).unwrap()), &answer, true);
    assert!(engine.fen().contains(" HFhf "));
    engine.quit();
}

#[test]
fn carriage_returns_and_comments_do_not_matter() {
    let mut engine = Engine::start();
    engine.send_bytes(b"uci\r\n").until("uciok");
    engine.send_bytes(b"# a comment\r\n\r\nposition startpos moves e2e4\r\n");
    let answer = engine.send_bytes(b"go depth 3\r\n").until("bestmove");
    assert_ne!(best_move(&answer), "(none)");
    engine.send_bytes(b"quit\r\n");
    assert!(engine.wait().success());
}

#[test]
fn perft_counts_by_root_move_and_stops() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    let lines = engine.send("go perft 3").until("Nodes searched");
    assert_eq!(lines.last().unwrap(), "Nodes searched: 97862");
    assert_eq!(lines.iter().filter(|line| line.contains(": ")).count(), 49);
    engine.send("go perft 12");
    std::thread::sleep(SHORT);
    let read = engine.send("stop").until("info string perft was stopped");
    assert!(!read.iter().any(|line| line.starts_with("Nodes searched")));
    engine.quit();
}

#[test]
fn the_board_can_be_shown_and_turned() {
    let mut engine = Engine::start();
    engine
        .send("position startpos moves e2e4 c7c5")
        .send("flip");
    assert_eq!(
        engine.fen(),
        "rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 2"
    );
    let shown = engine.tell("eval");
    assert!(
        shown
            .iter()
            .any(|line| line.starts_with("Static evaluation: ")),
        "{shown:?}"
    );
    assert!(engine.tell("help").len() > 5);
    assert!(
        engine
            .tell("compiler")
            .iter()
            .any(|line| line.starts_with("Compiler: rustc"))
    );
    engine.quit();
}

#[test]
fn bench_and_speedtest_work_in_a_session() {
    let mut engine = Engine::start();
    engine.send("bench 16 1 4").until("Nodes/second");
    let line = engine.next_line().unwrap();
    let words: Vec<_> = line.split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{line}");
    // Other sizes, and positions of one's own.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions");
    std::fs::write(
        &path,
        format!("{KIWIPETE}\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n"),
    )
    .unwrap();
    for (operands, nodes) in [
        (
            format!("1 1 3 {} perft", path.display()),
            Some(97_862 + 8_902),
        ),
        (format!("1 2 2000 {} nodes", path.display()), None),
        ("16 1 1 current eval".to_owned(), Some(0)),
        ("16 1 20 current movetime".to_owned(), None),
    ] {
        let lines = engine
            .send(&format!("bench {operands}"))
            .until("Nodes searched");
        let found: u64 = lines
            .last()
            .unwrap()
            .rsplit(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        assert!(nodes.is_none_or(|nodes| nodes == found), "{lines:?}");
    }
    engine.send("speedtest 1").until("threads 1");
    let line = engine.next_line().unwrap();
    assert!(line.ends_with(" nps"), "{line}");
    engine.quit();
}

#[test]
fn the_traffic_can_be_logged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a log.txt");
    let mut engine = Engine::start();
    engine.send(&format!(
        "setoption name Debug Log File value {}",
        path.display()
    ));
    engine.sync();
    engine.send("go depth 1").until("bestmove");
    engine.send("setoption name Debug Log File value <empty>");
    engine.sync();
    engine.send("# not logged");
    engine.sync();
    engine.quit();
    let log = std::fs::read_to_string(path).unwrap();
    assert!(
        log.contains(">> go depth 1") && log.contains("<< bestmove"),
        "{log}"
    );
    assert!(!log.contains("# not logged"));
}
