//! The classical evaluation: properties on positions of random games, and known values, those of
//! endings above all.

use sextant_board::{Board, Epd, Position, Score, cozy_chess::BoardBuilder};
use sextant_eval::EvalModel;

use crate::common::{fresh, moves_of, random_games};

const NO_TEMPO: EvalModel = EvalModel::Classical { tempo: 0 };

fn position(fen: &str) -> Position {
    Position::new(fen.parse().unwrap_or_else(|err| panic!("{fen}: {err}")))
}

/// The position with left and right exchanged, without en passant and castling.
fn other_wing(board: &Board) -> Position {
    let mut builder = BoardBuilder::empty();
    for square in board.occupied() {
        let piece = board.piece_on(square).zip(board.color_on(square));
        *builder.square_mut(square.flip_file()) = piece;
    }
    builder.side_to_move = board.side_to_move();
    builder.halfmove_clock = board.halfmove_clock();
    Position::new(builder.build().expect("as valid as the board"))
}

#[test]
fn incremental_is_from_scratch() {
    let mut positions = 0;
    random_games(1, &EvalModel::default(), |state, pos| {
        let expected = fresh(&EvalModel::default(), pos);
        assert_eq!(state.evaluate(pos), expected, "{}", pos.board());
        positions += 1;
    });
    assert!(positions > 5_000, "only {positions} positions seen");
}

#[test]
fn the_colors_and_the_wings_are_equal() {
    random_games(2, &EvalModel::default(), |state, pos| {
        for mirror in [pos.mirrored(), other_wing(pos.board())] {
            let expected = fresh(&EvalModel::default(), &mirror);
            assert_eq!(state.evaluate(pos), expected, "{}", pos.board());
        }
    });
}

#[test]
fn a_null_move_changes_only_the_side_and_the_clock() {
    let start = Position::startpos();
    let pos = start.make(moves_of(&start)[0]).0;
    let passed = pos.make_null().expect("not in check");
    let [value, opposite] = [pos, passed].map(|pos| fresh(&NO_TEMPO, &pos).raw());
    assert!((value + opposite).abs() <= 1);
}

/// The values of positions that show one term each and of endings, in centipawns without tempo:
/// whatever changes a term changes them. In an ending without the means to win little is left, and
/// a bare king is worth less the nearer it is to mate: a search follows this slope until it sees
/// one.
#[test]
fn known_values() {
    for line in include_str!("../../testdata/classical.epd").lines() {
        let epd = Epd::parse(line).expect(line);
        let expected = epd.ops.iter().find(|(opcode, _)| opcode == "ce");
        let value = fresh(&NO_TEMPO, &epd.position).raw().to_string();
        assert_eq!(Some(&value), expected.map(|(_, value)| value), "{line}");
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
        let score = fresh(&EvalModel::Classical { tempo: 30 }, &position(fen));
        assert_eq!(score, Score::DRAW, "{fen}");
    }
}

#[test]
fn no_board_leaves_the_band_of_evaluations() {
    // About all that a FEN can hold: fourteen queens against a walled-in king.
    for fen in [
        "QQQQQQQQ/QQQQQQ2/8/8/8/8/pp6/kB3K2 w - - 0 1",
        "Kb3k2/PP6/8/8/8/8/qqqqqq2/qqqqqqqq b - - 0 1",
    ] {
        let score = fresh(&EvalModel::default(), &position(fen));
        assert!(!score.is_decisive(), "{fen}: {score:?}");
        assert!(score.raw() > 10_000, "{fen}: {score:?}");
    }
}
