//! The fuzz target `files`: what earlier runs left and anybody may have changed. `scripts/fuzz`
//! builds it in place of `main`.

use libfuzzer_sys::fuzz_target;

use crate::{matches, spsa, train, viriformat::Reader};

// The first byte tells what the rest is to be.
fuzz_target!(|bytes: &[u8]| {
    match (bytes.split_first(), str::from_utf8(bytes)) {
        (Some((b'g', rest)), _) => games(rest),
        (Some((b'c', rest)), _) => train::fuzz_checkpoint(rest),
        (Some((b'm', _)), Ok(text)) => matches::fuzz_state(&text[1..]),
        (Some((b's', _)), Ok(text)) => spsa::fuzz_state(&text[1..]),
        _ => {}
    }
});

/// What was read is written and read again, equal.
fn games(bytes: &[u8]) {
    let mut reader = Reader::new(bytes, "games.vf");
    let mut written = Vec::new();
    while let Ok(Some(game)) = reader.next_game() {
        written.extend(game.to_bytes());
    }
    let mut again = Reader::new(&written[..], "written.vf");
    let mut rewritten = Vec::new();
    while let Some(game) = again.next_game().expect("what was written is read") {
        rewritten.extend(game.to_bytes());
    }
    assert_eq!(written, rewritten);
}
