//! Following the top rank of the root probe keeps every win and draw, and ends the game; and the
//! known vectors.

use cozy_chess::Board;
use sextant_board::Random;
use sextant_syzygy::{Category, Dtz, LineEnd, TOP_RANK, Tablebase, Wdl};

use crate::common::{all_shared, bundled, native, truth};

fn is_over(board: &Board) -> bool {
    !board.generate_moves(|_| true)
}

/// The outcome with the real clock, by the tables' DTZ.
fn category(tables: &Tablebase, board: &Board) -> Category {
    if is_over(board) {
        let stalemate = board.checkers().is_empty();
        return [Category::Loss, Category::Draw][usize::from(stalemate)];
    }
    tables.dtz(board).unwrap().category(board.halfmove_clock())
}

/// Plays the side to move by the top rank (any of it, at random) against a defender who maximizes
/// DTZ.
fn play_out(tables: &Tablebase, start: &Board, random: &mut Random) {
    let us = start.side_to_move();
    let expected = category(tables, start).wdl();
    let mut board = start.clone();
    let mut seen: Vec<Board> = Vec::new();
    for ply in 0.. {
        assert!(ply < 600, "no end: {start}");
        let mut now = category(tables, &board).wdl();
        if board.side_to_move() != us {
            now = -now;
        }
        assert!(
            now >= expected,
            "{start}: {now} instead of {expected} at {board}"
        );
        if is_over(&board) || board.occupied().len() == 2 {
            return;
        }
        if board.halfmove_clock() >= 100 {
            assert!(expected < Wdl::Win, "{start}: a win ended by the clock");
            return;
        }
        let repeated = seen.iter().any(|earlier| earlier.same_position(&board));
        seen.push(board.clone());
        let moves = tables.probe_root(&board, repeated, true).unwrap();
        let pick = if board.side_to_move() == us {
            let best = moves
                .iter()
                .take_while(|mv| mv.rank == moves[0].rank)
                .count();
            &moves[random.below(best)]
        } else {
            let patience = |dtz: Option<Dtz>| dtz.map_or(0, |dtz| dtz.plies);
            moves
                .iter()
                .min_by_key(|mv| (-mv.rank.signum(), patience(mv.dtz)))
                .unwrap()
        };
        if pick.zeroing {
            seen.clear();
        }
        if expected == Wdl::Draw && ply > 40 {
            return;
        }
        board.play(pick.mv);
    }
}

#[test]
fn the_top_rank_throws_nothing_away() {
    let Some(paths) = all_shared() else { return };
    let tables = native(&paths);
    let (mut won, mut drawn) = (0, 0);
    let mut random = Random::new(11);
    for (mut board, _) in truth("truth_34.jsonl") {
        for clock in [0, 40, 80] {
            board.set_halfmove_clock(clock);
            match category(&tables, &board) {
                Category::Win if won < 120 => won += 1,
                Category::Draw if drawn < 100 => drawn += 1,
                _ => continue,
            }
            play_out(&tables, &board, &mut random);
        }
    }
    assert_eq!((won, drawn), (120, 100));
}

#[test]
fn a_double_push_into_en_passant_loses() {
    let tables = native(&bundled());
    let board: Board = "1K6/7p/8/3k2P1/8/8/8/8 b - - 0 5".parse().unwrap();
    assert_eq!(tables.dtz(&board).unwrap().plies, 5);
    let moves = tables.probe_root(&board, false, true).unwrap();
    let push = moves
        .iter()
        .find(|mv| mv.mv == "h7h5".parse().unwrap())
        .unwrap();
    assert_eq!((push.wdl, push.zeroing), (Wdl::Loss, true));
    assert_eq!(moves[0].rank, TOP_RANK);
    assert_eq!(moves[0].wdl, Wdl::Win);
}

#[test]
fn the_clock_decides_between_won_and_cursed() {
    let tables = native(&bundled());
    let mut board: Board = "8/8/8/8/8/k1K5/8/7Q w - - 99 148".parse().unwrap();
    let best = &tables.probe_root(&board, false, true).unwrap()[0];
    assert_eq!((best.wdl, best.dtz), (Wdl::Win, Some(Dtz::exact(1))));
    board.set_halfmove_clock(100);
    assert_eq!(
        tables.probe_root(&board, false, true).unwrap()[0].wdl,
        Wdl::CursedWin
    );
    assert_eq!(
        tables.probe_root(&board, false, false).unwrap()[0].wdl,
        Wdl::Win
    );
}

#[test]
fn repetition_and_a_late_clock_leave_only_progress() {
    let tables = native(&bundled());
    let mut board: Board = "8/8/8/3k4/8/8/7Q/K7 w - - 0 1".parse().unwrap();
    let top = |board: &Board, repeated| {
        let moves = tables.probe_root(board, repeated, true).unwrap();
        moves
            .iter()
            .take_while(|mv| mv.rank == moves[0].rank)
            .map(|mv| mv.dtz.unwrap().plies)
            .collect::<Vec<_>>()
    };
    let free = top(&board, false);
    assert!(free.iter().any(|dtz| *dtz != free[0]));
    let forced = top(&board, true);
    assert!(forced.len() < free.len() && forced.iter().all(|dtz| *dtz == forced[0]));
    board.set_halfmove_clock(90);
    assert_eq!(top(&board, false), forced);
}

#[test]
fn main_lines_end_in_mate_or_say_why_not() {
    let tables = native(&bundled());
    for fen in [
        "8/8/8/3k4/8/8/7Q/K7 w - - 0 1",
        "8/8/8/8/8/2k5/3r4/K6Q w - - 0 1",
    ] {
        let mut board: Board = fen.parse().unwrap();
        let line = tables.main_line(&board, 400).unwrap();
        assert_eq!(line.end, LineEnd::Checkmate, "{fen}");
        line.moves.iter().for_each(|step| board.play(step.mv));
        assert!(is_over(&board) && !board.checkers().is_empty());
        assert_eq!(line.moves.last().unwrap().dtz, None);
    }
    for (fen, end) in [
        (
            "8/8/8/3k4/8/8/8/KB6 w - - 0 1",
            LineEnd::InsufficientMaterial,
        ),
        ("8/8/8/3k4/8/8/8/K6R w - - 0 1", LineEnd::MaxPlies),
        ("8/8/8/3k4/8/8/8/K6R w - - 98 80", LineEnd::FiftyMoves),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", LineEnd::Stalemate),
    ] {
        let line = tables.main_line(&fen.parse().unwrap(), 3).unwrap();
        assert_eq!(line.end, end, "{fen}");
        assert_eq!(line.moves.len() == 3, end == LineEnd::MaxPlies, "{fen}");
    }
}

#[test]
fn uncovered_positions_are_decided_by_their_moves() {
    let tables = native(&bundled());
    let outlook = |fen: &str| tables.look_ahead(&fen.parse().unwrap());
    // Six men without a table, but Qg7 mates.
    let mate = outlook("8/4K2k/5Q1P/6P1/8/8/q7/8 w - - 99 148").unwrap();
    assert_eq!((mate.wdl, mate.dtz), (Wdl::Win, Some(Dtz::exact(1))));
    assert_eq!(mate.dtz.unwrap().category(99), Category::Win);
    assert_eq!(mate.dtz.unwrap().category(100), Category::CursedWin);
    // Castling rights, but Rh1xh8 wins in a tabled ending without them.
    let castling = "4k2r/8/8/8/8/8/8/4K2R w K - 0 1";
    assert!(tables.probe_wdl(&castling.parse().unwrap()).is_err());
    assert_eq!(outlook(castling).unwrap().wdl, Wdl::Win);
    // Nothing decides here.
    assert_eq!(outlook("4k3/pp6/8/8/8/8/PP6/4K2R w K - 0 1"), None);
}
