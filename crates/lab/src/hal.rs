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

pub mod decrement;
pub mod dialogue;
pub mod order;
pub mod paper;
pub mod search;
pub mod sentences;

/// Which of HAL's three possible quiescence searches is meant: the paper's code and its prose
/// disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The Pascal as printed: an ELSE is missing, so the depth always falls and nothing is
    /// extended.
    AsPrinted,
    /// The Pascal with the ELSE restored: captures and promotions at the last ply are extended.
    AsMeant,
    /// The prose: moves that give check are extended too.
    AsDescribed,
}

impl Reading {
    /// All three.
    pub const ALL: [Reading; 3] = [Reading::AsPrinted, Reading::AsMeant, Reading::AsDescribed];

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Reading::AsPrinted => "as printed",
            Reading::AsMeant => "as meant",
            Reading::AsDescribed => "as described",
        }
    }
}

/// Whether a node that was reached by an extension may be left without a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StandPat {
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
pub const EXTENSIONS: u32 = 4;

/// How HAL is set up for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Which quiescence search.
    pub reading: Reading,
    /// The paper's optimization: at the last ply the best-sorted quiet move goes first.
    pub quiet_first: bool,
    /// Our question to the paper.
    pub stand_pat: StandPat,
    /// Plies searched in full width (5 in the paper).
    pub skill: u32,
    /// No line is extended beyond this many plies from the root.
    pub horizon: u32,
}

impl Settings {
    /// HAL at a skill level, with the paper's choices for everything else.
    #[must_use]
    pub fn skill(skill: u32) -> Settings {
        Settings {
            reading: Reading::AsMeant,
            quiet_first: false,
            stand_pat: StandPat::Never,
            skill,
            horizon: skill + EXTENSIONS,
        }
    }
}
