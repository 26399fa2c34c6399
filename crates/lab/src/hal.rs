//! HAL, the program of Wheeler's paper (2024), rebuilt from what the paper prints and says.
//!
//! HAL searches with fail-soft negamax alpha-beta, iteratively deepened, a full-width tree of
//! `skill` plies, four killers a level and a table of refutations. Its quiescence search is a
//! depth that is *not* counted down after a capture or promotion at the last ply; there is no
//! stand-pat, and every legal move is tried at every such node, so that a quiet move played there
//! leads to an evaluation and takes the part that stand-pat has elsewhere. The paper's
//! optimization tries such a quiet move first.
//!
//! What the paper does not print is ours: the evaluation, the sort within captures and quiet
//! moves, and the level at which extensions end.

mod order;
pub(crate) mod paper;
pub(crate) mod search;

use Reading::{Described, Meant, Printed};

/// Which of HAL's three possible quiescence searches is meant: the paper's code and its prose
/// disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The Pascal as printed: an ELSE is missing, so the depth always falls and nothing is
    /// extended.
    Printed,
    /// The Pascal with the ELSE restored: captures and promotions at the last ply are extended.
    Meant,
    /// The prose: moves that give check are extended too.
    Described,
}

/// Whether a node that was reached by an extension may be left without a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StandPat {
    /// No, as in HAL.
    Never,
    /// Yes; all moves are still tried.
    WithQuietMoves,
    /// Yes; and then only the moves that would be extended are tried, as in most programs.
    TacticalOnly,
}

/// Plies by which a line may be extended beyond the full width. The paper has such a limit and does
/// not print it; without one the extended tree, which has every quiet move in it, grows by a factor
/// of about 1.7 with every ply that is allowed.
pub(crate) const EXTENSIONS: u32 = 4;

/// How HAL is set up for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) reading: Reading,
    /// The paper's optimization: at the last ply the best-sorted quiet move goes first.
    pub(crate) quiet_first: bool,
    /// Our question to the paper.
    pub(crate) stand_pat: StandPat,
    /// Plies searched in full width (5 in the paper).
    pub(crate) skill: u32,
    /// No line is extended beyond this many plies from the root.
    pub(crate) horizon: u32,
}

impl Settings {
    /// HAL at a skill level, with the paper's choices for everything else.
    pub(crate) fn skill(skill: u32) -> Settings {
        Settings {
            reading: Meant,
            quiet_first: false,
            stand_pat: StandPat::Never,
            skill,
            horizon: skill + EXTENSIONS,
        }
    }

    /// The paper's `Decrement`: the depth for the position after a move that was made at a node of
    /// `depth` (at least 1), `ply` plies from the root.
    fn decrement(&self, depth: u32, ply: u32, facts: MoveFacts) -> u32 {
        let beyond = ply + 1 >= self.horizon;
        if depth == 1 && !beyond && !facts.mate && self.reading.extends(facts) {
            depth
        } else {
            depth - 1
        }
    }
}

/// What `Decrement` asks about the move just made (the paper's `Mode_Cell`, and check).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MoveFacts {
    /// A capture or a promotion.
    noisy: bool,
    check: bool,
    mate: bool,
}

impl Reading {
    /// Whether a move at the last ply is followed by another ply.
    fn extends(self, facts: MoveFacts) -> bool {
        match self {
            Printed => false,
            Meant => facts.noisy,
            Described => facts.noisy || facts.check,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(noisy: bool, check: bool, mate: bool) -> MoveFacts {
        MoveFacts { noisy, check, mate }
    }

    #[test]
    fn the_three_readings_differ_at_the_last_ply_only() {
        let capture = facts(true, false, false);
        let check = facts(false, true, false);
        let [quiet, mate] = [false, true].map(|mate| facts(mate, mate, mate));
        for (reading, expected) in [
            (Printed, [0, 0, 0, 0]),
            (Meant, [1, 0, 0, 0]),
            (Described, [1, 1, 0, 0]),
        ] {
            let settings = Settings {
                reading,
                ..Settings::skill(5)
            };
            let found = [capture, check, quiet, mate].map(|facts| settings.decrement(1, 4, facts));
            assert_eq!(found, expected, "{reading:?}");
            assert_eq!(settings.decrement(3, 4, capture), 2, "{reading:?}");
        }
    }

    #[test]
    fn no_line_is_extended_beyond_the_horizon() {
        let settings = Settings {
            horizon: 10,
            ..Settings::skill(5)
        };
        let capture = facts(true, false, false);
        assert_eq!(settings.decrement(1, 8, capture), 1);
        assert_eq!(settings.decrement(1, 9, capture), 0);
    }
}
