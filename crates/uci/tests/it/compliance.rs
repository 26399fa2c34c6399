//! What match runners check before they let an engine play.

use crate::util::{Engine, best_move, infos, number};

#[test]
fn an_engine_introduces_itself() {
    let mut engine = Engine::start();
    let lines = engine.send("uci").until("uciok");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("id name Sextant "))
    );
    assert!(lines.iter().any(|line| line.starts_with("id author ")));
    for name in [
        "Hash",
        "Threads",
        "MultiPV",
        "Ponder",
        "UCI_Chess960",
        "SyzygyPath",
        "Move Overhead",
    ] {
        let start = format!("option name {name} type ");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{name}");
    }
    assert!(
        lines
            .iter()
            .any(|line| line == "option name UCI_ShowWDL type check default false")
    );
    for line in &lines {
        let known = ["id ", "option name ", "uciok"]
            .iter()
            .any(|start| line.starts_with(start));
        assert!(known, "{line:?} does not belong there");
    }
    engine.quit();
}

#[test]
fn nothing_is_said_before_it_is_asked() {
    let mut engine = Engine::start();
    assert!(engine.is_silent_for(std::time::Duration::from_millis(300)));
    engine.quit();
}

#[test]
fn every_kind_of_clock_leads_to_a_move_with_its_line() {
    let mut engine = Engine::start();
    engine.send("uci").until("uciok");
    engine.send("ucinewgame");
    assert!(engine.sync().is_empty());
    for position in [
        "position startpos",
        "position fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
        "position startpos moves e2e4",
    ] {
        engine.send(position);
        assert!(engine.sync().is_empty());
        for clock in [
            "wtime 100",
            "btime 100",
            "wtime 100 btime 100",
            "btime 100 binc 10 wtime 100 winc 10",
            "winc 10 binc 10 wtime 100 btime 100 movestogo 5",
        ] {
            let answer = engine.go(clock);
            assert_ne!(best_move(&answer), "(none)", "{clock}");
            let last = infos(&answer).last().unwrap().to_string();
            for key in ["time", "nps", "nodes", "depth"] {
                assert!(number(&last, key) >= 0, "{last}");
            }
        }
    }
    engine.quit();
}

#[test]
fn tunables_are_listed_for_tuners_and_can_always_be_set() {
    let mut engine = Engine::with_args(&["--tune"]);
    let lines = engine.send("uci").until("uciok");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("option name Extensions_Recapture type spin"))
    );
    assert!(lines.len() > 100);
    engine.quit();
    let mut engine = Engine::start();
    assert!(
        engine
            .tell("setoption name Extensions_Recapture value 80")
            .is_empty()
    );
    engine.quit();
}

#[test]
fn options_keep_their_declared_defaults() {
    let mut engine = Engine::start();
    let first = engine.send("uci").until("uciok");
    engine
        .send("setoption name Hash value 3")
        .send("setoption name UCI_ShowWDL value true");
    assert_eq!(engine.send("uci").until("uciok"), first);
    engine.quit();
}
