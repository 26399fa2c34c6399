//! The classical evaluation: properties on positions of random games, and known values, those of
//! endings above all.

use sextant_board::{Board, Color, Epd, Position, Score, cozy_chess::BoardBuilder};
use sextant_eval::Params;

use crate::common::{fresh, moves_of, random_games};

const NO_TEMPO: Params = Params::Classical { tempo: 0 };

fn position(fen: &str) -> Position {
    Position::new(fen.parse().unwrap_or_else(|err| panic!("{fen}: {err}")))
}

/// The value for White without the tempo bonus.
fn white(fen: &str) -> i32 {
    let pos = position(fen);
    let score = fresh(&NO_TEMPO, &pos).raw();
    match pos.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    }
}

/// The position with colors exchanged, or left and right, without en passant and castling.
fn mirrored(board: &Board, colors: bool, wings: bool) -> Position {
    let mut builder = BoardBuilder::empty();
    let side = |color: Color| if colors { !color } else { color };
    for square in board.occupied() {
        let ranks = if colors { square.flip_rank() } else { square };
        let place = if wings { ranks.flip_file() } else { ranks };
        let piece = board.piece_on(square).zip(board.color_on(square));
        builder.board[place as usize] = piece.map(|(piece, color)| (piece, side(color)));
    }
    builder.side_to_move = side(board.side_to_move());
    builder.halfmove_clock = board.halfmove_clock();
    Position::new(builder.build().expect("as valid as the board"))
}

#[test]
fn incremental_is_from_scratch() {
    let mut positions = 0;
    random_games(1, &Params::default(), |state, pos| {
        let expected = fresh(&Params::default(), pos);
        assert_eq!(state.evaluate(pos), expected, "{}", pos.board());
        positions += 1;
    });
    assert!(positions > 5_000, "only {positions} positions seen");
}

#[test]
fn the_colors_and_the_wings_are_equal() {
    random_games(2, &Params::default(), |state, pos| {
        for (colors, wings) in [(true, false), (false, true)] {
            let mirror = mirrored(pos.board(), colors, wings);
            let expected = fresh(&Params::default(), &mirror);
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

/// The values of positions that show one term each, in centipawns without tempo: whatever changes
/// a term changes them.
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
        let score = fresh(&Params::Classical { tempo: 30 }, &position(fen));
        assert_eq!(score, Score::DRAW, "{fen}");
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
        let score = fresh(&Params::default(), &position(fen));
        assert!(!score.is_decisive(), "{fen}: {score:?}");
        assert!(white(fen) * sign > 10_000, "{fen}: {}", white(fen));
    }
}

/// A search follows this slope until it sees the mate; the engine's own mates with a rook a hundred
/// times in the tests of its levels.
#[test]
fn a_bare_king_is_worth_less_the_nearer_it_is_to_mate() {
    for pieces in ["6Q1", "6R1", "5BB1"] {
        let at = |kings: &str| white(&format!("{kings}/{pieces} w - - 0 1"));
        let center = at("8/8/8/3k4/8/8/3K4");
        let edge = at("8/8/8/k7/8/8/K7");
        let corner = at("k7/8/8/K7/8/8/8");
        let together = at("k7/8/K7/8/8/8/8");
        let order = [center, edge, corner, together];
        assert!(
            order.is_sorted_by(|less, more| less < more),
            "{pieces}: {order:?}"
        );
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
    let center = corner("8/8/8/4k3/8/2K1N3/8/2B5");
    assert!(
        right > wrong + 100 && wrong >= center - 60,
        "{right} {wrong} {center}"
    );
    // On a light-squared bishop the corners change places.
    let light = corner("k7/8/2K5/8/8/4N3/8/5B2");
    assert!(light > wrong + 100, "{light} against {wrong}");
}
