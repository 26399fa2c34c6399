//! The classical evaluation: properties on positions of random games, and known values.

use sextant_board::{Board, Color, Epd, Position, Score};
use sextant_eval::{Params, State};

use crate::common::{moves_of, random_games};

fn fresh(pos: &Position) -> Score {
    let mut state = State::new(Params::default());
    state.reset(pos);
    state.evaluate(pos)
}

/// The position with colors exchanged, or left and right, rebuilt through its FEN (which drops
/// en passant and castling where asked).
fn mirrored(board: &Board, colors: bool, wings: bool) -> Board {
    let fen = format!("{board:#}");
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut ranks: Vec<String> = fields[0].split('/').map(str::to_owned).collect();
    if colors {
        ranks.reverse();
    }
    for rank in &mut ranks {
        if wings {
            *rank = rank.chars().rev().collect();
        }
        if colors {
            let swapped = |c: char| match c.is_ascii_uppercase() {
                true => c.to_ascii_lowercase(),
                false => c.to_ascii_uppercase(),
            };
            *rank = rank.chars().map(swapped).collect();
        }
    }
    let side = if (board.side_to_move() == Color::White) == colors {
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
fn the_colors_and_the_wings_are_equal() {
    random_games(2, &Params::default(), |state, pos| {
        for (colors, wings) in [(true, false), (false, true)] {
            let mirror = Position::new(mirrored(pos.board(), colors, wings));
            assert_eq!(state.evaluate(pos), fresh(&mirror), "{}", pos.board());
        }
    });
}

#[test]
fn a_null_move_changes_only_the_side_and_the_clock() {
    let mut pos = Position::startpos();
    for mv in moves_of(&pos).into_iter().take(1) {
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

/// The values of positions that show one term each, in centipawns without tempo: whatever changes
/// a term changes them.
#[test]
fn known_values() {
    for line in include_str!("../../testdata/classical.epd").lines() {
        let epd = Epd::parse(line).expect(line);
        let expected = epd.ops.iter().find(|(opcode, _)| opcode == "ce");
        let mut state = State::new(Params::Classical { tempo: 0 });
        state.reset(&epd.position);
        let value = state.evaluate(&epd.position).raw().to_string();
        assert_eq!(Some(&value), expected.map(|(_, value)| value), "{line}");
    }
}
