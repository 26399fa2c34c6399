//! The search of one node. The steps are numbered as in `docs/search.md`.

mod alpha_beta;
mod move_loop;
mod move_pruning;
mod node_pruning;
mod probe;
mod qsearch;
mod root;
mod search_move;
mod singular;
mod snapshot;
mod update;

use sextant_board::{Move, Piece, Position, Score, Threats};

use crate::{budget::Depth, tt::Entry};

pub(crate) use move_loop::MoveContext;

/// The kind of a node, known at compile time.
pub(crate) trait NodeType {
    /// The window is open.
    const PV: bool;
}

/// A node of the principal variation: open window.
pub(crate) struct Pv;
/// A node with a zero window.
pub(crate) struct NonPv;

impl NodeType for Pv {
    const PV: bool = true;
}

impl NodeType for NonPv {
    const PV: bool = false;
}

/// What a node finds out about itself before its moves are searched.
pub(crate) struct NodeState {
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
    opponent_worsening: bool,
    /// What the table knew.
    entry: Option<Entry>,
    tt_move: Option<Move>,
    /// The table move is a capture.
    tt_capture: bool,
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
