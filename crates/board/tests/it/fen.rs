//! Positions as text: what is accepted, what is refused, and how the refusal reads.

use proptest::prelude::*;
use sextant_board::{Epd, FenError, MAX_MOVES, MoveSets, Position, Square, parse_fen, to_fen};

use crate::common::random_positions;

#[test]
fn good_positions_come_back_as_they_were() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 99 300",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        // X-FEN: the inner rook keeps the right.
        "4k3/8/8/8/8/8/8/R1R1K1RR w GC - 3 4",
        "8/8/8/8/8/8/8/K1k5 w - - 100 65535",
    ] {
        assert_eq!(to_fen(&parse_fen(fen).unwrap(), false), fen);
    }
}

#[test]
fn dialects_mean_the_same() {
    let keys = |texts: &[&str]| -> Vec<u64> {
        texts
            .iter()
            .map(|fen| parse_fen(fen).unwrap().key())
            .collect()
    };
    for group in [
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK -",
            "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w KQkq - - -\t",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7",
            "rnbqkbnr/pppppppp/11111111/8/8/44/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
        ][..],
        &[
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b KQkq - 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GQkb - 0 1",
        ],
    ] {
        let keys = keys(group);
        assert!(keys.iter().all(|&key| key == keys[0]), "{group:?}");
    }
}

#[test]
fn clocks_are_brought_into_range() {
    for (fen, clock, number) in [
        ("8/8/8/8/8/8/8/K1k5 w - - 101 5", 100, 5),
        ("8/8/8/8/8/8/8/K1k5 w - - 99999999999999999999999 0", 100, 1),
        ("8/8/8/8/8/8/8/K1k5 w - - 12 70000", 12, 65_535),
    ] {
        let pos = parse_fen(fen).unwrap();
        assert_eq!(pos.clock(), clock);
        assert_eq!(pos.board().fullmove_number(), number);
    }
}

#[test]
fn an_en_passant_square_needs_a_legal_capture() {
    for (fen, kept) in [
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", true),
        // Nobody beside the pawn; no pawn; a piece behind it; a pin; the wrong rank or side.
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", false),
        ("4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1", false),
        ("4k3/8/8/8/3pP3/4N3/8/4K3 b - e3 0 1", false),
        ("4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1", false),
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", false),
        ("3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1", false),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e4 0 1", false),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e6 0 1", false),
        ("4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1", false),
        // In check from another piece the double push cannot have been the last move.
        ("4k3/8/5N2/8/2pP4/8/8/4K3 b - d3 0 1", false),
    ] {
        let pos = parse_fen(fen).unwrap();
        assert_eq!(pos.board().en_passant().is_some(), kept, "{fen}");
        assert_eq!(to_fen(&pos, false).contains(" e3 "), kept, "{fen}");
    }
}

#[test]
fn bad_positions_are_refused_by_name() {
    let long = format!("{} w - - 0 1 => 1001 ranks", "8/".repeat(1000));
    let lines = include_str!("../../testdata/bad_fens.txt").lines();
    for line in lines.chain([long.as_str()]) {
        let (fen, words) = line.split_once(" => ").expect(line);
        let error = parse_fen(fen).expect_err(line).to_string();
        assert!(error.contains(words), "{line}: {error}");
    }
}

#[test]
fn errors_can_be_matched() {
    assert_eq!(
        parse_fen("8/8/8/8/8/8/8/K1k4p w - - 0 1"),
        Err(FenError::PawnRank { square: Square::H1 })
    );
}

#[test]
fn two_hundred_and_more_moves_fit() {
    let fen = "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1";
    assert_eq!(MoveSets::generate(&parse_fen(fen).unwrap()).count(), 218);
}

#[test]
fn every_position_of_random_games_comes_back() {
    random_positions(61, 200, 200, |pos| {
        for chess960 in [false, true] {
            let text = to_fen(pos, chess960);
            let again = parse_fen(&text).unwrap();
            assert_eq!(again.key(), pos.key(), "{text}");
            assert_eq!(again.clock(), pos.clock());
            assert_eq!(to_fen(&again, chess960), text);
        }
    });
}

/// Pieces, slashes, digits: texts that get past the first checks.
fn nearly_fen() -> impl Strategy<Value = String> {
    (
        prop::collection::vec("[pnbrqkPNBRQK1-8]{1,8}", 7..=9),
        "[wb]",
        "[KQkqA-Ha-h-]{1,4}",
        "([a-h][1-8]|-)",
        "[0-9]{1,4}",
    )
        .prop_map(|(rows, side, castling, square, clock)| {
            format!("{} {side} {castling} {square} {clock} 1", rows.join("/"))
        })
}

/// A real FEN with a few bytes replaced.
fn mutated_fen() -> impl Strategy<Value = String> {
    let start = to_fen(&Position::startpos(), false);
    let changes = prop::collection::vec((0..start.len(), 32u8..127), 0..4);
    changes.prop_map(move |changes| {
        let mut bytes = start.clone().into_bytes();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        String::from_utf8(bytes).unwrap()
    })
}

/// Whatever is accepted can be played.
fn must_be_playable(text: &str) {
    let Ok(pos) = parse_fen(text) else { return };
    for mv in MoveSets::generate(&pos).iter() {
        let (after, _) = pos.make(mv);
        assert!(MoveSets::generate(&after).count() <= MAX_MOVES);
    }
    assert_eq!(parse_fen(&to_fen(&pos, false)).unwrap().key(), pos.key());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,120}") {
        must_be_playable(&text);
        let _ = Epd::parse(&text);
    }

    #[test]
    fn near_misses_are_read_or_refused(text in nearly_fen()) {
        must_be_playable(&text);
    }

    #[test]
    fn mutated_positions_are_read_or_refused(text in mutated_fen()) {
        must_be_playable(&text);
        let _ = Epd::parse(&text);
    }
}
