//! A proof-number search for mates: depth-first, with a table (df-pn; A. Nagai, *Df-pn Algorithm for
//! Searching AND/OR Trees and Its Applications*, 2002). The side to move at the root attacks; a
//! position is proved when it mates whatever the other side does.
//!
//! The proof number of a position is about how many positions must still be solved to prove it, its
//! disproof number the same to disprove it. What a defender can still do is what a position begins
//! with, so that forcing moves, quiet ones too, are looked at first.

use std::collections::HashMap;

use sextant_board::{Move, MoveSets, Position};

use crate::flow::Flow;

/// More than any number of positions: never to be proved, or to be disproved.
const INFINITE: u32 = 1 << 28;
/// The longest line that is looked at, in plies.
const LONGEST: usize = 200;
/// Entries of a bucket of the table.
const WAYS: usize = 4;
/// Buckets: 12 MiB.
const BUCKETS: usize = 1 << 17;
/// A move without check is begun as if the defender had so many replies more.
const QUIET: u32 = 4;
/// Positions of a proof that are looked at again.
const LARGEST_PROOF: usize = 200_000;

/// Proof and disproof number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const UNKNOWN: Numbers = Numbers {
        proof: 1,
        disproof: 1,
    };
    /// Work until it is known.
    const ALL: Numbers = Numbers {
        proof: INFINITE - 1,
        disproof: INFINITE - 1,
    };
    const PROVED: Numbers = Numbers {
        proof: 0,
        disproof: INFINITE,
    };
    const DISPROVED: Numbers = Numbers {
        proof: INFINITE,
        disproof: 0,
    };

    /// With the two exchanged where the defender moves: what is a choice there and what adds up are
    /// the attacker's turned round.
    fn turned(self, attacks: bool) -> Numbers {
        if attacks {
            self
        } else {
            Numbers {
                proof: self.disproof,
                disproof: self.proof,
            }
        }
    }

    /// What is known of a position at first sight.
    fn first(pos: &Position, attacks: bool) -> Numbers {
        let replies = MoveSets::generate(pos).count() as u32;
        match (replies, attacks) {
            (0, false) if pos.in_check() => Numbers::PROVED,
            (0, _) => Numbers::DISPROVED,
            (_, true) => Numbers::UNKNOWN,
            (_, false) => Numbers {
                proof: replies + if pos.in_check() { 0 } else { QUIET },
                disproof: 1,
            },
        }
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    /// Positions that were made below it.
    work: u32,
}

impl Entry {
    const EMPTY: Entry = Entry {
        key: 0,
        numbers: Numbers::UNKNOWN,
        work: 0,
    };

    /// What its loss would cost.
    fn worth(&self) -> u64 {
        let is_proved = self.key != 0 && self.numbers.proof == 0;
        u64::from(self.work) + (u64::from(is_proved) << 32)
    }
}

/// Counts a position that is about to be made, and learns whether the search is over.
pub(crate) type Count<'a> = &'a mut dyn FnMut() -> Flow<()>;

/// A mate: the longest line of its proof.
pub(crate) type Mate = Vec<Move>;

/// The search, whose table lives from call to call.
pub(crate) struct MateSearch {
    table: Box<[[Entry; WAYS]]>,
    /// Keys of the positions on the way, those of the game before the root included.
    path: Vec<u64>,
    before_root: usize,
    /// Positions made since the last [`MateSearch::begin`].
    nodes: u64,
    limit: u64,
    /// The longest mate that is looked for, in plies.
    longest: usize,
}

impl MateSearch {
    pub(crate) fn new() -> MateSearch {
        MateSearch {
            table: vec![[Entry::EMPTY; WAYS]; BUCKETS].into_boxed_slice(),
            path: Vec::new(),
            before_root: 0,
            nodes: 0,
            limit: 0,
            longest: LONGEST,
        }
    }

    /// Forgets everything; `game` holds the keys of the positions before the root, to none of which
    /// the attacker may go back.
    pub(crate) fn begin(&mut self, game: impl Iterator<Item = u64>) {
        self.table.fill([Entry::EMPTY; WAYS]);
        self.path = game.collect();
        self.before_root = self.path.len();
        self.nodes = 0;
        self.longest = LONGEST;
    }

    /// From now on only mates of at most so many plies count. The table is forgotten: it was made
    /// with longer lines in mind.
    pub(crate) fn shorten(&mut self, longest: usize) {
        if longest < self.longest {
            self.longest = longest;
            self.table.fill([Entry::EMPTY; WAYS]);
        }
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Goes on until `limit` positions have been made in all. A mate that is found is replayed
    /// against every defense before it is believed.
    pub(crate) fn search(
        &mut self,
        root: &Position,
        limit: u64,
        count: Count<'_>,
    ) -> Flow<Option<Mate>> {
        self.limit = limit;
        let numbers = self.solve(root, true, Numbers::ALL, count);
        self.path.truncate(self.before_root);
        if numbers?.proof != 0 {
            return Ok(None);
        }
        let mut replay = Replay {
            search: self,
            count,
            proved: HashMap::new(),
            left: LARGEST_PROOF,
        };
        let longest = replay.search.longest;
        let plies = replay.plies(root, true, longest)?;
        Ok(plies.map(|_| replay.line(root)))
    }

    fn bucket(&self, key: u64) -> usize {
        key as usize & (BUCKETS - 1)
    }

    fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = &self.table[self.bucket(key)];
        bucket.iter().copied().find(|entry| entry.key == key)
    }

    fn store(&mut self, entry: Entry) {
        let at = self.bucket(entry.key);
        let bucket = &mut self.table[at];
        let same = bucket.iter().position(|old| old.key == entry.key);
        let least = || (0..WAYS).min_by_key(|&way| bucket[way].worth());
        bucket[same.or_else(least).unwrap_or(0)] = entry;
    }

    /// The positions after every move, each of which the table knows at least at first sight.
    fn children(&mut self, pos: &Position, attacks: bool, count: Count<'_>) -> Flow<Vec<Position>> {
        let mut children = Vec::new();
        for mv in MoveSets::generate(pos).iter() {
            count()?;
            self.nodes += 1;
            let child = pos.make(mv).0;
            if self.probe(child.key()).is_none() {
                self.store(Entry {
                    key: child.key(),
                    numbers: Numbers::first(&child, !attacks),
                    ..Entry::EMPTY
                });
            }
            children.push(child);
        }
        Ok(children)
    }

    /// Does the attacker have to turn back: a repetition, too long a line, the fifty-move rule?
    fn is_lost(&self, pos: &Position) -> bool {
        self.path.len() > self.before_root + self.longest
            || pos.clock() >= 100
            || self.path.contains(&pos.key())
    }

    /// Works on a position until one of its numbers reaches that of `until`, or the limit ends all.
    fn solve(
        &mut self,
        pos: &Position,
        attacks: bool,
        until: Numbers,
        count: Count<'_>,
    ) -> Flow<Numbers> {
        let before = self.nodes;
        self.path.push(pos.key());
        let children = self.children(pos, attacks, count)?;
        let until = until.turned(attacks);
        let sum = loop {
            let sum = self.sum_up(&children, attacks);
            let Sum { own, best, second } = sum;
            let is_over = own.proof == 0 || own.disproof == 0 || self.nodes >= self.limit;
            if is_over || own.proof >= until.proof || own.disproof >= until.disproof {
                break sum;
            }
            let of_best = self.numbers(&children[best], attacks);
            // The best child goes on until another promises clearly more.
            let child_until = Numbers {
                proof: until.proof.min(second + 1 + second / 4),
                disproof: until.disproof - own.disproof + of_best.disproof,
            };
            self.solve(
                &children[best],
                !attacks,
                child_until.turned(attacks),
                count,
            )?;
        };
        self.path.pop();
        let numbers = sum.own.turned(attacks);
        self.store(Entry {
            key: pos.key(),
            numbers,
            work: (self.nodes - before).min(u64::from(u32::MAX)) as u32,
        });
        Ok(numbers)
    }

    /// The numbers of a child, as its parent sees them.
    fn numbers(&self, child: &Position, attacks: bool) -> Numbers {
        let numbers = if self.is_lost(child) {
            Numbers::DISPROVED
        } else {
            let known = self.probe(child.key()).map(|entry| entry.numbers);
            known.unwrap_or_else(|| Numbers::first(child, !attacks))
        };
        numbers.turned(attacks)
    }

    /// What the children make of a position; numbers are turned, so that the mover looks for the
    /// least proof number, and disproof numbers add up.
    fn sum_up(&self, children: &[Position], attacks: bool) -> Sum {
        let mut sum = Sum {
            own: Numbers {
                proof: INFINITE,
                disproof: 0,
            },
            best: 0,
            second: INFINITE,
        };
        for (at, child) in children.iter().enumerate() {
            let numbers = self.numbers(child, attacks);
            sum.own.disproof = (sum.own.disproof + numbers.disproof).min(INFINITE);
            if numbers.proof < sum.own.proof {
                sum.second = sum.own.proof;
                (sum.own.proof, sum.best) = (numbers.proof, at);
            } else {
                sum.second = sum.second.min(numbers.proof);
            }
        }
        sum
    }
}

struct Sum {
    own: Numbers,
    /// The child with the least proof number, and the next least number.
    best: usize,
    second: u32,
}

/// Goes through a proof once more, every defense included: entries of the table may be lost, and
/// what was proved on one way must hold on another.
struct Replay<'a, 'b> {
    search: &'a mut MateSearch,
    count: Count<'b>,
    /// Plies to the mate at most, and the move of the side that mates.
    proved: HashMap<u64, (usize, Option<Move>)>,
    /// Positions that may still be looked at.
    left: usize,
}

impl Replay<'_, '_> {
    /// In how many plies, `most` at most, the attacker mates; `None` if that is not proved.
    fn plies(&mut self, pos: &Position, attacks: bool, most: usize) -> Flow<Option<usize>> {
        if let Some(&(plies, _)) = self.proved.get(&pos.key()) {
            return Ok(Some(plies).filter(|&plies| plies <= most));
        }
        let moves = MoveSets::generate(pos);
        if moves.is_empty() {
            return Ok((pos.in_check() && !attacks).then_some(0));
        }
        let enough = self.left.checked_sub(moves.count());
        let (Some(left), Some(rest)) = (enough, most.checked_sub(1)) else {
            return Ok(None);
        };
        self.left = left;
        let mut best: Option<(usize, Option<Move>)> = None;
        for mv in moves.iter() {
            let child = pos.make(mv).0;
            if attacks && !self.is_proved(&child, false)? {
                continue;
            }
            if !attacks && !self.is_proved(&child, true)? {
                return Ok(None);
            }
            // The attacker only looks for what is nearer than the mate it has.
            let rest = best
                .filter(|_| attacks)
                .map_or(rest, |(plies, _)| rest.min(plies.saturating_sub(2)));
            match self.plies(&child, !attacks, rest)? {
                Some(plies) if attacks => best = Some((plies + 1, Some(mv))),
                Some(plies) => {
                    let longest = best.map_or(0, |(longest, _)| longest);
                    best = Some((longest.max(plies + 1), None));
                }
                None if attacks => {}
                None => return Ok(None),
            }
        }
        if let Some(found) = best {
            // A line that came back here may have proved it nearer meanwhile.
            let known = self.proved.entry(pos.key()).or_insert(found);
            if found.0 < known.0 {
                *known = found;
            }
        }
        Ok(best.map(|(plies, _)| plies))
    }

    /// Does the table say so? A reply of the defender that it has forgotten is solved again.
    fn is_proved(&mut self, pos: &Position, attacks: bool) -> Flow<bool> {
        let numbers = self.search.numbers(pos, !attacks).turned(!attacks);
        if numbers.proof == 0 || !attacks {
            return Ok(numbers.proof == 0);
        }
        let numbers = self.search.solve(pos, true, Numbers::ALL, self.count);
        self.search.path.truncate(self.search.before_root);
        Ok(numbers?.proof == 0)
    }

    /// The proved moves against the longest defense.
    fn line(&self, root: &Position) -> Mate {
        let mut lengths = HashMap::new();
        let (mut pos, mut line) = (root.clone(), Mate::new());
        self.length(root, &mut lengths);
        loop {
            let next = self
                .answers(&pos)
                .max_by_key(|&mv| lengths.get(&pos.make(mv).0.key()));
            let Some(mv) = next else { return line };
            pos.play(mv);
            line.push(mv);
        }
    }

    /// How long the longest defense lasts. Every answer was proved to be nearer to the mate than
    /// what it answers, so that no line comes back to a position.
    fn length(&self, pos: &Position, lengths: &mut HashMap<u64, usize>) -> usize {
        if let Some(&length) = lengths.get(&pos.key()) {
            return length;
        }
        let longest = self
            .answers(pos)
            .map(|mv| 1 + self.length(&pos.make(mv).0, lengths));
        let length = longest.max().unwrap_or(0);
        lengths.insert(pos.key(), length);
        length
    }

    /// The attacker's proved move, or every move of the defender.
    fn answers(&self, pos: &Position) -> impl Iterator<Item = Move> + use<> {
        let best = self.proved.get(&pos.key()).and_then(|&(_, mv)| mv);
        let moves: Vec<Move> = MoveSets::generate(pos).iter().collect();
        moves
            .into_iter()
            .filter(move |&mv| best.is_none_or(|best| best == mv))
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::parse_fen;

    use super::*;
    use crate::flow::Stopped;

    fn mate(fen: &str, nodes: u64) -> Option<usize> {
        let root = parse_fen(fen).unwrap();
        let mut search = MateSearch::new();
        search.begin(std::iter::empty());
        let mut made = 0;
        let mut count = || {
            made += 1;
            if made > nodes { Err(Stopped) } else { Ok(()) }
        };
        let line = search.search(&root, nodes, &mut count).ok()??;
        let mut pos = root;
        for &mv in &line {
            assert!(pos.board().is_legal(mv), "{fen} {line:?}");
            pos.play(mv);
        }
        assert!(
            pos.in_check() && MoveSets::generate(&pos).is_empty(),
            "{fen} {line:?}"
        );
        Some(line.len())
    }

    /// Mates by checks and by quiet moves, one of them with a proof that goes through positions more
    /// than once; and none: it is too far for the limit, or the material does not do.
    #[test]
    fn mates_are_proved_and_nothing_else() {
        for (fen, shortest) in [
            ("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", Some(1)),
            ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", Some(5)),
            ("7k/8/8/4K3/8/8/8/6R1 w - - 0 1", Some(7)),
            ("8/8/8/8/8/k1K5/8/7R w - - 0 1", Some(1)),
            ("k7/2Q5/8/8/8/8/8/7K w - - 0 1", None),
            ("7k/8/8/8/8/8/8/KB6 w - - 0 1", None),
            ("8/8/4R3/K7/6R1/p4p1p/1PN2p1P/5k2 w - - 0 1", Some(13)),
        ] {
            let found = mate(fen, 150_000);
            assert_eq!(found.is_some(), shortest.is_some(), "{fen}");
            assert!(found >= shortest, "{fen} {found:?}");
        }
    }

    #[test]
    fn nearer_mates_are_looked_for_until_there_is_none() {
        let root = parse_fen("7k/8/8/4K3/8/8/8/6R1 w - - 0 1").unwrap();
        let mut search = MateSearch::new();
        search.begin(std::iter::empty());
        let mut lengths = Vec::new();
        while let Some(line) = search.search(&root, 400_000, &mut || Ok(())).unwrap() {
            lengths.push(line.len());
            search.shorten(line.len() - 2);
        }
        assert!(lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
        assert_eq!(lengths.last(), Some(&7), "{lengths:?}");
        assert!(search.nodes() < 400_000, "that there is none was proved");
    }

    #[test]
    fn it_ends_at_its_limit_and_goes_on_from_there() {
        let root = parse_fen("7k/8/8/4K3/8/8/8/6R1 w - - 0 1").unwrap();
        let mut search = MateSearch::new();
        search.begin(std::iter::empty());
        let mut count = || Ok(());
        let mut limit = 0;
        let found = loop {
            limit += 500;
            if let Some(found) = search.search(&root, limit, &mut count).unwrap() {
                break found;
            }
            assert!((limit..limit + 300).contains(&search.nodes()), "{limit}");
            assert!(limit < 60_000);
        };
        assert!(found.len() >= 7 && limit > 500);
    }
}
