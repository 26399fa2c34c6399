//! The search of one node. The steps are numbered as in `docs/search.md`.

mod child;
mod freeze;
mod moves;
mod probe;
mod prune;
mod quiesce;
mod root;
mod search;
mod singular;
mod skip;
mod update;

use sextant_board::{Move, Piece, Position, Score, Threats};

use crate::{budget::Depth, tt::Entry};

/// The search was told to stop; whatever was being searched has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

pub(crate) use moves::Siblings;
pub(crate) use probe::{table_key, table_key_guess};

/// The value of a node, or the news that the search is over.
pub(crate) type Flow<T = Score> = Result<T, Stopped>;

/// The kind of a node, known at compile time.
pub(crate) trait Node {
    /// The window is open.
    const PV: bool;
}

/// A node of the principal variation: open window.
pub(crate) struct Open;
/// A node with a null window.
pub(crate) struct Scout;

impl Node for Open {
    const PV: bool = true;
}

impl Node for Scout {
    const PV: bool = false;
}

/// What a node finds out about itself before its moves are searched.
pub(crate) struct Local {
    /// Effective depth.
    pub(crate) depth: Depth,
    in_check: bool,
    cut_node: bool,
    /// Static evaluation as the evaluation gave it, for the table; `NONE` in check.
    raw_eval: Score,
    /// Corrected static evaluation; `NONE` in check.
    eval: Score,
    /// The best guess of the value: the evaluation, or the table's score where that says more.
    estimate: Score,
    improving: bool,
    /// The opponent stands worse than it thought before its last move.
    worsening: bool,
    /// What the table knew.
    entry: Option<Entry>,
    table_move: Option<Move>,
    /// The table move is a capture.
    table_capture: bool,
    /// A principal variation passes or passed here.
    was_pv: bool,
    /// What the opponent attacks; worked out only once the moves are to be searched.
    threats: Threats,
    /// The move that a singular test leaves out.
    excluded: Option<Move>,
    /// The null move was answered by mate.
    mate_threat: bool,
}

/// Does the side to move have anything but pawns? Without it, zugzwang is too likely.
fn has_pieces(pos: &Position) -> bool {
    let us = pos.side_to_move();
    let pawns_and_king = pos.board().pieces(Piece::Pawn) | pos.board().pieces(Piece::King);
    !(pos.board().colors(us) & !pawns_and_king).is_empty()
}
