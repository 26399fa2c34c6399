//! Whole dialogues with the real binary, as GUIs lead them.

mod util;

use std::{
    process::Stdio,
    time::{Duration, Instant},
};

use sextant_board::{
    Move, MoveSets, Position, is_insufficient_material, parse_fen, parse_uci_move,
};
use util::{Engine, best_move, binary, field, infos, number, pv, run, wait};

const SHORT: Duration = Duration::from_millis(300);
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A position and the keys of those before it.
#[derive(Clone)]
struct Game {
    position: Position,
    keys: Vec<u64>,
}

impl Game {
    fn new(position: Position) -> Game {
        Game {
            keys: vec![position.key()],
            position,
        }
    }

    fn position(&self) -> &Position {
        &self.position
    }

    fn play(&mut self, mv: Move) {
        self.position = self.position.make(mv).0;
        self.keys.push(self.position.key());
    }

    fn occurrences(&self) -> usize {
        let now = self.position.key();
        self.keys.iter().filter(|key| **key == now).count()
    }
}

/// The PV is legal, begins with the best move, and does not go on after the game's end.
fn check_lines(game: &Game, lines: &[String], chess960: bool) {
    let shown = infos(lines);
    assert!(!shown.is_empty(), "no line with a score before {lines:?}");
    for line in &shown {
        let moves = pv(line);
        let mut game = game.clone();
        for (i, text) in moves.iter().enumerate() {
            let mv = parse_uci_move(game.position(), text)
                .unwrap_or_else(|error| panic!("{error} in {line:?}"));
            if !chess960 {
                let taken = game.position().board().color_on(mv.to);
                let own = taken == Some(game.position().side_to_move());
                assert!(
                    !own || *text != mv.to_string(),
                    "{text} is Chess960 notation: {line:?}"
                );
            }
            game.play(mv);
            let position = game.position();
            let over = game.occurrences() >= 3
                || position.clock() >= 100
                || is_insufficient_material(position.board())
                || MoveSets::generate(position).is_empty();
            assert!(
                !over || i + 1 == moves.len(),
                "{line:?} goes on after its end at ply {i}"
            );
        }
        if let (Some("mate"), None) = (field(line, "score"), line.find("bound")) {
            let mate = number(line, "mate");
            let plies = if mate > 0 { 2 * mate - 1 } else { -2 * mate };
            assert_eq!(moves.len() as i64, plies, "{line:?}");
            let last = game.position();
            assert!(
                last.in_check() && MoveSets::generate(last).is_empty(),
                "{line:?}"
            );
        }
    }
    let first = shown
        .iter()
        .rev()
        .find(|line| number_or(line, "multipv", 1) == 1)
        .unwrap();
    assert_eq!(
        pv(first).first().copied().unwrap_or("(none)"),
        best_move(lines)
    );
}

fn number_or(line: &str, key: &str, default: i64) -> i64 {
    field(line, key).map_or(default, |_| number(line, key))
}

fn start_game() -> Game {
    Game::new(Position::startpos())
}

#[test]
fn a_game_is_played() {
    let mut engine = Engine::start();
    engine.send("uci").until("uciok");
    engine.send("ucinewgame");
    engine.sync();
    let mut moves = Vec::<String>::new();
    let mut game = start_game();
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

#[test]
fn several_lines_are_shown_best_first() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 4");
    let answer = engine.go("depth 6");
    check_lines(&start_game(), &answer, false);
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
        .send("position fen 7k/8/8/8/8/8/8/K6R w - - 0 1");
    let answer = engine.go("depth 2");
    assert!(infos(&answer).len() > 10);
    engine.quit();
}

#[test]
fn only_the_named_moves_are_searched() {
    let mut engine = Engine::start();
    let answer = engine.go("searchmoves a2a3 h2h4 depth 6");
    check_lines(&start_game(), &answer, false);
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
        check_lines(&start_game(), &answer, false);
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
fn stop_ends_an_infinite_search_and_nothing_else_does() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    assert!(engine.gives_no_move_for(SHORT));
    let sent = Instant::now();
    let answer = engine.send("stop").until("bestmove");
    assert!(sent.elapsed() < Duration::from_secs(20));
    assert_ne!(best_move(&answer), "(none)");
    // Also where there is nothing left to search.
    for fen in [
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "7k/8/8/8/8/8/8/K7 w - - 0 1",
    ] {
        engine
            .send(&format!("position fen {fen}"))
            .send("go infinite");
        assert!(engine.gives_no_move_for(SHORT), "{fen}");
        engine.send("stop").until("bestmove");
    }
    engine.quit();
}

#[test]
fn a_stop_at_once_is_not_lost() {
    let mut engine = Engine::start();
    for _ in 0..200 {
        let answer = engine.send("go infinite\nstop").until("bestmove");
        check_lines(&start_game(), &answer, false);
    }
    engine.quit();
}

#[test]
fn a_stop_without_a_search_does_not_end_the_next_one() {
    let mut engine = Engine::start();
    for _ in 0..3 {
        let answer = engine.send("stop\nponderhit\nstop").go("depth 6");
        assert_eq!(number(infos(&answer).last().unwrap(), "depth"), 6);
    }
    engine.quit();
}

#[test]
fn pondering_waits_for_the_outside() {
    let mut engine = Engine::start();
    engine
        .send("setoption name Ponder value true")
        .send("position startpos moves e2e4 e7e5");
    engine.send("go ponder wtime 300 btime 300");
    assert!(
        engine.gives_no_move_for(Duration::from_millis(700)),
        "the clock does not run"
    );
    engine.send("ponderhit").until("bestmove");
    engine.send("go ponder wtime 300 btime 300");
    assert!(engine.gives_no_move_for(SHORT));
    engine.send("stop").until("bestmove");
    // Done long before the hit, with and without a legal move.
    for fen in [
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
    ] {
        engine
            .send(&format!("position fen {fen}"))
            .send("go ponder depth 2");
        assert!(engine.gives_no_move_for(SHORT), "{fen}");
        engine.send("ponderhit").until("bestmove");
    }
    engine.quit();
}

#[test]
fn a_ponderhit_at_once_is_not_lost() {
    let mut engine = Engine::start();
    for _ in 0..20 {
        engine
            .send("go ponder movetime 5\nponderhit")
            .until("bestmove");
    }
    engine.quit();
}

#[test]
fn isready_is_answered_during_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    for _ in 0..3 {
        let read = engine.send("isready").until("readyok");
        assert!(!read.iter().any(|line| line.starts_with("bestmove")));
    }
    engine.send("stop").until("bestmove");
    engine.quit();
}

#[test]
fn a_second_go_is_refused_with_a_word() {
    let mut engine = Engine::start();
    engine.send("go infinite").send("go depth 3");
    let note = engine.until("info string");
    assert!(note.last().unwrap().contains("refused"), "{note:?}");
    engine.send("stop").until("bestmove");
    assert!(engine.is_silent_for(SHORT), "one search, one move");
    // After a stop the next go is welcome before the move of the first one came.
    engine.send("go infinite\nstop\nposition startpos moves e2e4\ngo depth 3");
    engine.until("bestmove");
    let second = engine.until("bestmove");
    let mut game = start_game();
    game.play(parse_uci_move(game.position(), "e2e4").unwrap());
    check_lines(&game, &second, false);
    engine.quit();
}

#[test]
fn what_comes_during_a_search_is_done_after_it() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine
        .send("setoption name MultiPV value 2")
        .send("position startpos moves d2d4");
    let note = engine.until("info string");
    assert!(note.last().unwrap().contains("waits"), "{note:?}");
    engine.send("ucinewgame").send("stop").until("bestmove");
    let answer = engine.go("depth 3");
    assert!(
        infos(&answer)
            .iter()
            .any(|line| number(line, "multipv") == 2),
        "{answer:?}"
    );
    assert!(engine.fen().contains(" b "), "the position was set");
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
fn the_end_of_the_input_ends_the_process_even_during_a_search() {
    for start in [
        "go infinite",
        "go depth 60",
        "go ponder wtime 1000000",
        "uci",
    ] {
        let mut engine = Engine::start();
        engine.send(start);
        engine.close_input();
        assert!(engine.wait().success(), "{start}");
    }
}

#[test]
fn quit_during_a_search_ends_the_process() {
    for line in [
        "go infinite\nquit",
        "quit",
        "go nodes 100000000\nsetoption name Hash value 1\nquit",
    ] {
        let mut engine = Engine::start();
        engine.send(line);
        assert!(engine.wait().success(), "{line}");
    }
}

#[test]
fn the_process_ends_when_nobody_reads_any_more() {
    let mut child = binary()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"go infinite\n").unwrap();
    assert!(wait(&mut child).is_some(), "left behind");
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
fn an_answer_may_be_followed_by_a_go_at_once() {
    let mut engine = Engine::start();
    for _ in 0..50 {
        engine.send("go perft 1").until("Nodes searched");
        engine
            .send("go depth x")
            .until("info string go: no limit is left");
        let answer = engine.go("depth 1");
        assert!(
            !answer.iter().any(|line| line.contains("refused")),
            "{answer:?}"
        );
    }
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
    let lines = engine.tell("bench 4");
    let words: Vec<_> = lines.last().unwrap().split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{lines:?}");
    let lines = engine.tell("speedtest 1");
    assert!(lines.last().unwrap().ends_with(" nps"), "{lines:?}");
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
