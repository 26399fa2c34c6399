//! The moves of a position: judged and ranked, or judging a position that no table holds.

use cozy_chess::Board;
use sextant_board::is_insufficient_material;

use crate::{
    error::ProbeError,
    probe::{Prober, can_move, check_board, children, is_mate, is_zeroing, one_ply_before},
    types::{Dtz, FIFTY_MOVE_PLIES, RootMove, Wdl},
};

/// Rank of moves that win (negated: lose) so safely that the search may choose among them.
///
/// Far above any distance, so that `TOP_RANK - distance` keeps its sign.
pub const TOP_RANK: i32 = 1 << 18;

/// What a move leads to, for the side that makes it, the clock ignored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) wdl: Wdl,
    /// Counted from before the move.
    pub(crate) dtz: Option<Dtz>,
    pub(crate) zeroing: bool,
}

impl Prober {
    /// Judges a legal move that leads to `child`; without a DTZ table a quiet move is judged by WDL
    /// alone.
    pub(crate) fn outcome(&self, child: &Board, zeroing: bool) -> Result<Outcome, ProbeError> {
        if !can_move(child) {
            let (wdl, dtz) = match is_mate(child) {
                true => (Wdl::Win, Some(Dtz::exact(1))),
                false => (Wdl::Draw, Some(Dtz::DRAW)),
            };
            return Ok(Outcome { wdl, dtz, zeroing });
        }
        let wdl = -self.wdl(child)?;
        let dtz = match zeroing {
            true => Some(Dtz::exact(wdl.dtz_before_zeroing())),
            false => match self.dtz(child) {
                Ok(dtz) => Some(one_ply_before(dtz)),
                Err(ProbeError::Missing(_)) => None,
                Err(error) => return Err(error),
            },
        };
        Ok(Outcome { wdl, dtz, zeroing })
    }

    /// See [`crate::Tablebase::probe_root`].
    pub(crate) fn rank_moves(
        &self,
        board: &Board,
        repeated: bool,
        fifty: bool,
    ) -> Result<Vec<RootMove>, ProbeError> {
        let mut moves = Vec::new();
        for (mv, child) in children(board) {
            moves.push((mv, self.outcome(&child, is_zeroing(board, mv))?));
        }
        let by_distance = moves.iter().all(|(_, outcome)| outcome.dtz.is_some());
        let clock = if fifty { board.halfmove_clock() } else { 0 };
        let mut ranked: Vec<RootMove> = moves
            .into_iter()
            .map(|(mv, Outcome { wdl, dtz, zeroing })| {
                let rank = match dtz {
                    Some(dtz) if by_distance => rank_by_distance(dtz, clock, repeated),
                    _ => rank_by_wdl(wdl, fifty),
                };
                let real = match dtz {
                    Some(dtz) if fifty => dtz.category(clock).wdl(),
                    _ if fifty => wdl,
                    _ => wdl.without_fifty_move_rule(),
                };
                RootMove {
                    mv,
                    wdl: real,
                    dtz,
                    zeroing,
                    rank,
                }
            })
            .collect();
        ranked.sort_by_key(|root_move| std::cmp::Reverse(root_move.rank));
        Ok(ranked)
    }
}

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
    for (mv, child) in children(board) {
        let Some(wdl) = worth(prober, &child) else {
            all_known = false;
            continue;
        };
        let at_once = is_zeroing(board, mv) || is_mate(&child);
        let dtz = at_once.then(|| Dtz::exact(wdl.dtz_before_zeroing()));
        let worth = |outlook: Outlook| (outlook.wdl, outlook.dtz.is_some());
        let outlook = Outlook { wdl, dtz };
        if best.is_none_or(|best| worth(outlook) > worth(best)) {
            best = Some(outlook);
        }
    }
    // A known win decides whatever the other moves do; anything less needs them all. Only a win's
    // distance is certain from one move: a loser would choose the longest, and a shorter cursed win
    // may hide among quiet moves.
    match best {
        Some(Outlook { wdl: Wdl::Win, .. }) => best,
        Some(Outlook { wdl, .. }) if all_known => Some(Outlook { wdl, dtz: None }),
        _ => None,
    }
}

/// Wins that arrive in time share the top rank so that the search can look for the shortest mate;
/// where progress must be forced, nearer is better. Losses share the lowest rank until the 50-move
/// rule comes in sight, then further is better.
fn rank_by_distance(dtz: Dtz, clock: u8, repeated: bool) -> i32 {
    let (distance, clock) = (dtz.plies.abs(), i32::from(clock));
    match dtz.plies.signum() {
        1 if distance + clock < FIFTY_MOVE_PLIES && !repeated => TOP_RANK,
        1 => TOP_RANK - (distance + clock),
        -1 if 2 * distance + clock < FIFTY_MOVE_PLIES => -TOP_RANK,
        -1 => distance + clock - TOP_RANK,
        _ => 0,
    }
}

fn rank_by_wdl(wdl: Wdl, fifty: bool) -> i32 {
    let wdl = if fifty {
        wdl
    } else {
        wdl.without_fifty_move_rule()
    };
    match wdl {
        Wdl::Win | Wdl::Loss => TOP_RANK * wdl.signum(),
        _ => (TOP_RANK - FIFTY_MOVE_PLIES - 1) * wdl.signum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_the_result_first() {
        let rank = |plies, clock, repeated| rank_by_distance(Dtz::exact(plies), clock, repeated);
        assert_eq!(rank(3, 0, false), rank(90, 0, false));
        assert!(rank(3, 0, true) > rank(5, 0, true));
        assert!(rank(3, 90, false) > rank(11, 90, false));
        assert!(rank(150, 0, false) > rank(0, 0, false));
        assert!(rank(0, 0, false) > rank(-150, 0, false));
        assert!(rank(-150, 0, false) > rank(-20, 0, false));
        assert!(rank_by_wdl(Wdl::Win, true) > rank_by_wdl(Wdl::CursedWin, true));
        assert_eq!(
            rank_by_wdl(Wdl::Win, false),
            rank_by_wdl(Wdl::CursedWin, false)
        );
    }
}
