//! The paper's `Decrement`: what remains of the depth after a move.

use super::{Reading, Settings};

/// What `Decrement` asks about the move just made (the paper's `Mode_Cell`, and check).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveFacts {
    /// A capture or a promotion.
    pub noisy: bool,
    /// It attacks the king.
    pub check: bool,
    /// It mates.
    pub mate: bool,
}

/// The depth for the position after a move that was made at a node of `depth` (at least 1), `ply`
/// plies from the root.
#[must_use]
pub fn decrement(settings: &Settings, depth: u32, ply: u32, facts: MoveFacts) -> u32 {
    let last_ply = depth == 1;
    let horizon = ply + 1 >= settings.horizon;
    if last_ply && !horizon && !facts.mate && extends(settings.reading, facts) {
        depth
    } else {
        depth - 1
    }
}

/// Whether a move at the last ply is followed by another ply.
#[must_use]
pub fn extends(reading: Reading, facts: MoveFacts) -> bool {
    match reading {
        Reading::AsPrinted => false,
        Reading::AsMeant => facts.noisy,
        Reading::AsDescribed => facts.noisy || facts.check,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPTURE: MoveFacts = MoveFacts {
        noisy: true,
        check: false,
        mate: false,
    };
    const CHECK: MoveFacts = MoveFacts {
        noisy: false,
        check: true,
        mate: false,
    };
    const QUIET: MoveFacts = MoveFacts {
        noisy: false,
        check: false,
        mate: false,
    };
    const MATE: MoveFacts = MoveFacts {
        noisy: true,
        check: true,
        mate: true,
    };

    fn after(reading: Reading, depth: u32, facts: MoveFacts) -> u32 {
        decrement(
            &Settings {
                reading,
                ..Settings::skill(5)
            },
            depth,
            4,
            facts,
        )
    }

    #[test]
    fn the_three_readings_differ_at_the_last_ply_only() {
        let table = [
            (Reading::AsPrinted, [0, 0, 0, 0]),
            (Reading::AsMeant, [1, 0, 0, 0]),
            (Reading::AsDescribed, [1, 1, 0, 0]),
        ];
        for (reading, expected) in table {
            let found = [CAPTURE, CHECK, QUIET, MATE].map(|facts| after(reading, 1, facts));
            assert_eq!(found, expected, "{reading:?}");
            assert_eq!(after(reading, 3, CAPTURE), 2, "{reading:?}");
        }
    }

    #[test]
    fn no_line_is_extended_beyond_the_horizon() {
        let settings = Settings {
            horizon: 10,
            ..Settings::skill(5)
        };
        assert_eq!(decrement(&settings, 1, 8, CAPTURE), 1);
        assert_eq!(decrement(&settings, 1, 9, CAPTURE), 0);
    }
}
