//! EPD lines and moves as text.

use proptest::prelude::*;
use sextant_board::{
    Epd, EpdError, Position, UciMoveError, display_uci_move, parse_fen, parse_san, parse_uci_move,
};

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
    assert_eq!(
        Epd::parse("8/8/8/8/8/8/8/K1k5 w - - dm -4;").unwrap().dm,
        Some(-4)
    );

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
                if line.trim().is_empty() {
                    continue;
                }
                if let Err(error) = Epd::parse(line) {
                    panic!("{}: {line}: {error}", path.display());
                }
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
        let error = parse_san(&pos, san).unwrap_err();
        assert!(
            error.to_string().contains("exactly one legal move"),
            "{san}"
        );
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
        assert!(
            matches!(
                parse_uci_move(&pos, text),
                Err(UciMoveError::Malformed { .. })
            ),
            "{text:?}"
        );
    }
    for text in ["e2e5", "e7e5", "e1g1", "e2e4q", "a1a1", "e1e2", "h8h7"] {
        assert!(
            matches!(
                parse_uci_move(&pos, text),
                Err(UciMoveError::Illegal { .. })
            ),
            "{text:?}"
        );
    }
    let promotes = parse_fen("7k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap();
    assert!(parse_uci_move(&promotes, "a7a8").is_err());
    assert!(parse_uci_move(&promotes, "a7a8k").is_err());
    assert_eq!(
        parse_uci_move(&promotes, "a7a8Q").unwrap().to_string(),
        "a7a8q"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

    #[test]
    fn any_text_is_a_legal_move_or_refused(text in "([a-hO0][1-8-][a-hO0x=][1-8QNRBK]{0,2}|\\PC{0,8})") {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let pos = parse_fen(fen).unwrap();
        for mv in [parse_uci_move(&pos, &text).ok(), parse_san(&pos, &text).ok()] {
            prop_assert!(mv.is_none_or(|mv| pos.board().is_legal(mv)));
        }
    }
}
