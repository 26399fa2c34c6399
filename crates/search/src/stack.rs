//! What a node leaves for its descendants, by ply, and the principal variations.

use arrayvec::ArrayVec;
use sextant_board::{MAX_PLY, Move, Ply, Score, Square};

use crate::{
    budget::Depth,
    history::{MovesBefore, PLIES_BACK, PieceTo},
};

/// One ply of the line being searched.
#[derive(Clone, Debug)]
pub(crate) struct StackEntry {
    /// Corrected static evaluation, `Score::NONE` in check.
    pub eval: Score,
    /// The move being searched here; `None` for a null move.
    pub mv: Option<Move>,
    /// Its piece and target square.
    pub piece_to: Option<PieceTo>,
    /// The square on which that move captured.
    pub captured_on: Option<Square>,
    /// The late-move reduction of that move.
    pub reduction: Depth,
    /// The move that a singular test leaves out.
    pub excluded: Option<Move>,
    /// The last two quiet moves that refuted something at this ply.
    pub killers: [Option<Move>; 2],
    /// Nodes of this ply that were cut off since their grandparent was entered.
    pub cutoffs: u16,
}

const EMPTY: StackEntry = StackEntry {
    eval: Score::NONE,
    mv: None,
    piece_to: None,
    captured_on: None,
    reduction: Depth::ZERO,
    excluded: None,
    killers: [None; 2],
    cutoffs: 0,
};

/// Entries before the root, so that looking back needs no test.
const BEFORE_ROOT: usize = 8;

#[derive(Debug)]
pub(crate) struct Stack(Box<[StackEntry]>);

impl Stack {
    pub(crate) fn new() -> Stack {
        Stack(vec![EMPTY; BEFORE_ROOT + MAX_PLY + 4].into_boxed_slice())
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(EMPTY);
    }

    pub(crate) fn at(&self, ply: Ply) -> &StackEntry {
        &self.0[BEFORE_ROOT + ply.index()]
    }

    pub(crate) fn at_mut(&mut self, ply: Ply) -> &mut StackEntry {
        &mut self.0[BEFORE_ROOT + ply.index()]
    }

    /// The entry `back` (up to 8) plies before `ply`; an empty one before the root.
    pub(crate) fn back(&self, ply: Ply, back: usize) -> &StackEntry {
        &self.0[BEFORE_ROOT + ply.index() - back]
    }

    /// The moves before `ply` that the continuation history looks at.
    pub(crate) fn before(&self, ply: Ply) -> MovesBefore {
        PLIES_BACK.map(|back| self.back(ply, back).piece_to)
    }

    /// The moves of `ply` are about to be tried: what its grandchildren left belongs to another
    /// subtree.
    pub(crate) fn enter_moves(&mut self, ply: Ply) {
        let grandchildren = self.at_mut(ply.next().next());
        grandchildren.killers = [None; 2];
        grandchildren.cutoffs = 0;
    }

    pub(crate) fn add_killer(&mut self, ply: Ply, mv: Move) {
        let killers = &mut self.at_mut(ply).killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

pub(crate) type PvLine = ArrayVec<Move, MAX_PLY>;

/// The principal variation from every ply of the current line.
#[derive(Debug)]
pub(crate) struct PvTable(Box<[PvLine]>);

impl PvTable {
    pub(crate) fn new() -> PvTable {
        PvTable(vec![PvLine::new(); MAX_PLY + 4].into_boxed_slice())
    }

    pub(crate) fn at(&self, ply: Ply) -> &PvLine {
        &self.0[ply.index()]
    }

    pub(crate) fn clear(&mut self, ply: Ply) {
        self.0[ply.index()].clear();
    }

    /// The line from `ply` is `mv` and the line after it.
    pub(crate) fn extend(&mut self, ply: Ply, mv: Move) {
        let (head, tail) = self.0.split_at_mut(ply.index() + 1);
        let line = &mut head[ply.index()];
        line.clear();
        line.push(mv);
        let rest = &tail[0];
        let room = MAX_PLY - 1;
        line.extend(rest.iter().take(room).copied());
    }
}
