//! Which samples teach, which choose, and which judge: whole games, by a hash of seed and game.

use sextant_board::Random;

/// What samples of a game are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Weights are fitted to them: eight games of ten.
    Train,
    /// The ridge is chosen by them: one of ten.
    Valid,
    /// Nothing but judging: one of ten.
    Test,
}

/// The part of a game.
pub(super) fn part(seed: u64, group: u64) -> Part {
    match Random::of_item(seed ^ 0x0073_706c_6974, group).below(10) {
        0..8 => Part::Train,
        8 => Part::Valid,
        _ => Part::Test,
    }
}
