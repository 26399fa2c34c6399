//! Positions that no table holds, decided by the moves out of them.

use cozy_chess::Board;
use sextant_board::is_insufficient_material;

use crate::{
    probe::{Prober, can_move, check_board, is_mate, is_zeroing},
    types::{Dtz, Wdl},
};

/// What the moves of an uncovered position tell about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// Outcome with the half-move clock taken as 0.
    pub wdl: Wdl,
    /// The distance, where the deciding move mates or zeroes; else unknown.
    pub dtz: Option<Dtz>,
}

/// How good a move is that leads to `child`, for the side that makes it.
fn worth(prober: &Prober, child: &Board) -> Option<Wdl> {
    if is_mate(child) {
        return Some(Wdl::Win);
    }
    if !can_move(child) || is_insufficient_material(child) {
        return Some(Wdl::Draw);
    }
    check_board(child).ok()?;
    prober.wdl(child).ok().map(|wdl| -wdl)
}

/// See [`crate::Tablebase::look_ahead`].
pub(crate) fn look_ahead(prober: &Prober, board: &Board) -> Option<Outlook> {
    let mut best: Option<Outlook> = None;
    let mut all_known = true;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            let Some(wdl) = worth(prober, &child) else {
                all_known = false;
                continue;
            };
            let at_once = is_zeroing(board, mv) || is_mate(&child);
            let dtz = at_once.then(|| Dtz::exact(wdl.dtz_before_zeroing()));
            let better = best.is_none_or(|best| {
                wdl > best.wdl || (wdl == best.wdl && best.dtz.is_none() && dtz.is_some())
            });
            if better {
                best = Some(Outlook { wdl, dtz });
            }
        }
        false
    });
    // A known win decides whatever the other moves do; anything less needs them all. Only a win's
    // distance is certain from one move: a loser would choose the longest, and a shorter cursed win
    // may hide among quiet moves.
    match best {
        Some(Outlook { wdl: Wdl::Win, .. }) => best,
        Some(Outlook { wdl, .. }) if all_known => Some(Outlook { wdl, dtz: None }),
        _ => None,
    }
}
