//! Positions, EPD lines and moves as text: what is accepted, what is refused, and how the refusal
//! reads.

use proptest::prelude::*;
use sextant_board::{
    Epd, EpdError, MAX_MOVES, MoveSets, Position, display_uci_move, parse_fen, parse_loose_fen,
    parse_san, parse_uci_move, to_fen,
};

use crate::common::random_positions;

/// The rows of a table: a text and what is said to it.
fn rows(table: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = table.lines();
    lines.map(|line| line.split_once(" => ").expect(line))
}

#[test]
fn positions_are_read_in_all_dialects() {
    for (text, fen) in rows(include_str!("../../testdata/fens.txt")) {
        assert_eq!(to_fen(&parse_fen(text).expect(text), false), fen, "{text}");
    }
}

#[test]
fn bad_positions_are_refused_by_name() {
    let long = "8/".repeat(1000) + " w - - 0 1";
    let table = rows(include_str!("../../testdata/bad_fens.txt"));
    for (fen, words) in table.chain([(long.as_str(), "has 1001")]) {
        let error = parse_fen(fen).expect_err(fen).to_string();
        assert!(error.contains(words), "{fen}: {error}");
    }
}

#[test]
fn positions_as_people_type_them() {
    for (text, said) in rows(include_str!("../../testdata/loose_fens.txt")) {
        let found = match parse_loose_fen(text) {
            Ok(board) => to_fen(&Position::new(board), false),
            Err(error) => error.to_string(),
        };
        assert!(found.contains(said), "{text}: {found}");
    }
}

/// In UCI notation with castling both ways, where it is shown.
#[test]
fn moves_as_text() {
    for (question, said) in rows(include_str!("../../testdata/move_texts.txt")) {
        let (fen, text) = question.split_once(": ").expect(question);
        let pos = parse_fen(fen).expect(fen);
        let read = match text.split_once(' ').expect(question) {
            ("san", text) => parse_san(&pos, text).map_err(|error| error.to_string()),
            (_, text) => parse_uci_move(&pos, text).map_err(|error| error.to_string()),
        };
        let found = match read {
            Ok(mv) => format!(
                "{}, {}",
                display_uci_move(&pos, mv, true),
                display_uci_move(&pos, mv, false)
            ),
            Err(error) => error,
        };
        assert!(found.contains(said), "{question}: {found}");
    }
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

#[test]
fn a_mirrored_position_has_the_colors_swapped() {
    for (fen, mirrored) in [
        (
            "r3k2r/p1pp1pb1/bn2pnp1/2qPN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQq - 3 7",
            "r3k2r/pppbbppp/2n2q1P/1P2p3/2Qpn3/BN2PNP1/P1PP1PB1/R3K2R b Qkq - 3 7",
        ),
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1",
        ),
    ] {
        let other = parse_fen(fen).unwrap().mirrored();
        assert_eq!(to_fen(&other, false), mirrored);
        assert_eq!(to_fen(&other.mirrored(), false), fen);
    }
}

#[test]
fn suite_lines_of_all_kinds() {
    let wac = r#"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";"#;
    let epd = Epd::parse(wac).unwrap();
    assert_eq!(epd.bm[0].to_string(), "g3g6");
    assert_eq!(epd.id.as_deref(), Some("WAC.001"));

    let mate = "4R3/1k6/bp6/1p1P4/1K6/8/1B6/3Q4 w - - bm #3; 00:00;";
    let epd = Epd::parse(mate).unwrap();
    assert_eq!((epd.dm, epd.bm.len()), (Some(3), 0));
    assert_eq!(epd.ops, [("00:00".to_owned(), String::new())]);
    let mated = Epd::parse("8/8/8/8/8/8/8/K1k5 w - - dm -4;").unwrap();
    assert_eq!(mated.dm, Some(-4));

    let perft = "4k3/8/8/8/8/8/8/4K2R w K - 3 9 ;D1 15 ;D2 66 ;D3 1197";
    let epd = Epd::parse(perft).unwrap();
    assert_eq!(epd.ops[2], ("D3".to_owned(), "1197".to_owned()));
    assert_eq!(epd.position.clock(), 3);

    let several = r#"4k3/8/8/8/8/8/8/R3K2R w KQ - bm O-O 0-0-0 Ra8+; am Kd2!?; c0 "semi; colon";"#;
    let epd = Epd::parse(several).unwrap();
    let bm: Vec<_> = epd.bm.iter().map(ToString::to_string).collect();
    assert_eq!(bm, ["e1h1", "e1a1", "a1a8"]);
    assert_eq!(epd.am.len(), 1);
    assert_eq!(epd.ops, [("c0".to_owned(), "semi; colon".to_owned())]);
}

#[test]
fn bad_suite_lines_say_what_is_wrong() {
    for (line, words) in [
        ("8/8/8/8/8/8/8/K7 w - - bm Ka2;", "Black has 0 kings"),
        ("8/8/8/8/8/8/8/K1k5 w - - bm Kb8;", "in bm: \"Kb8\""),
        ("8/8/8/8/8/8/8/K1k5 w - - am e4 Ka2;", "in am: \"e4\""),
        ("8/8/8/8/8/8/8/K1k5 w - - dm soon;", "in dm: \"soon\""),
        ("8/8/8/8/8/8/8/K1k5 w - - bm #x;", "in bm: \"x\""),
    ] {
        let error = Epd::parse(line).unwrap_err();
        assert!(error.to_string().contains(words), "{line}: {error}");
    }
    assert!(matches!(Epd::parse(""), Err(EpdError::Fen(_))));
}

/// Pieces, slashes, digits: texts that get past the first checks.
fn nearly_fen() -> impl Strategy<Value = String> {
    let rows = prop::collection::vec("[pnbrqkPNBRQK1-8]{1,8}", 7..=9);
    let fields = "[wb] [KQkqA-Ha-h-]{1,4} ([a-h][1-8]|-) [0-9]{1,4} 1";
    (rows, fields).prop_map(|(rows, fields)| format!("{} {fields}", rows.join("/")))
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
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3_000) })]

    #[test]
    fn any_text_is_a_position_or_refused(
        text in prop_oneof!["\\PC{0,120}", nearly_fen(), mutated_fen()]
    ) {
        must_be_playable(&text);
        let _ = Epd::parse(&text);
    }

    #[test]
    fn any_text_is_a_legal_move_or_refused(text in "([a-hO0][1-8-][a-hO0x=][1-8QNRBK]{0,2}|\\PC{0,8})") {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let pos = parse_fen(fen).unwrap();
        for mv in [parse_uci_move(&pos, &text).ok(), parse_san(&pos, &text).ok()] {
            prop_assert!(mv.is_none_or(|mv| pos.board().is_legal(mv)));
        }
    }
}
