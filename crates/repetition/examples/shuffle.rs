//! A search that shuffles a piece out and back again: a draw when the position comes back.

use sextant_repetition::History;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut history = History::new(14)?;
    // The game so far: keys with half-move clocks, the root last.
    history.set_game([(0xA0, 0), (0xB1, 1)]);
    for (clock, key) in (2..).zip([0xC2, 0xD3, 0xE4, 0xF5, 0xC2]) {
        let comes_back = history.would_repeat(key);
        history.enter(key, clock);
        println!(
            "{key:#x}: announced {comes_back}, a draw {}",
            history.is_repetition()
        );
    }
    Ok(())
}
