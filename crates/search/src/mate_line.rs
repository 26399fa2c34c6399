//! The whole line of a mate that the search has proved. A root move that fails high leaves a line
//! of one move behind, and the search may end before it is searched again; what is missing still
//! lies in the transposition table, as a proof tree: an answer to every defense.

use std::{collections::HashMap, time::Duration};

use sextant_board::{CheckSquares, Move, MoveSets, PackedMove, Position, Score};

use crate::tt::TranspositionTable;

/// Positions that may be made where time is no matter: they take a tenth of a second.
const MOST_POSITIONS: usize = 400_000;
/// Positions that may be made in any case: a few milliseconds.
const FEWEST_POSITIONS: usize = 10_000;

/// How many positions [`complete`] may make until the hard limit of the clock, a quarter of what an
/// idle machine can.
pub(crate) fn positions_within(left: Option<Duration>) -> usize {
    let positions = left.map_or(MOST_POSITIONS, |left| left.as_micros() as usize);
    positions.clamp(FEWEST_POSITIONS, MOST_POSITIONS)
}

/// So many plies before the mate every move is tried where the table is silent, and every check.
/// Where that finds no proof, the next pair is tried with what is left of the positions.
const WITHOUT_TABLE: [(usize, usize); 4] = [(1, 3), (3, 5), (5, 7), (7, 9)];

/// Goes on with `line`, a move from `root` at least, until it has mated after `plies`, or sooner if
/// the table has come to know that after its first move; makes `positions` at most. `false` if the
/// table knows too little; the line is as before then.
pub(crate) fn complete(
    tt: &TranspositionTable,
    root: &Position,
    line: &mut Vec<Move>,
    plies: usize,
    positions: usize,
) -> bool {
    let mut left = positions;
    WITHOUT_TABLE.into_iter().any(|without_table| {
        let mut proof = Proof {
            tt,
            without_table,
            known: HashMap::new(),
            left,
        };
        let is_proved = proof.complete(root, line, plies);
        left = proof.left;
        is_proved
    })
}

struct Proof<'a> {
    tt: &'a TranspositionTable,
    without_table: (usize, usize),
    /// What was found out of a position, by its key.
    known: HashMap<u64, Known>,
    /// Positions that may still be made.
    left: usize,
}

#[derive(Clone, Copy, Default)]
struct Known {
    /// Plies to the mate at most, and the move of the side that mates.
    proved: Option<(usize, Option<Move>)>,
    /// No proof was found within fewer plies than this.
    not_below: usize,
}

impl Proof<'_> {
    fn complete(&mut self, root: &Position, line: &mut Vec<Move>, plies: usize) -> bool {
        // The end of a line may come from a search that did not see the mate.
        for kept in (1..=line.len().min(plies)).rev() {
            let mut pos = root.clone();
            for &mv in &line[..kept] {
                pos.play(mv);
            }
            let to_go = plies - kept;
            let attacks = to_go % 2 == 1;
            if self.distance(&pos, attacks, to_go).is_none() {
                continue;
            }
            let rest = self.longest(&pos, attacks, &mut HashMap::new());
            // Behind a defense that was not compared with the others a mate has to be as long as
            // told.
            if kept == 1 || rest.len() == to_go {
                line.truncate(kept);
                line.extend(rest.iter().rev());
                return true;
            }
        }
        false
    }

    /// Plies from `pos` to the mate, if it is proved that these are at most `most`. `attacks`: the
    /// side to move is the one that mates. A line that comes back to a position has fewer plies
    /// left there, so that it ends.
    fn distance(&mut self, pos: &Position, attacks: bool, most: usize) -> Option<usize> {
        let known = self.known.get(&pos.key()).copied().unwrap_or_default();
        match known.proved {
            Some((distance, _)) if distance <= most => return Some(distance),
            _ if most < known.not_below => return None,
            _ => {}
        }
        let found = if attacks {
            self.attack(pos, most)
        } else {
            self.defense(pos, most).map(|distance| (distance, None))
        };
        let known = self.known.entry(pos.key()).or_default();
        match (found, known.proved) {
            (None, _) => known.not_below = most + 1,
            // It may have been proved nearer meanwhile, by a line that came back to it.
            (Some((distance, _)), Some((nearer, _))) if nearer <= distance => {}
            (Some(_), _) => known.proved = found,
        }
        found.map(|(distance, _)| distance)
    }

    /// The first move after which every defense is answered, and how long that takes.
    fn attack(&mut self, pos: &Position, most: usize) -> Option<(usize, Option<Move>)> {
        let mut candidates = self.candidates(pos, most)?;
        candidates.sort_by_key(|&(within, ..)| within);
        candidates.into_iter().find_map(|(within, mv, child)| {
            let distance = self.distance(&child, false, within)?;
            Some((distance + 1, Some(mv)))
        })
    }

    /// The moves that are tried, each with the plies that the rest may take.
    fn candidates(&mut self, pos: &Position, most: usize) -> Option<Vec<(usize, Move, Position)>> {
        let rest = most.checked_sub(1)?;
        let entry = self.tt.probe_mate(pos);
        let best = entry.map(|entry| entry.mv);
        let won = entry.filter(|entry| entry.score.is_win() && entry.proves_mate());
        let won_in = won.and_then(|entry| plies(entry.score)).unwrap_or(most);
        let (any_from, checks_from) = self.without_table;
        let checks = CheckSquares::of(pos);
        let mut candidates = Vec::new();
        for mv in MoveSets::generate(pos).iter() {
            let is_check = checks.gives_check(pos, mv);
            if rest == 0 && !is_check {
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            let child = pos.make(mv).0;
            let is_best = best == Some(PackedMove::from(mv));
            let is_tried = is_best || most <= any_from || most <= checks_from && is_check;
            // The search sees a mate at once without asking the table or telling it.
            let mates = is_check && MoveSets::generate(&child).is_empty();
            let told = if mates { Some(0) } else { self.told(&child) };
            let told = told.filter(|&told| told <= rest);
            if is_best && told.is_none() && won_in < most {
                candidates.push((won_in - 1, mv, child.clone()));
            }
            if let Some(within) = told.or(is_tried.then_some(rest)) {
                candidates.push((within, mv, child));
            }
        }
        Some(candidates)
    }

    /// How long the longest defense lasts, if every one is answered.
    fn defense(&mut self, pos: &Position, most: usize) -> Option<usize> {
        let moves = MoveSets::generate(pos);
        if moves.is_empty() {
            return pos.in_check().then_some(0);
        }
        let rest = most.checked_sub(1)?;
        self.left = self.left.checked_sub(moves.count())?;
        let mut longest = 0;
        for mv in moves.iter() {
            longest = longest.max(self.distance(&pos.make(mv).0, true, rest)? + 1);
        }
        Some(longest)
    }

    /// In how many plies the side to move is mated, as the table has it.
    fn told(&self, pos: &Position) -> Option<usize> {
        let entry = self.tt.probe_mate(pos)?;
        (entry.score.is_loss() && entry.proves_mate()).then(|| plies(entry.score))?
    }

    /// The proved moves against the longest defense from `pos`, the last one first. Distances are
    /// upper bounds: a position may have been proved anew, and nearer, after those before it.
    fn longest(
        &self,
        pos: &Position,
        attacks: bool,
        lines: &mut HashMap<u64, Vec<Move>>,
    ) -> Vec<Move> {
        if let Some(line) = lines.get(&pos.key()) {
            return line.clone();
        }
        let proved = self.known[&pos.key()].proved;
        let best = proved.and_then(|(_, mv)| mv);
        let moves = MoveSets::generate(pos);
        let tried = moves.iter().filter(|&mv| !attacks || best == Some(mv));
        let line = tried
            .map(|mv| {
                let mut line = self.longest(&pos.make(mv).0, !attacks, lines);
                line.push(mv);
                line
            })
            .max_by_key(Vec::len)
            .unwrap_or_default();
        lines.insert(pos.key(), line.clone());
        line
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
    use crate::{
        budget::Depth,
        tt::{Entry, tt_key},
        window::Bound,
    };

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
            !complete(&nothing, &root, &mut line, 5, FEWEST_POSITIONS),
            "white needs four moves"
        );
        assert_eq!(line, [first], "and nothing was added");
        assert!(
            complete(&nothing, &root, &mut line, 7, FEWEST_POSITIONS),
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
                complete(&tt, &root, &mut line, 7, 1_000),
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
            assert!(complete(&tt, &root, &mut line, 9, 1_000) && has_mated(&root, &line));
            assert_eq!(line.len(), 7);
        }
    }
}
