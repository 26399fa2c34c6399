//! What comes while the engine thinks: stops, ponder hits, questions, a second search, the end.

use std::{
    io::Write as _,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use sextant_board::parse_uci_move;

use crate::util::{Engine, SHORT, binary, check_lines, infos, last, number, startpos, wait};

#[test]
fn a_stop_or_a_ponderhit_at_once_is_not_lost_and_a_stale_one_does_nothing() {
    let mut engine = Engine::start();
    for _ in 0..200 {
        let answer = engine.send("go infinite\nstop").until("bestmove");
        check_lines(&startpos(), &answer, false);
    }
    for _ in 0..20 {
        engine
            .send("go ponder movetime 5\nponderhit")
            .until("bestmove");
    }
    for _ in 0..3 {
        let answer = engine.send("stop\nponderhit\nstop").go("depth 6");
        assert_eq!(last(&answer, "depth"), 6);
    }
    engine.quit();
}

#[test]
fn several_searches_are_answered_in_order() {
    let mut engine = Engine::start();
    engine.send("go depth 6\nposition startpos moves e2e4\ngo depth 3\ngo perft 2\ngo nodes 777");
    let mut game = startpos();
    check_lines(&game, &engine.until("bestmove"), false);
    game.play(parse_uci_move(game.position(), "e2e4").unwrap());
    check_lines(&game, &engine.until("bestmove"), false);
    engine.until("Nodes searched: 600");
    assert_eq!(last(&engine.until("bestmove"), "nodes"), 777);
    // A stop ends all that was asked for, and nothing later.
    engine.send("go infinite\ngo infinite\nstop\ngo depth 4");
    engine.until("bestmove");
    engine.until("bestmove");
    assert_eq!(last(&engine.until("bestmove"), "depth"), 4);
    assert!(engine.says_no("", SHORT));
    engine.quit();
}

/// `stop` ends a count and a benchmark as it ends a search, and `isready` is answered meanwhile,
/// also of a search that has nothing left to do.
#[test]
fn whatever_lasts_can_be_stopped() {
    const START: &str = "position startpos";
    const OVER: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let mut engine = Engine::start();
    for (position, long, end) in [
        (START, "go infinite", "bestmove"),
        (OVER, "go infinite", "bestmove"),
        (OVER, "go ponder movetime 1", "bestmove"),
        (START, "go perft 9", "info string perft was stopped"),
        (START, "speedtest 600", "threads 1"),
        (START, "bench 16 1 40", "Nodes searched"),
        (START, "bench 16 1 12 current perft", "Nodes searched"),
        (
            START,
            "genfens 1000000 seed 1",
            "info string genfens was stopped",
        ),
    ] {
        let early = engine.send(position).tell(long);
        assert!(!early.iter().any(|line| line.contains(end)), "{early:?}");
        assert!(engine.says_no(end, SHORT), "{long}");
        engine.send("stop").until(end);
        engine.tell("");
    }
    engine.quit();
}

#[test]
fn what_comes_during_a_search_is_done_after_it() {
    let mut engine = Engine::start();
    engine.send("go infinite\nsetoption name MultiPV value 2\nposition startpos moves d2d4");
    engine.until("info string a search is running: this command waits");
    let rest = engine.send("ucinewgame\nstop").until("bestmove");
    assert!(!rest.concat().contains("a search is running"), "{rest:?}");
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
        if start == "go infinite" {
            engine.until("info depth");
        }
        engine.close_input();
        if start.starts_with("go") {
            engine.until("bestmove");
        }
        engine.ends_well();
    }
}

#[test]
fn what_was_asked_for_before_the_end_of_the_input_is_answered() {
    let mut engine = Engine::start();
    engine
        .send("go ponder nodes 20000\nponderhit\ngo infinite")
        .send("position startpos moves d2d4\ngo depth 8\ngo perft 3")
        .close_input();
    assert_eq!(last(&engine.until("bestmove"), "nodes"), 20_000);
    engine.until("bestmove");
    assert_eq!(last(&engine.until("bestmove"), "depth"), 8);
    engine.until("Nodes searched");
    engine.ends_well();
}

#[test]
fn quit_ends_the_process_whatever_runs() {
    for line in [
        "",
        "go infinite",
        "go nodes 100000000\nsetoption name Hash value 1",
        "go perft 9",
        "speedtest 600",
        "bench 16 1 40",
        "bench 16 1 12 default perft",
        "genfens 1000000 seed 1 book None",
    ] {
        let mut engine = Engine::start();
        engine.send(line);
        engine.quit();
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
        check_lines(&startpos(), &engine.go("depth 1"), false);
    }
    engine.quit();
}

/// The level survives `ucinewgame`; its time is a lower bound only, and `stop` ends it.
#[test]
fn a_weak_player_thinks_for_a_while_and_stays_weak() {
    let mut engine = Engine::start();
    engine.tell("setoption name Skill Level value 3\nucinewgame");
    let start = Instant::now();
    let answer = engine.go("wtime 20000 btime 20000");
    assert!(start.elapsed() >= Duration::from_millis(400), "{answer:?}");
    assert!(last(&answer, "nodes") < 1_000, "{answer:?}");
    engine.send("go wtime 100000000");
    assert!(engine.says_no("bestmove", SHORT));
    engine.send("stop").until("bestmove");
    engine.quit();
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_an_analysis_with_its_best_move() {
    let mut engine = Engine::with_args(&["analyze", "startpos", "--movetime", "1h"]);
    engine.until("  7/");
    let id = engine.child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    engine.until("Best move: ");
    engine.ends_well();
}
