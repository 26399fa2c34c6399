//! What comes while the engine thinks: stops, ponder hits, questions, a second search, the end.

mod util;

use std::{
    process::Stdio,
    time::{Duration, Instant},
};

use sextant_board::parse_uci_move;
use util::{
    Engine, best_move, binary,
    game::{Game, check_lines},
    infos, number, wait,
};

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
    let mut game = Game::startpos();
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
