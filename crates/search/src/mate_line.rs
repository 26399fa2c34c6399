//! The whole line of a mate that the search has proved. A root move that fails high leaves a line
//! of one move behind, and the search may end before it is searched again; what is missing still
//! lies in the transposition table.

use sextant_board::{Move, MoveSets, Position, Score};

use crate::{
    tt::{TranspositionTable, tt_key},
    window::Bound,
};

/// Positions that are looked up at most: a line is worth some milliseconds, not more.
const MAX_POSITIONS: u32 = 20_000;

/// So near to the mate the moves themselves are tried where the table is silent.
const WITHOUT_TABLE: usize = 3;

/// Goes on with `line` from `root` until it has mated after `plies`. `false` if the table knows too
/// little; the line is as before then.
pub(crate) fn complete(
    tt: &TranspositionTable,
    root: &Position,
    line: &mut Vec<Move>,
    plies: usize,
) -> bool {
    let mut walk = Walk {
        tt,
        plies,
        left: MAX_POSITIONS,
    };
    let mut pos = root.clone();
    for &mv in line.iter() {
        pos.play(mv);
    }
    line.len() <= plies && walk.extend(&pos, line)
}

struct Walk<'a> {
    tt: &'a TranspositionTable,
    /// From the root to the mate.
    plies: usize,
    left: u32,
}

impl Walk<'_> {
    fn extend(&mut self, pos: &Position, line: &mut Vec<Move>) -> bool {
        let to_go = self.plies - line.len();
        let moves = MoveSets::generate(pos);
        if to_go == 0 || moves.is_empty() {
            return to_go == 0 && moves.is_empty() && pos.in_check();
        }
        let attacks = to_go % 2 == 1;
        let mut candidates: Vec<(usize, Move, Position)> = moves
            .iter()
            .filter_map(|mv| {
                let child = pos.make(mv).0;
                let distance = self.distance(&child, attacks, to_go - 1)?;
                Some((distance, mv, child))
            })
            .collect();
        // The score tells the length, so what has exactly that length comes first.
        candidates.sort_by_key(|&(distance, ..)| usize::MAX - distance);
        candidates.into_iter().any(|(_, mv, child)| {
            line.push(mv);
            let found = self.left > 0 && self.extend(&child, line);
            if !found {
                line.pop();
            }
            found
        })
    }

    /// Plies from `pos` to the mate by what the table has proved, if these are at most `most`.
    /// `attacked`: the side to move is the one that is mated. Near the end no table is needed.
    fn distance(&mut self, pos: &Position, attacked: bool, most: usize) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        if most <= 1 {
            return Some(most);
        }
        let Some(entry) = self.tt.probe(tt_key(pos)) else {
            return (most <= WITHOUT_TABLE).then_some(0);
        };
        let score = entry.score;
        let proved = if attacked {
            score.is_loss() && entry.bound != Bound::Lower
        } else {
            score.is_win() && entry.bound != Bound::Upper
        };
        let distance = (Score::MATE.raw() - score.raw().abs()) as usize;
        (proved && score.is_mate() && distance <= most).then_some(distance)
    }
}

/// Plies from the root to the mate that a score tells.
pub(crate) fn plies(score: Score) -> Option<usize> {
    score
        .is_mate()
        .then(|| (Score::MATE.raw() - score.raw().abs()) as usize)
}

#[cfg(test)]
mod tests {
    use sextant_board::{PackedMove, Ply, parse_fen, parse_uci_move};

    use super::*;
    use crate::{budget::Depth, tt::Entry};

    fn has_mated(root: &Position, line: &[Move]) -> bool {
        let mut pos = root.clone();
        for &mv in line {
            assert!(pos.board().is_legal(mv));
            pos.play(mv);
        }
        pos.in_check() && MoveSets::generate(&pos).is_empty()
    }

    #[test]
    fn a_line_goes_on_to_the_mate_as_far_as_the_table_knows() {
        let root = parse_fen("7k/8/8/4K3/8/8/8/6R1 w - - 0 1").unwrap();
        let tt = TranspositionTable::new(1).unwrap();
        let mut line = Vec::new();
        assert!(!complete(&tt, &root, &mut line, 5), "nothing is known");
        assert!(line.is_empty(), "and nothing was added");
        let first = parse_uci_move(&root, "e5f6").unwrap();
        let mut entry = Entry {
            mv: PackedMove::NONE,
            score: Score::mated_at(Ply(4)),
            eval: Score::NONE,
            bound: Bound::Lower,
            was_pv: false,
            depth: Depth::PLY,
            imbalance: 0,
        };
        let child = root.make(first).0;
        tt.store(tt_key(&child), entry);
        assert!(!complete(&tt, &root, &mut line, 5), "no proof");
        entry.bound = Bound::Upper;
        tt.store(tt_key(&child), entry);
        assert!(complete(&tt, &root, &mut line, 5));
        assert_eq!((line.len(), line[0]), (5, first));
        assert!(has_mated(&root, &line));
        // From within the line, near the end, the moves are tried.
        line.truncate(2);
        let nothing = TranspositionTable::new(1).unwrap();
        assert!(complete(&nothing, &root, &mut line, 5) && has_mated(&root, &line));
    }
}
