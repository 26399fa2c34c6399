//! What every caller relies on: legal lines, mates that mate, obeyed limits. Signals are obeyed
//! in the tests of the real binary.

use sextant_board::Move;
use sextant_config::Config;
use sextant_search::{Engine, Event, Game, Info, Limits, Outcome};

use crate::common::{
    RICH, engine, fen, fresh, game, games, is_mate, is_over, legal_moves, search, small, to_depth,
    to_nodes,
};

/// Plays `line`, and fails where it is not legal or goes on after the end of the game.
fn played(game: &Game, line: &[Move]) -> Game {
    let mut game = game.clone();
    for &mv in line {
        let legal = game.position().board().is_legal(mv);
        assert!(legal && !is_over(&game), "{mv} in {}", fen(&game));
        game.play(mv);
    }
    game
}

fn infos(
    engine: &mut Engine,
    game: &Game,
    limits: &Limits,
    multipv: usize,
) -> (Vec<Info>, Outcome) {
    let mut infos = Vec::new();
    engine.signals().arm(limits.ponder);
    let outcome = engine.go(game, limits, multipv, &mut |event| {
        if let Event::Info(info) = event {
            infos.push(info);
        }
    });
    (infos, outcome)
}

#[test]
fn every_line_is_legal_and_begins_with_the_move() {
    let mut engine = engine(&Config::default());
    for game in games(120) {
        let (infos, outcome) = infos(&mut engine, &game, &to_nodes(6_000), 1);
        assert!(!infos.is_empty(), "a line before the move");
        for info in infos.iter().chain(&outcome.lines) {
            assert!(!info.pv.is_empty(), "{}", fen(&game));
            played(&game, &info.pv);
        }
        let line = &outcome.lines[0].pv;
        assert_eq!(outcome.best, line.first().copied());
        assert_eq!(outcome.ponder, line.get(1).copied());
        if let Some(ponder) = outcome.ponder {
            played(&game, &[line[0], ponder]);
        }
    }
}

#[test]
fn announced_mates_are_on_the_board_at_the_end_of_the_line() {
    let mates = [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
        ("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", -1),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 1),
        ("7k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1", 1),
        ("r6k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", 2),
        ("7k/8/5K2/8/8/8/8/Q7 w - - 0 1", 2),
        ("8/8/8/8/8/5K2/8/5k1R b - - 0 1", 0),
        ("4k3/8/4K3/8/8/8/8/7R w - - 0 1", 1),
    ];
    let mut engine = engine(&Config::default());
    let mut proved = 0;
    for (fen, mate) in mates {
        let game = game(fen);
        engine.new_game();
        let outcome = search(&mut engine, &game, &to_depth(10));
        if mate != 0 {
            assert_eq!(outcome.score().mate_in(), Some(mate), "{fen}");
        }
        proved += usize::from(mates_as_announced(&game, &outcome.lines[0]));
    }
    assert!(proved >= mates.len() - 1);
}

/// A mate in N takes 2N - 1 plies, being mated in N takes 2N; `false` for other scores.
fn mates_as_announced(game: &Game, info: &Info) -> bool {
    let Some(mate) = info.score.mate_in() else {
        return false;
    };
    let plies = if mate > 0 { 2 * mate - 1 } else { -2 * mate };
    assert_eq!(
        info.pv.len(),
        plies as usize,
        "mate {mate} by {:?}",
        info.pv
    );
    let end = played(game, &info.pv);
    assert!(is_mate(end.position()));
    true
}

#[test]
fn searchmoves_are_the_only_ones_searched() {
    let mut engine = engine(&Config::default());
    for fen in RICH.iter() {
        let game = game(fen);
        let moves = legal_moves(game.position());
        let searchmoves: Vec<Move> = moves.iter().copied().step_by(7).collect();
        let limits = Limits {
            searchmoves: searchmoves.clone(),
            ..to_depth(5)
        };
        let (_, outcome) = infos(&mut engine, &game, &limits, 500);
        assert_eq!(outcome.lines.len(), searchmoves.len());
        let mut firsts = outcome.lines.iter().map(|line| line.pv[0]);
        assert!(firsts.all(|mv| searchmoves.contains(&mv)));
    }
}

#[test]
fn several_lines_are_distinct_and_sorted() {
    let mut engine = engine(&Config::default());
    for game in games(60) {
        let wanted = 4.min(legal_moves(game.position()).len());
        let (infos, outcome) = infos(&mut engine, &game, &to_depth(6), 4);
        for lines in infos.chunks(wanted).chain([&outcome.lines[..]]) {
            assert_eq!(lines.len(), wanted);
            for (rank, line) in lines.iter().enumerate() {
                assert_eq!(line.multipv, rank + 1);
                assert_eq!(line.depth, lines[0].depth);
                played(&game, &line.pv);
                let before = &lines[..rank];
                assert!(before.iter().all(|other| other.pv[0] != line.pv[0]));
                assert!(before.iter().all(|other| other.score >= line.score));
            }
        }
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut engine = engine(&Config::default());
    for (fen, mate) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some(0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None),
    ] {
        let (infos, outcome) = infos(&mut engine, &game(fen), &Limits::default(), 3);
        assert_eq!((outcome.best, outcome.nodes, infos.len()), (None, 0, 1));
        assert_eq!(outcome.score().mate_in(), mate);
    }
}

#[test]
fn two_threads_stop_near_the_sum_of_their_nodes() {
    let mut config = small(&Config::default());
    config.engine.threads = 2;
    let mut engine = Engine::new(config).expect("two threads");
    let limit = 40_000;
    for fen in &RICH[..4] {
        let outcome = search(&mut engine, &game(fen), &to_nodes(limit));
        let nodes = outcome.nodes;
        assert!(
            (limit..limit + 4_000).contains(&nodes),
            "{nodes} nodes, limit {limit}"
        );
        played(&game(fen), &outcome.lines[0].pv);
    }
}

#[test]
fn limits_hold_together() {
    let mut engine = engine(&Config::default());
    let mut search = |fen: &str, limits: Limits| search(&mut engine, &game(fen), &limits);
    let both = |depth: u32, nodes: u64| Limits {
        nodes: Some(nodes),
        ..to_depth(depth)
    };
    assert_eq!(search(RICH[0], both(3, 5_000)).depth(), 3);
    assert_eq!(search(RICH[0], both(30, 500)).nodes, 500);
    let soft = Limits {
        soft_nodes: Some(500),
        ..Limits::default()
    };
    let outcome = search(RICH[0], soft);
    assert!(outcome.nodes >= 500 && outcome.depth() < 20);
    let mate = Limits {
        mate: Some(1),
        ..Limits::default()
    };
    let outcome = search("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", mate);
    assert_eq!(outcome.score().mate_in(), Some(1));
}

#[test]
fn an_iteration_that_is_cut_off_keeps_the_better_move() {
    let mut engine = engine(&Config::default());
    let (mut changed, mut kept) = (0, 0);
    for game in &games(100) {
        for depth in 3..=8 {
            let [before, after] =
                [depth - 1, depth].map(|depth| fresh(&mut engine, game, &to_depth(depth)));
            if before.best != after.best {
                changed += 1;
                // Some last moves of the iteration are not seen, hardly ever the best one.
                let cut_off = fresh(&mut engine, game, &to_nodes(after.nodes - 1));
                kept += u32::from(cut_off.best == after.best);
            }
        }
    }
    let enough = changed >= 50 && kept * 10 >= changed * 8;
    assert!(enough, "{kept} of {changed}");
}

#[test]
fn the_first_moves_that_are_tried_are_the_likely_ones() {
    let mut engine = engine(&Config::default());
    let rows = "\
        f3d4 r3k2r/ppp2ppp/2n2n2/4p3/3q4/1PN2N2/P1P2PPP/R1BQKB1R w KQkq - 0 1
        f6d5 r1bqkb1r/p1p2ppp/1pn2n2/3Q4/4P3/2N2N2/PPP2PPP/R3K2R b KQkq - 0 1";
    for (best, fen) in rows.lines().filter_map(|row| row.trim().split_once(' ')) {
        let found = fresh(&mut engine, &game(fen), &to_nodes(16)).best;
        assert_eq!(found.expect("a move").to_string(), best, "{fen}");
    }
}
