//! Positions and lines of test suites: what is read is written and read again, equal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sextant_board::{Epd, MAX_MOVES, MoveSets, parse_fen, parse_loose_fen, to_fen};

fuzz_target!(|text: &str| {
    if let Ok(position) = parse_fen(text) {
        for chess960 in [false, true] {
            let written = to_fen(&position, chess960);
            let again = parse_fen(&written).expect("what was written is read");
            assert_eq!(again, position, "{written}");
        }
        // No position that is let in makes move generation fail.
        assert!(MoveSets::generate(&position).count() <= MAX_MOVES);
    }
    let _ = parse_loose_fen(text).map_err(|error| error.to_string());
    if let Err(error) = Epd::parse(text) {
        let _ = error.to_string();
    }
});
