//! Whole dialogues with the real binary, as GUIs and match runners lead them.

use std::fs;

use sextant_board::{MoveSets, parse_uci_move};

use crate::util::{
    Engine, KIWIPETE, SHORT, best_move, check_lines, field, game, infos, last, number, pv, startpos,
};

#[test]
fn an_engine_introduces_itself_when_it_is_asked() {
    let mut engine = Engine::start();
    assert!(engine.says_no("", SHORT));
    let lines = engine.send("uci").until("uciok");
    assert!(lines[0].starts_with("id name Sextant ") && lines[1].starts_with("id author "));
    let mut options = lines[2..lines.len() - 1].iter();
    assert!(
        options.all(|line| line.starts_with("option name ")),
        "{lines:?}"
    );
    // Options keep their declared defaults, and tunables can be set without being listed.
    engine.talk(
        "setoption name Hash value 3                   =>
         setoption name UCI_ShowWDL value true         =>
         setoption  name  move   OVERHEAD  value  20   =>
         setoption name Extensions_Recapture value 80  =>
         debug on        =>
         register later  =>
         license         => MIT license
         help            => stop
         compiler        => Compiler: rustc",
    );
    assert_eq!(engine.send("uci").until("uciok"), lines);
    engine.quit();
}

#[test]
fn a_game_is_played() {
    let mut engine = Engine::start();
    engine.send("uci").until("uciok");
    engine.talk("ucinewgame =>");
    let mut moves = String::new();
    let mut game = startpos();
    while game.keys().len() < 25 && !MoveSets::generate(game.position()).is_empty() {
        engine.send(&format!("position startpos moves{moves}"));
        let answer = engine.go("wtime 1000 btime 1000 winc 10 binc 10");
        check_lines(&game, &answer, false);
        let best = best_move(&answer);
        moves += &format!(" {best}");
        game.play(parse_uci_move(game.position(), best).unwrap());
    }
    engine.quit();
}

#[test]
fn every_depth_is_shown_once_with_chances_on_demand() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    for with_chances in [false, true] {
        engine.send(&format!("setoption name UCI_ShowWDL value {with_chances}"));
        let answer = engine.go("depth 7");
        check_lines(&game(KIWIPETE), &answer, false);
        let shown = infos(&answer);
        for line in &shown {
            let words = line.split(' ').skip_while(|word| *word != "wdl").skip(1);
            let chances = words.take(3).map(|word| word.parse::<i64>().unwrap());
            let sum = if with_chances { 1000 } else { 0 };
            assert_eq!(chances.sum::<i64>(), sum, "{line}");
        }
        let depths: Vec<_> = shown.iter().map(|line| number(line, "depth")).collect();
        assert!(depths.is_sorted_by(|a, b| a < b), "{depths:?}");
        assert_eq!(depths.last(), Some(&7));
    }
    engine.quit();
}

/// Whatever ends a search, the last lines before the move hold the final totals, begin with that
/// move and go on with the one to ponder on, in every line of MultiPV.
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
                assert!(engine.says_no("bestmove", SHORT));
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
                assert_eq!(most, 12_345);
            }
            let line = pv(last[0]);
            let best = answer.last().unwrap();
            assert_eq!(field(best, "bestmove"), Some(line[0]), "go {go}");
            assert_eq!(field(best, "ponder"), line.get(1).copied(), "go {go}");
        }
    }
    engine.quit();
}

/// A search that lasts tells once a second how far it is, also within an iteration.
#[test]
fn a_long_search_tells_its_progress() {
    let mut engine = Engine::start();
    let answer = engine.go("movetime 4500");
    let current = answer.iter().find(|line| line.contains(" currmove "));
    let current = current.expect("a line of the current move");
    let mv = field(current, "currmove").unwrap();
    parse_uci_move(startpos().position(), mv).unwrap();
    assert!(number(current, "currmovenumber") >= 1);
    let totals = answer.iter().find(|line| {
        line.starts_with("info depth") && !line.contains(" pv ") && !line.contains("currmove")
    });
    let totals = totals.expect("a line of totals");
    assert!(number(totals, "nodes") > 0 && number(totals, "time") >= 3_000);
    engine.quit();
}

/// Whichever of the threads is the first at the depth asked for, its line is shown last.
#[test]
fn several_threads_end_at_the_depth_with_its_line() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 3");
    for depth in [1, 2, 5, 8, 9, 10] {
        let answer = engine.send("ucinewgame").go(&format!("depth {depth}"));
        assert_eq!(last(&answer, "depth"), depth);
        check_lines(&startpos(), &answer, false);
    }
    engine.quit();
}

#[test]
fn the_smallest_searches_have_a_move_and_its_line() {
    let mut engine = Engine::start();
    for nodes in [1, 2, 3, 10, 1_000] {
        let answer = engine.go(&format!("nodes {nodes}"));
        check_lines(&startpos(), &answer, false);
        assert!(last(&answer, "nodes") <= nodes, "{answer:?}");
    }
    // More lines than moves.
    engine.send("setoption name MultiPV value 256");
    engine.send("position fen 7k/8/8/8/8/8/8/K5R1 w - - 0 1");
    assert!(infos(&engine.go("depth 2")).len() > 10);
    engine.talk(
        "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1 =>
         go wtime 100 => bestmove (none)",
    );
    engine.quit();
}

#[test]
fn castling_is_understood_and_written_in_both_ways() {
    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const SHUFFLED: &str = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let mut engine = Engine::start();
    for (mode, short, long) in [("false", "e1g1", "e1c1"), ("true", "e1h1", "e1a1")] {
        engine.send(&format!("setoption name UCI_Chess960 value {mode}"));
        for (sent, written, after) in [
            ("e1g1", short, "4RK1"),
            ("e1h1", short, "4RK1"),
            ("e1c1", long, "2KR"),
            ("e1a1", long, "2KR"),
        ] {
            engine.send(&format!("position fen {CASTLING} moves {sent}"));
            assert!(engine.fen().contains(after), "{sent} in mode {mode}");
            engine.send(&format!("position fen {CASTLING}"));
            let answer = engine.go(&format!("searchmoves {sent} depth 2"));
            assert_eq!(best_move(&answer), written, "{sent} in mode {mode}");
        }
    }
    engine.send(&format!("position fen {SHUFFLED}"));
    check_lines(&game(SHUFFLED), &engine.go("depth 6"), true);
    assert!(engine.fen().contains(" HFhf "));
    engine.quit();
}

/// `go mate` thinks with the preset of that name, and the next search does not.
#[test]
fn a_search_for_mate_uses_its_preset_and_only_that_search_does() {
    const PROBLEM: &str = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1";
    let nodes = |engine: &mut Engine, go: &str| {
        let answer = engine.send("ucinewgame").go(go);
        let nodes = infos(&answer).into_iter().map(|line| number(line, "nodes"));
        nodes.collect::<Vec<_>>()
    };
    let position = format!("position fen {PROBLEM}");
    let mut engine = Engine::start();
    engine.send(&position);
    let found = ["depth 7", "mate 1 depth 7", "depth 7"].map(|go| nodes(&mut engine, go));
    // It ends with the mate, which no other limit does here.
    engine.send("position fen 7k/8/5K2/8/8/8/8/6R1 w - - 0 1");
    assert_eq!(last(&engine.go("mate 2"), "mate"), 2);
    let mut by_preset = Engine::with_args(&["--config", "mate"]);
    by_preset.send(&position);
    assert_eq!(found[1], nodes(&mut by_preset, "depth 7"));
    assert_eq!(found[0], found[2]);
    assert_ne!(found[0], found[1]);
}

#[test]
fn the_board_can_be_shown_and_turned_and_the_traffic_logged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a log.txt");
    let mut engine = Engine::start();
    engine.talk(&format!(
        "setoption name Debug Log File value {} =>
         position startpos moves e2e4 c7c5      =>
         flip =>
         d    => Fen: rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 2
         eval => Static evaluation:
         go depth 1 => bestmove
         setoption name Debug Log File value <empty> =>
         # not logged =>",
        path.display()
    ));
    engine.quit();
    let log = fs::read_to_string(path).unwrap();
    assert!(
        log.contains(">> go depth 1") && log.contains("<< bestmove"),
        "{log}"
    );
    assert!(!log.contains("# not logged"));
}

#[test]
fn bench_and_speedtest_work_in_a_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;";
    fs::write(&path, format!("{KIWIPETE}\n{start}\n")).unwrap();
    let path = path.display();
    Engine::start().talk(&format!(
        "bench 16 1 4                    => nps
         bench 1 1 3 {path} perft        => Nodes searched  : 106764
         bench 1 2 2000 {path} nodes     => Nodes searched  :
         bench 16 1 1 current eval       => Nodes searched  : 0
         bench 16 1 20 current movetime  => nps
         bench 16 1 1 missing.epd        => missing.epd
         speedtest 1                     => threads 1, hash 16 MB"
    ));
}
