//! What is learned from: a node as the search saw it before it tried a move, and what a deeper
//! search says of it.

use serde::{Deserialize, Serialize};
use sextant_search::budget::Category;

/// What a search expects of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum NodeKind {
    /// Open window.
    Pv,
    /// A move that beats beta.
    Cut,
    /// No move that beats alpha.
    All,
}

/// What the deeper search says against the window of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Verdict {
    /// No move beats alpha.
    Fails,
    /// The best move is inside the window.
    Inside,
    /// A move beats beta.
    Cuts,
}

/// What a deeper search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Label {
    /// Place of the best move in the order, from 0.
    pub(super) best: u16,
    /// Where the order could have stopped: the first move that a deeper search puts above beta, or
    /// else the best one.
    pub(super) enough: u16,
    /// What the score means for the window.
    pub(super) verdict: Verdict,
    /// Nominal depth of the search, in plies.
    pub(super) depth: u8,
}

/// A frozen node with its label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sample {
    /// The position.
    pub(super) fen: String,
    /// Distance from the root of the search that it was found in.
    pub(super) ply: u16,
    /// Effective depth in 1/128 plies.
    pub(super) depth: i32,
    /// Lower end of the window.
    pub(super) alpha: i16,
    /// Upper end of the window.
    pub(super) beta: i16,
    /// What the search expected of it.
    pub(super) kind: NodeKind,
    /// Game phase, 0 to 7.
    pub(super) phase: u8,
    /// [`IMPROVING`] and so on.
    pub(super) flags: u8,
    /// All legal moves in the order in which they would be tried.
    pub(super) moves: Vec<Row>,
    /// What a deeper search says.
    pub(super) label: Label,
}

/// The static evaluation is better than two plies ago.
pub(super) const IMPROVING: u8 = 1;
/// The table knew a move.
pub(super) const TABLE_MOVE: u8 = 2;
/// ... and that is a capture.
pub(super) const TABLE_CAPTURE: u8 = 4;
/// A principal variation passes or passed here.
pub(super) const WAS_PV: u8 = 8;

impl Sample {
    /// Has the node one of the flags?
    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Effective depth in whole plies, at least 1, as reductions round it.
    pub(super) fn plies(&self) -> i32 {
        ((self.depth + 64).div_euclid(128)).max(1)
    }

    /// Do places and marks make sense? A file may be damaged.
    pub(super) fn is_sound(&self) -> bool {
        let count = self.moves.len();
        usize::from(self.label.best) < count
            && usize::from(self.label.enough) < count
            && self.phase < 8
            && self.moves.iter().all(|row| row.marks & CATEGORIES != 0)
    }
}

/// A move of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Row {
    /// The move, in the 16 bits of [`sextant_board::PackedMove`].
    pub(super) mv: u16,
    /// A bit for each [`Category`] that applies, then [`QUIET`] and so on.
    pub(super) marks: u32,
    /// How far its order score lies behind the best quiet move's, in hundredths of a full history.
    pub(super) order_gap: u16,
    /// How far the evaluation after it lies behind the best quiet move's, in centipawns.
    pub(super) eval_gap: u16,
    /// Its history as reductions see it.
    pub(super) history: i16,
}

/// The bits of the categories.
pub(super) const CATEGORIES: u32 = (1 << Category::COUNT) - 1;
/// Neither a capture nor a promotion.
pub(super) const QUIET: u32 = 1 << 24;
/// The move gives check.
pub(super) const CHECK: u32 = 1 << 25;
/// A quiet move backward.
pub(super) const BACKWARD: u32 = 1 << 26;

impl Row {
    /// Does a category apply, or one of the other marks?
    pub(super) fn has(&self, mark: u32) -> bool {
        self.marks & mark != 0
    }

    /// The categories that apply, by their indices.
    pub(super) fn categories(&self) -> impl Iterator<Item = usize> + use<> {
        let mut left = self.marks & CATEGORIES;
        std::iter::from_fn(move || {
            let index = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (index < u32::BITS).then_some(index as usize)
        })
    }
}

/// The bit of a category.
pub(super) const fn bit(category: Category) -> u32 {
    1 << category as u32
}

/// The samples of one search, and how its tree grew.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Block {
    /// What keeps positions of one game together.
    pub(super) group: u64,
    /// Logarithm of the factor by which its nodes grew from ply to ply, over the last two
    /// iterations; 0 where there were too few.
    pub(super) growth: f32,
    /// The samples.
    pub(super) samples: Vec<Sample>,
}
