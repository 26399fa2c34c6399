//! The whole line of a mate that the search has proved. A root move that fails high leaves a line
//! of one move behind, and the search may end before it is searched again; what is missing still
//! lies in the transposition table, as a proof tree: an answer to every defense.

use std::collections::HashMap;

use sextant_board::{Move, MoveSets, PackedMove, Position, Score};

use crate::{
    tt::{TranspositionTable, tt_key},
    window::Bound,
};

/// Positions that are made at most, where there is time for it: some ten milliseconds; and where
/// there is none.
const MAX_POSITIONS: usize = 100_000;
const MAX_POSITIONS_IN_HASTE: usize = 5_000;

/// So many plies before the mate every move is tried where the table is silent, and every check.
const WITHOUT_TABLE: usize = 3;
const CHECKS_WITHOUT_TABLE: usize = 7;

/// Goes on with `line`, a move from `root` at least, until it has mated after `plies`, or sooner if
/// the table has come to know that after its first move. `false` if the table knows too little; the
/// line is as before then.
pub(crate) fn complete(
    tt: &TranspositionTable,
    root: &Position,
    line: &mut Vec<Move>,
    plies: usize,
    in_haste: bool,
) -> bool {
    let mut proof = Proof {
        tt,
        known: HashMap::new(),
        left: if in_haste {
            MAX_POSITIONS_IN_HASTE
        } else {
            MAX_POSITIONS
        },
    };
    // The end of a line may come from a search that did not see the mate.
    for kept in (1..=line.len().min(plies)).rev() {
        let mut pos = root.clone();
        for &mv in &line[..kept] {
            pos.play(mv);
        }
        let to_go = plies - kept;
        let distance = proof.distance(&pos, to_go % 2 == 1, to_go);
        // Behind a defense that was not compared with the others a mate has to be as long as told.
        if distance.is_some_and(|distance| kept == 1 || distance == to_go) {
            line.truncate(kept);
            proof.follow(pos, line);
            return true;
        }
    }
    false
}

struct Proof<'a> {
    tt: &'a TranspositionTable,
    /// Plies to the mate and the move to it by key, or that there is no proof within so many plies.
    known: HashMap<u64, Result<(usize, Option<Move>), usize>>,
    /// Positions that may still be made.
    left: usize,
}

impl Proof<'_> {
    /// Plies from `pos` to the mate, if it is proved that these are at most `most`. `attacks`: the
    /// side to move is the one that mates.
    fn distance(&mut self, pos: &Position, attacks: bool, most: usize) -> Option<usize> {
        match self.known.get(&pos.key()) {
            Some(&Ok((distance, _))) => return (distance <= most).then_some(distance),
            Some(&Err(tried)) if tried >= most => return None,
            _ => {}
        }
        // A line that comes back here proves nothing.
        self.known.insert(pos.key(), Err(most));
        let found = if attacks {
            self.attack(pos, most)
        } else {
            self.defense(pos, most)
        };
        if let Some(found) = found {
            self.known.insert(pos.key(), Ok(found));
        }
        found.map(|(distance, _)| distance)
    }

    /// The first move after which every defense is answered.
    fn attack(&mut self, pos: &Position, most: usize) -> Option<(usize, Option<Move>)> {
        let rest = most.checked_sub(1)?;
        let moves = MoveSets::generate(pos);
        self.left = self.left.checked_sub(moves.count())?;
        let entry = self.tt.probe(tt_key(pos));
        let best = entry.map(|entry| entry.mv);
        let children = moves.iter().map(|mv| (mv, pos.make(mv).0));
        let mut candidates: Vec<_> = children
            .filter_map(|(mv, child)| {
                let told = self.told(&child).filter(|&told| told <= rest);
                let is_tried = most <= WITHOUT_TABLE
                    || most <= CHECKS_WITHOUT_TABLE && child.in_check()
                    || best == Some(PackedMove::from(mv));
                Some((told.or(is_tried.then_some(rest))?, mv, child))
            })
            .collect();
        candidates.sort_by_key(|&(within, ..)| within);
        candidates.into_iter().find_map(|(within, mv, child)| {
            let distance = self.distance(&child, false, within)?;
            Some((distance + 1, Some(mv)))
        })
    }

    /// The defense that lasts longest, if every one is answered.
    fn defense(&mut self, pos: &Position, most: usize) -> Option<(usize, Option<Move>)> {
        let moves = MoveSets::generate(pos);
        if moves.is_empty() {
            return pos.in_check().then_some((0, None));
        }
        let rest = most.checked_sub(1)?;
        self.left = self.left.checked_sub(moves.count())?;
        let mut longest = (0, None);
        for mv in moves.iter() {
            let distance = self.distance(&pos.make(mv).0, true, rest)? + 1;
            if distance > longest.0 {
                longest = (distance, Some(mv));
            }
        }
        Some(longest)
    }

    /// In how many plies the side to move is mated, as the table has it.
    fn told(&self, pos: &Position) -> Option<usize> {
        let entry = self.tt.probe(tt_key(pos))?;
        (entry.score.is_loss() && entry.bound != Bound::Lower).then(|| plies(entry.score))?
    }

    /// Appends what is proved from `pos` on.
    fn follow(&self, mut pos: Position, line: &mut Vec<Move>) {
        while let Some(Ok((_, Some(mv)))) = self.known.get(&pos.key()) {
            line.push(*mv);
            pos.play(*mv);
        }
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
        let first = parse_uci_move(&root, "e5f6").unwrap();
        let nothing = TranspositionTable::new(1).unwrap();
        let mut line = vec![first];
        assert!(
            !complete(&nothing, &root, &mut line, 5, true),
            "white needs four moves"
        );
        assert_eq!(line, [first], "and nothing was added");
        assert!(
            complete(&nothing, &root, &mut line, 7, true),
            "so near, it is searched"
        );
        assert_eq!((line.len(), line[0]), (7, first));
        assert!(has_mated(&root, &line));
    }

    #[test]
    fn the_table_tells_what_is_too_far_to_search() {
        let root = parse_fen("7k/8/8/3K4/8/8/8/6R1 w - - 0 1").unwrap();
        let mut line = vec![parse_uci_move(&root, "d5e6").unwrap()];
        let mut before = root.make(line[0]).0;
        before.play(parse_uci_move(&before, "h8h7").unwrap());
        let quiet = parse_uci_move(&before, "e6f6").unwrap();
        let after = before.make(quiet).0;
        let entry = |mv: PackedMove, score, bound| Entry {
            mv,
            score,
            eval: Score::NONE,
            bound,
            was_pv: false,
            depth: Depth::PLY,
            imbalance: 0,
        };
        let none = PackedMove::NONE;
        for (pos, entry, is_known) in [
            (
                &before,
                entry(none, Score::mates_at(Ply(5)), Bound::Lower),
                false,
            ),
            (
                &before,
                entry(quiet.into(), Score::mates_at(Ply(5)), Bound::Lower),
                true,
            ),
            (
                &after,
                entry(none, Score::mated_at(Ply(4)), Bound::Lower),
                false,
            ),
            (
                &after,
                entry(none, Score::mated_at(Ply(6)), Bound::Upper),
                false,
            ),
            (
                &after,
                entry(none, Score::mated_at(Ply(4)), Bound::Upper),
                true,
            ),
        ] {
            let tt = TranspositionTable::new(1).unwrap();
            tt.store(tt_key(pos), entry);
            line.truncate(1);
            assert_eq!(
                complete(&tt, &root, &mut line, 7, true),
                is_known,
                "{entry:?}"
            );
            assert_eq!(line.len() == 7 && has_mated(&root, &line), is_known);
        }
        // A mate that comes sooner than the search knew is believed from the first move on.
        let tt = TranspositionTable::new(1).unwrap();
        tt.store(
            tt_key(&after),
            entry(none, Score::mated_at(Ply(4)), Bound::Upper),
        );
        for kept in [1, 2] {
            line.truncate(kept);
            assert!(complete(&tt, &root, &mut line, 9, true) && has_mated(&root, &line));
            assert_eq!(line.len(), 7);
        }
    }
}
