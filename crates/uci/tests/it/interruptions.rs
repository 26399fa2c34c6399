//! What comes while the engine thinks: stops, ponder hits, questions, a second search, the end.

use std::{
    io::Write as _,
    process::Stdio,
    time::{Duration, Instant},
};

use crate::util::{
    Engine, best_move, binary,
    game::{Game, check_lines},
    infos, number, wait,
};
use sextant_board::parse_uci_move;

const SHORT: Duration = Duration::from_millis(300);

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
        check_lines(&Game::startpos(), &answer, false);
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
fn several_searches_are_answered_in_order() {
    let mut engine = Engine::start();
    engine.send("go depth 6\nposition startpos moves e2e4\ngo depth 3\ngo perft 2\ngo nodes 777");
    let mut game = Game::startpos();
    check_lines(&game, &engine.until("bestmove"), false);
    game.play(parse_uci_move(game.position(), "e2e4").unwrap());
    check_lines(&game, &engine.until("bestmove"), false);
    assert!(
        engine
            .until("Nodes searched")
            .last()
            .unwrap()
            .ends_with("600")
    );
    let answer = engine.until("bestmove");
    assert_eq!(number(infos(&answer).last().unwrap(), "nodes"), 777);
    // A stop ends all that was asked for, and nothing later.
    engine.send("go infinite\ngo infinite\nstop\ngo depth 4");
    engine.until("bestmove");
    engine.until("bestmove");
    let answer = engine.until("bestmove");
    assert_eq!(number(infos(&answer).last().unwrap(), "depth"), 4);
    assert!(engine.is_silent_for(SHORT));
    engine.quit();
}

/// `stop` ends a count and a benchmark as it ends a search, and `isready` is answered meanwhile.
#[test]
fn whatever_lasts_can_be_stopped() {
    let mut engine = Engine::start();
    for (long, end) in [
        ("go perft 9", "info string perft was stopped"),
        ("speedtest 600", "threads 1"),
        ("bench 16 1 40", "Nodes searched"),
        (
            "genfens 1000000 seed 1 book None",
            "info string genfens was stopped",
        ),
    ] {
        engine.send(long).send("isready").until("readyok");
        engine.send("stop").until(end);
        engine.sync();
    }
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
fn what_would_never_end_ends_with_the_input() {
    for start in [
        "go",
        "go infinite",
        "go mate 3",
        "go ponder wtime 1000000",
        "uci",
    ] {
        let mut engine = Engine::start();
        engine.send(start);
        engine.close_input();
        if start.starts_with("go") {
            engine.until("bestmove");
        }
        assert!(engine.wait().success(), "{start}");
    }
}

#[test]
fn what_was_asked_for_before_the_end_of_the_input_is_answered() {
    let mut engine = Engine::start();
    engine
        .send("go nodes 20000\ngo infinite\nposition startpos moves d2d4\ngo depth 8\ngo perft 3");
    engine.close_input();
    let first = engine.until("bestmove");
    assert_eq!(number(infos(&first).last().unwrap(), "nodes"), 20_000);
    engine.until("bestmove");
    let third = engine.until("bestmove");
    assert_eq!(number(infos(&third).last().unwrap(), "depth"), 8);
    engine.until("Nodes searched");
    assert!(engine.wait().success());
}

#[test]
fn quit_ends_the_process_whatever_runs() {
    for line in [
        "quit",
        "go infinite\nquit",
        "go nodes 100000000\nsetoption name Hash value 1\nquit",
        "go perft 9\nquit",
        "speedtest 600\nquit",
        "bench 16 1 40\nquit",
        "genfens 1000000 seed 1 book None\nquit",
    ] {
        let mut engine = Engine::start();
        engine.send(line);
        assert!(engine.wait().success(), "{line}");
    }
}

/// A GUI that died leaves closed pipes behind on both sides.
#[test]
fn the_process_ends_when_nobody_reads_any_more() {
    for line in [
        "go infinite",
        "go nodes 10000000000",
        "go perft 12",
        "bench 16 1 60",
    ] {
        let mut child = binary()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "{line}").unwrap();
        drop(input);
        assert!(wait(&mut child).is_some(), "{line}: left behind");
    }
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
        assert_eq!(
            answer
                .iter()
                .filter(|line| line.starts_with("bestmove"))
                .count(),
            1
        );
    }
    engine.quit();
}
