//! Games: a reader that goes on after a broken game ends, and what it read is written and read
//! again, equal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sextant_board::{PgnReader, decode_pgn};

fuzz_target!(|bytes: &[u8]| {
    let text = decode_pgn(bytes);
    let mut reader = PgnReader::new(&text);
    for _ in 0..=text.len() {
        let game = match reader.next_game() {
            Ok(Some(game)) => game,
            Ok(None) => return,
            Err(error) => {
                let _ = error.to_string();
                continue;
            }
        };
        let written = game.to_text();
        let again = PgnReader::new(&written).next_game();
        let again = again.expect("what was written is read").expect("a game");
        assert_eq!((again.start, again.items), (game.start, game.items), "{written}");
    }
    panic!("a game has at least one character");
});
