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

pub(crate) mod paper;
pub(crate) mod search;

use Reading::{Described, Meant, Printed};
use cozy_chess::Move;

use crate::game::{Game, chess::Chess};

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
    /// HAL in one reading and at a skill level, with the paper's choices for everything else.
    pub(crate) fn new(reading: Reading, skill: u32) -> Settings {
        Settings {
            reading,
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
#[derive(Clone, Copy, Debug)]
struct MoveFacts {
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

const KILLERS: usize = 4;

/// Moves that refuted something at one level before, the latest first.
#[derive(Clone, Copy, Debug, Default)]
struct Killers([Option<Move>; KILLERS]);

impl Killers {
    /// Puts `mv` in front; the oldest one falls out if it was not among them.
    fn update(&mut self, mv: Move) {
        let known = self.rank(mv);
        self.0[..=known.unwrap_or(KILLERS - 1)].rotate_right(1);
        self.0[0] = Some(mv);
    }

    fn rank(&self, mv: Move) -> Option<usize> {
        self.0.iter().position(|&killer| killer == Some(mv))
    }
}

/// The paper's `Locate_Refutations` and `Order`: sorts the moves of a node: the refutation,
/// captures and promotions, killers, the rest.
fn sort(position: &Chess, moves: &mut [Move], refutation: Option<Move>, killers: &Killers) {
    moves.sort_by_cached_key(|&mv| {
        let class = if refutation == Some(mv) {
            0
        } else if position.is_noisy(mv) {
            1
        } else {
            2 + killers.rank(mv).unwrap_or(KILLERS)
        };
        (class, -position.promise(mv))
    });
}

/// The paper's optimization: the first move of the sorted list that would not be extended goes
/// to the very front. Does nothing where there is no such move.
///
/// As printed the code looks at captures and promotions; the prose counts checks among the moves
/// to be avoided as well.
fn bring_quiet_move_first(reading: Reading, position: &Chess, moves: &mut [Move]) {
    let is_quiet = |&mv: &Move| {
        !position.is_noisy(mv) && (reading != Described || !position.play(mv).in_check())
    };
    if let Some(place) = moves.iter().position(is_quiet) {
        moves[..=place].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_readings_differ_at_the_last_ply_only_and_before_the_horizon() {
        let facts = |noisy, check, mate| MoveFacts { noisy, check, mate };
        let capture = facts(true, false, false);
        let check = facts(false, true, false);
        let [quiet, mate] = [false, true].map(|mate| facts(mate, mate, mate));
        for (reading, expected) in [
            (Printed, [0, 0, 0, 0]),
            (Meant, [1, 0, 0, 0]),
            (Described, [1, 1, 0, 0]),
        ] {
            let settings = Settings::new(reading, 5);
            let found = [capture, check, quiet, mate].map(|facts| settings.decrement(1, 4, facts));
            assert_eq!(found, expected, "{reading:?}");
            assert_eq!(settings.decrement(3, 4, capture), 2, "{reading:?}");
        }
        // The horizon is four plies beyond.
        let settings = Settings::new(Meant, 5);
        let depths = [7, 8].map(|ply| settings.decrement(1, ply, capture));
        assert_eq!(depths, [1, 0]);
    }

    #[test]
    fn refutation_captures_killers_rest_and_a_quiet_move_that_jumps_over_them() {
        let with_captures = "4k3/8/8/3q4/4P3/8/3Q4/4K3 w - - 0 1";
        let with_check = "4k3/8/8/3q4/8/8/3Q4/4K3 w - - 0 1";
        for (fen, refutation, killer, quiet_first, expected) in [
            (with_captures, "e1f1", "d2a2", None, "e1f1 e4d5 d2d5"),
            (with_captures, "", "d2a2", None, "e4d5 d2d5 d2a2"),
            (with_captures, "", "d2a2", Some(Meant), "d2a2 e4d5 d2d5"),
            (with_check, "", "d2e2", Some(Meant), "d2e2 d2d5"),
            // By the prose a checking move is not quiet.
            (with_check, "", "d2e2", Some(Described), "e1f1 d2d5 d2e2"),
        ] {
            let position = Chess::new(fen.parse().unwrap(), 0);
            let mut killers = Killers::default();
            killers.update(killer.parse().unwrap());
            let mut moves = position.moves();
            sort(&position, &mut moves, refutation.parse().ok(), &killers);
            if let Some(reading) = quiet_first {
                bring_quiet_move_first(reading, &position, &mut moves);
            }
            let names: Vec<String> = moves.iter().map(ToString::to_string).collect();
            assert!(names.join(" ").starts_with(expected), "{names:?}");
        }
    }

    #[test]
    fn four_killers_are_kept_and_none_twice() {
        let mut killers = Killers::default();
        for mv in ["a2a3", "b2b3", "c2c3", "d2d3", "b2b3", "e2e3"] {
            killers.update(mv.parse().unwrap());
        }
        let kept = killers.0.iter().flatten().map(ToString::to_string);
        assert!(kept.eq(["e2e3", "b2b3", "d2d3", "c2c3"]));
    }
}
