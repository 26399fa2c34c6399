//! Games: a reader that goes on after a broken game ends, and what it read is written and read
//! again, equal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sextant_board::{PgnReader, write_pgn};

fuzz_target!(|text: &str| {
    let mut reader = PgnReader::new(text);
    for _ in 0..=text.len() {
        let game = match reader.next_game() {
            Ok(Some(game)) => game,
            Ok(None) => return,
            Err(error) => {
                let _ = error.to_string();
                return;
            }
        };
        let fen = sextant_board::to_fen(&game.start, false);
        let tags = [("SetUp", "1"), ("FEN", fen.as_str())];
        let moves = game.moves.iter().map(|&mv| (mv, String::new()));
        let written = write_pgn(&tags, &game.start, moves, "*");
        let again = PgnReader::new(written.as_str()).next_game();
        let again = again.expect("what was written is read").expect("a game");
        assert_eq!((again.start, again.moves), (game.start, game.moves), "{written}");
    }
    panic!("a game has at least one character");
});
