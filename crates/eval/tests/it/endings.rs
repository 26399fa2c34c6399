//! Endings whose value is known, and mates of a bare king by a very small search.

use sextant_board::{Color, Move, Position, Score};
use sextant_eval::{Params, State};

use crate::common::moves_of;

fn position(fen: &str) -> Position {
    Position::new(fen.parse().unwrap_or_else(|err| panic!("{fen}: {err}")))
}

/// The value for White without the tempo bonus.
fn white(fen: &str) -> i32 {
    let pos = position(fen);
    let mut state = State::new(Params::Classical { tempo: 0 });
    state.reset(&pos);
    let score = state.evaluate(&pos).raw();
    if pos.side_to_move() == Color::White {
        score
    } else {
        -score
    }
}

#[test]
fn dead_positions_are_draws_without_tempo() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KB3/8/8 b - - 0 1",
        "8/8/3nk3/8/8/3KB3/8/8 w - - 0 1",
        "8/8/3bk3/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
        "8/8/4k3/8/4n3/3K4/4n3/8 b - - 0 1",
    ] {
        let pos = position(fen);
        let mut state = State::new(Params::Classical { tempo: 30 });
        state.reset(&pos);
        assert_eq!(state.evaluate(&pos), Score::DRAW, "{fen}");
    }
}

#[test]
fn extra_pieces_that_cannot_win_are_worth_little() {
    for (fen, limit) in [
        // Rook against minor piece, queen against queen, rook and bishop against rook.
        ("8/8/4k3/4n3/8/3K4/4R3/8 w - - 0 1", 60),
        ("8/8/2qk4/8/8/3K4/4Q3/8 b - - 0 1", 60),
        ("8/8/2rk4/8/8/4KB2/4R3/8 w - - 0 1", 180),
        // The bishop does not reach the corner where the king sits.
        ("k7/8/8/P7/8/8/3K4/4B3 w - - 0 1", 60),
        ("8/7k/8/7P/8/8/3K4/8 w - - 0 1", 60),
        // A lone knight against a pawn does not win.
        ("8/8/4k3/8/4p3/3K4/4N3/8 w - - 0 1", 90),
    ] {
        assert!(white(fen).abs() <= limit, "{fen}: {}", white(fen));
    }
}

#[test]
fn the_right_bishop_wins_with_a_rook_pawn() {
    let wrong = white("k7/8/8/P7/8/8/3K4/4B3 w - - 0 1");
    let right = white("k7/8/8/P7/8/8/3K4/3B4 w - - 0 1");
    assert!(right > wrong + 200, "{right} against {wrong}");
}

#[test]
fn bishops_of_opposite_colors_draw_more() {
    let same = white("8/4kb2/8/4p3/4P2P/3B4/4K3/8 w - - 0 1");
    let opposite = white("8/4k1b1/8/4p3/4P2P/3B4/4K3/8 w - - 0 1");
    assert!(opposite * 3 < same * 2, "{opposite} against {same}");
}

#[test]
fn the_clock_fades_the_value() {
    let at = |clock: u32| white(&format!("8/8/4k3/4p3/8/3KQ3/8/8 w - - {clock} 80"));
    assert!(at(0) > at(20) && at(20) > at(60) && at(60) > at(99));
    assert!((at(0) - 2 * at(99)).abs() <= at(0) / 50);
}

#[test]
fn no_board_leaves_the_band_of_evaluations() {
    // About all that a FEN can hold: fourteen queens against a walled-in king.
    for (fen, sign) in [
        ("QQQQQQQQ/QQQQQQ2/8/8/8/8/pp6/kB3K2 w - - 0 1", 1),
        ("Kb3k2/PP6/8/8/8/8/qqqqqq2/qqqqqqqq b - - 0 1", -1),
    ] {
        let pos = position(fen);
        let mut state = State::new(Params::default());
        state.reset(&pos);
        let score = state.evaluate(&pos);
        assert!(!score.is_decisive(), "{fen}: {score:?}");
        assert!(white(fen) * sign > 10_000, "{fen}: {}", white(fen));
    }
}

/// Fixed-depth alpha-beta: enough to follow a gradient, not to find a long mate by itself.
fn search(
    state: &mut State,
    pos: &Position,
    depth: u32,
    ply: i32,
    (mut alpha, beta): (i32, i32),
) -> i32 {
    let moves = moves_of(pos);
    if moves.is_empty() {
        return if pos.in_check() { ply - 32_000 } else { 0 };
    }
    if depth == 0 {
        return state.evaluate(pos).raw();
    }
    let mut best = -32_000;
    for mv in moves {
        let (next, delta) = pos.make(mv);
        state.push(&delta);
        let score = -search(state, &next, depth - 1, ply + 1, (-beta, -alpha));
        state.pop();
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}

fn best_move(state: &mut State, pos: &Position, depth: u32, seen: &[u64]) -> Option<Move> {
    let mut best = None;
    let mut alpha = -32_001;
    for mv in moves_of(pos) {
        let (next, delta) = pos.make(mv);
        state.reset(pos);
        state.push(&delta);
        let mut score = -search(state, &next, depth - 1, 1, (-32_001, -alpha));
        if seen.contains(&next.key()) {
            score = score.min(0);
        }
        if score > alpha {
            alpha = score;
            best = Some(mv);
        }
    }
    best
}

/// Both sides search; returns the plies to mate, or `None` if there was none in 100 plies.
fn plies_to_mate(fen: &str, depth: u32) -> Option<usize> {
    let mut state = State::new(Params::default());
    let mut pos = position(fen);
    let mut seen = vec![pos.key()];
    for ply in 0..100 {
        let Some(mv) = best_move(&mut state, &pos, depth, &seen) else {
            return pos.in_check().then_some(ply);
        };
        pos = pos.make(mv).0;
        seen.push(pos.key());
    }
    None
}

#[test]
fn a_bare_king_is_mated_by_queen_or_rook() {
    for (fen, depth) in [
        ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 3),
        ("8/8/8/3k4/8/8/8/K5Q1 w - - 0 1", 3),
        ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", 4),
        ("8/8/4k3/8/8/2K5/8/7R w - - 0 1", 4),
        ("7r/8/2k5/8/8/4K3/8/8 b - - 0 1", 4),
        ("8/8/8/3k4/8/8/8/KBB5 w - - 0 1", 4),
    ] {
        let plies = plies_to_mate(fen, depth);
        assert!(plies.is_some(), "{fen}: no mate at depth {depth}");
    }
}

#[test]
fn pawns_beside_mating_pieces_are_kept_and_pushed() {
    let bare = white("8/8/4k3/8/8/4K3/8/2B2N2 w - - 0 1");
    let with_pawn = white("8/8/4k3/8/8/4K3/P7/2B2N2 w - - 0 1");
    let further = white("8/8/4k3/P7/8/4K3/8/2B2N2 w - - 0 1");
    let promoted = white("Q7/8/4k3/8/8/4K3/8/2B2N2 b - - 0 1");
    assert!(bare + 150 < with_pawn && with_pawn < further && further + 300 < promoted);
    // Nor does giving the pawn for the right corner pay.
    let cornered = white("7k/8/6K1/8/8/8/8/2B2N2 w - - 0 1");
    assert!(with_pawn + 10 > cornered, "{with_pawn} against {cornered}");
}

#[test]
fn bishop_and_knight_drive_to_the_right_corner() {
    let corner = |king: &str| white(&format!("{king} w - - 0 1"));
    // The bishop on c1 goes to dark squares: a1 and h8, not a8.
    let right = corner("7k/8/5K2/8/8/4N3/8/2B5");
    let wrong = corner("k7/8/2K5/8/8/4N3/8/2B5");
    let centre = corner("8/8/8/4k3/8/2K1N3/8/2B5");
    assert!(
        right > wrong + 100 && wrong >= centre - 60,
        "{right} {wrong} {centre}"
    );
    // On a light-squared bishop the corners change places.
    let light = corner("k7/8/2K5/8/8/4N3/8/5B2");
    assert!(light > wrong + 100, "{light} against {wrong}");
}
