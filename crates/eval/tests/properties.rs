//! Properties of the evaluation on positions of random games.

mod common;

use common::{moves_of, random_games};
use sextant_board::{Board, Color, Position, Score};
use sextant_eval::{PHASE_ONE, Params, State, Trace, WEIGHTS};

/// The default bonus for the side to move.
const TEMPO: i32 = 16;

fn fresh(pos: &Position) -> Score {
    let mut state = State::new(Params::default());
    state.reset(pos);
    state.evaluate(pos)
}

/// The position with colours exchanged, or left and right, rebuilt through its FEN (which drops
/// en passant and castling where asked).
fn mirrored(board: &Board, colours: bool, wings: bool) -> Board {
    let fen = format!("{board:#}");
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut ranks: Vec<String> = fields[0].split('/').map(str::to_owned).collect();
    if colours {
        ranks.reverse();
    }
    for rank in &mut ranks {
        if wings {
            *rank = rank.chars().rev().collect();
        }
        if colours {
            *rank = rank
                .chars()
                .map(|c| {
                    if c.is_uppercase() {
                        c.to_ascii_lowercase()
                    } else {
                        c.to_ascii_uppercase()
                    }
                })
                .collect();
        }
    }
    let side = if (board.side_to_move() == Color::White) == colours {
        "b"
    } else {
        "w"
    };
    let fen = format!(
        "{} {side} - - {} 1",
        ranks.join("/"),
        board.halfmove_clock()
    );
    Board::from_fen(&fen, true).expect("the mirror of a valid position is valid")
}

#[test]
fn incremental_is_from_scratch() {
    let mut positions = 0;
    random_games(1, &Params::default(), |state, pos| {
        assert_eq!(state.evaluate(pos), fresh(pos), "{}", pos.board());
        positions += 1;
    });
    assert!(positions > 5_000, "only {positions} positions seen");
}

#[test]
fn the_colours_are_equal() {
    random_games(2, &Params::default(), |state, pos| {
        let mirror = Position::new(mirrored(pos.board(), true, false));
        assert_eq!(state.evaluate(pos), fresh(&mirror), "{}", pos.board());
    });
}

#[test]
fn the_wings_are_equal() {
    random_games(3, &Params::default(), |state, pos| {
        let mirror = Position::new(mirrored(pos.board(), false, true));
        assert_eq!(state.evaluate(pos), fresh(&mirror), "{}", pos.board());
    });
}

#[test]
fn a_null_move_changes_only_the_side_and_the_clock() {
    let mut pos = Position::startpos();
    for mv in moves_of(pos.board()).into_iter().take(1) {
        pos = pos.make(mv).0;
    }
    let passed = pos.make_null().expect("not in check");
    let no_tempo = |pos: &Position| {
        let mut state = State::new(Params::Classical { tempo: 0 });
        state.reset(pos);
        state.evaluate(pos).raw()
    };
    assert!((no_tempo(&pos) + no_tempo(&passed)).abs() <= 1);
}

#[test]
fn the_trace_adds_up_to_the_evaluation() {
    let mut traced = 0;
    random_games(4, &Params::default(), |_, pos| {
        let Some(trace) = Trace::of(pos.board()) else {
            return;
        };
        let sum = |half: fn(usize) -> i32| -> i32 {
            trace.counts.iter().map(|&(i, count)| count * half(i)).sum()
        };
        let (mg, eg) = (sum(|i| WEIGHTS[i].mg()), sum(|i| WEIGHTS[i].eg()));
        let rest = PHASE_ONE - trace.phase;
        let white = (mg * trace.phase + eg * rest * trace.scale / 64) / PHASE_ONE;
        let ours = if pos.side_to_move() == Color::White {
            white
        } else {
            -white
        };
        let clock = i32::from(pos.clock());
        let expected = (ours + TEMPO) * (200 - clock) / 200;
        assert_eq!(fresh(pos), Score::eval(expected), "{}", pos.board());
        traced += 1;
    });
    assert!(traced > 5_000, "only {traced} positions traced");
}
