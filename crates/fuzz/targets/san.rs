//! Moves in both notations, in a position of the input's first line; every legal move survives
//! being written and read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sextant_board::{display_uci_move, parse_fen, parse_san, parse_uci_move, to_san};

fuzz_target!(|text: &str| {
    let Some((fen, moves)) = text.split_once('\n') else {
        return;
    };
    let Ok(mut position) = parse_fen(fen) else {
        return;
    };
    for word in moves.split_whitespace() {
        let read = parse_san(&position, word).ok();
        let Some(mv) = read.or_else(|| parse_uci_move(&position, word).ok()) else {
            continue;
        };
        let written = to_san(&position, mv);
        assert_eq!(parse_san(&position, &written), Ok(mv), "{written}");
        let written = display_uci_move(&position, mv, true).to_string();
        assert_eq!(parse_uci_move(&position, &written), Ok(mv), "{written}");
        position = position.make(mv).0;
    }
});
