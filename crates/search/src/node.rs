//! The search of one node: what travels through its steps, which are numbered as in
//! `docs/explanation/search.md`.

mod alpha_beta;
mod move_loop;
mod move_pruning;
mod node_pruning;
mod probe;
mod qsearch;
mod quiet_evals;
mod root;
mod search_move;
mod singular;
mod snapshot;
mod static_eval;
mod update;

pub(crate) use quiet_evals::QuietEvals;
use sextant_board::{Move, Piece, Ply, Position, Score};

use crate::{
    budget::{Allowance, Depth},
    tt::Entry,
    window::Window,
};

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

/// A node as it is entered.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    pub pos: &'a Position,
    pub ply: Ply,
    /// The window. In the move loop, the loop's own.
    pub window: Window,
    pub allowance: Allowance,
    pub depth: Depth,
    /// An expected cut node.
    pub cut_node: bool,
    pub pv: bool,
}

impl<'a> Node<'a> {
    /// A node that is about to be entered: the search finds its depth.
    #[inline]
    pub(crate) fn new(
        pos: &'a Position,
        ply: Ply,
        window: Window,
        allowance: Allowance,
        cut_node: bool,
    ) -> Node<'a> {
        Node {
            pos,
            ply,
            window,
            allowance,
            depth: Depth::ZERO,
            cut_node,
            pv: false,
        }
    }
}

/// What the transposition table knows of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TtProbe {
    pub(crate) entry: Option<Entry>,
    /// Its move, if that is legal here.
    pub(crate) mv: Option<Move>,
}

impl TtProbe {
    /// Nothing, or nothing was asked.
    pub(crate) const MISS: TtProbe = TtProbe {
        entry: None,
        mv: None,
    };
}

/// What a node finds out about itself before its moves are searched.
pub(crate) struct NodeState {
    pub(crate) in_check: bool,
    /// The move that a singular test leaves out.
    pub(crate) excluded: Option<Move>,
    pub(crate) tt: TtProbe,
    pub(crate) tt_capture: bool,
    /// A principal variation passes or passed here.
    pub(crate) was_pv: bool,
    /// Static evaluation as the evaluation gave it, for the table; `NONE` in check.
    pub(crate) raw_eval: Score,
    /// Corrected static evaluation; `NONE` in check.
    pub(crate) eval: Score,
    /// The best guess of the value: the evaluation, or the TT score where that says more.
    pub(crate) estimate: Score,
    /// The evaluation is better than two (or four) plies ago.
    pub(crate) improving: bool,
    /// The opponent stands worse than it thought before its last move.
    pub(crate) opponent_worsening: bool,
    /// Was a null move answered by mate? `None` if none was tried.
    pub(crate) mate_threat: Option<bool>,
}

/// Does the side to move have anything but pawns? Without it, zugzwang is too likely.
fn has_pieces(pos: &Position) -> bool {
    let us = pos.side_to_move();
    let pawns_and_king = pos.board().pieces(Piece::Pawn) | pos.board().pieces(Piece::King);
    !(pos.board().colors(us) & !pawns_and_king).is_empty()
}
