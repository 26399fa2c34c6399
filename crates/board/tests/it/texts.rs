//! Positions, EPD lines and moves as text: what is accepted, what is refused, and how the refusal
//! reads.

use proptest::prelude::*;
use sextant_board::{
    Epd, EpdError, MAX_MOVES, MoveSets, Position, UciMoveError, display_uci_move, parse_fen,
    parse_loose_fen, parse_san, parse_uci_move, to_fen,
};

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
        let keys: Vec<_> = group
            .iter()
            .map(|fen| parse_fen(fen).unwrap().key())
            .collect();
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
fn short_fens_and_epds_are_read() {
    for (end, clock) in [
        ("", 0),
        (" b", 0),
        (" w - -", 0),
        (" w - - 7", 7),
        (" w - - 7 bm Qh8;", 7),
        (" w - - 7 12 and more", 7),
        (" w - - bm Qh8; id \"x\";", 0),
        (" w - - ; D1 20", 0),
        (" w - - 7 x", 7),
        ("_w_-_-_0_0", 0),
    ] {
        let board = parse_loose_fen(&format!("8/8/8/3r4/8/2k5/8/K6Q{end}")).unwrap();
        assert_eq!(board.halfmove_clock(), clock, "{end}");
    }
}

#[test]
fn what_people_mistype_is_named() {
    for (text, says) in [
        ("", "no position"),
        ("8/8/8 w", "3 ranks"),
        (
            "k7/8/8/8/8/8/8/K7 w - - 101 1",
            "\"101\"; allowed: 0 to 100",
        ),
        ("k7/8/8/8/8/8/8/K7 w - - -1 1", "\"-1\"; allowed: 0 to 100"),
    ] {
        let error = parse_loose_fen(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
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
    let counts: Vec<_> = epd.perft_counts().collect();
    assert_eq!(counts, [(1, 15), (2, 66), (3, 1197)]);
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

/// The suites that the project is measured with.
#[test]
fn every_line_of_the_shared_suites_is_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    if !std::path::Path::new(folder).is_dir() {
        println!("skipped: {folder} is not there");
        return;
    }
    let mut lines = 0;
    for sub in ["suites", "books"] {
        for entry in std::fs::read_dir(format!("{folder}/{sub}")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "epd") {
                continue;
            }
            for line in std::fs::read_to_string(&path).unwrap().lines() {
                let read = Epd::parse(line).map(drop);
                let blank = line.trim().is_empty();
                assert!(
                    blank || read == Ok(()),
                    "{}: {line}: {read:?}",
                    path.display()
                );
                lines += 1;
            }
        }
    }
    assert!(lines > 70_000, "{lines}");
}

#[test]
fn san_with_ornaments() {
    let pos = parse_fen("1n5k/P7/8/3pP3/8/8/6N1/R3K1N1 w Q d6 0 1").unwrap();
    for (san, uci) in [
        ("exd6", "e5d6"),
        ("exd6 e.p.", "e5d6"),
        ("axb8=Q+", "a7b8q"),
        ("axb8N", "a7b8n"),
        ("a8=R#", "a7a8r"),
        ("0-0-0!!", "e1a1"),
        ("Nf3?", "g1f3"),
        ("Nf4", "g2f4"),
    ] {
        assert_eq!(parse_san(&pos, san).unwrap().to_string(), uci, "{san}");
    }
    for san in [
        "", "Ke9", "Qd1", "O-O", "a8", "a8=K", "xx", "Ñf3", "Nh3x", "+++",
    ] {
        let error = parse_san(&pos, san).unwrap_err().to_string();
        assert!(error.contains("exactly one legal move"), "{san}");
    }
    let two = parse_fen("7k/8/8/8/8/8/8/RR5K w - - 0 1").unwrap();
    assert!(parse_san(&two, "Rc1").is_ok());
    let two = parse_fen("7k/8/8/8/8/8/8/R3R2K w - - 0 1").unwrap();
    assert!(parse_san(&two, "Rc1").is_err(), "two rooks reach c1");
    assert_eq!(parse_san(&two, "Rec1").unwrap().to_string(), "e1c1");
}

#[test]
fn castling_is_read_both_ways() {
    let pos = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    for (text, mv, standard) in [
        ("e1g1", "e1h1", "e1g1"),
        ("e1h1", "e1h1", "e1g1"),
        ("e1c1", "e1a1", "e1c1"),
        ("e1a1", "e1a1", "e1c1"),
        ("e1f1", "e1f1", "e1f1"),
    ] {
        let read = parse_uci_move(&pos, text).unwrap();
        assert_eq!(read.to_string(), mv);
        assert_eq!(display_uci_move(&pos, read, true).to_string(), mv);
        assert_eq!(display_uci_move(&pos, read, false).to_string(), standard);
    }
    // A king beside its castling square: the short text is a step.
    let step = parse_fen("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1").unwrap();
    assert!(!step.is_castling(parse_uci_move(&step, "f1g1").unwrap()));
    assert!(step.is_castling(parse_uci_move(&step, "f1h1").unwrap()));
    assert!(step.is_castling(parse_uci_move(&step, "f1c1").unwrap()));
}

#[test]
fn moves_that_are_none() {
    let pos = Position::startpos();
    for text in [
        "", "e2", "e2e9", "0000", "e2e4x", "e2e4qq", "ééé", "e2-e4", "(none)",
    ] {
        let refused = parse_uci_move(&pos, text);
        assert!(
            matches!(refused, Err(UciMoveError::Malformed { .. })),
            "{text}"
        );
    }
    for text in ["e2e5", "e7e5", "e1g1", "e2e4q", "a1a1", "e1e2", "h8h7"] {
        let refused = parse_uci_move(&pos, text);
        assert!(
            matches!(refused, Err(UciMoveError::Illegal { .. })),
            "{text}"
        );
    }
    let promotes = parse_fen("7k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap();
    assert!(parse_uci_move(&promotes, "a7a8").is_err());
    assert!(parse_uci_move(&promotes, "a7a8k").is_err());
    let queen = parse_uci_move(&promotes, "a7a8Q").unwrap();
    assert_eq!(queen.to_string(), "a7a8q");
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
